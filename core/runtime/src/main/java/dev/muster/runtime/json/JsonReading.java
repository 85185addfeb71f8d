package dev.muster.runtime.json;

import java.util.Map;
import java.util.function.Function;

/** What the bytes of a JSON file turned out to be. Reasons continue a sentence that starts with the file's name. */
public sealed interface JsonReading {

    /** What this becomes, by its kind. */
    <T> T fold(Cases<T> cases);

    /**
     * A whole JSON object.
     *
     * @param content read-only and in file order; numbers are {@link Long}, {@link java.math.BigInteger}, {@link
     *     java.math.BigDecimal} or {@link Double}
     */
    record Complete(Map<String, Object> content) implements JsonReading {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.complete(this);
        }
    }

    /**
     * Not JSON as it stands; a writer may not be done with it.
     *
     * @param reason for example {@code is cut off at line 3, column 17}
     */
    record Incomplete(String reason) implements JsonReading {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.incomplete(this);
        }
    }

    /**
     * Nothing that a writer's next stroke would repair.
     *
     * @param reason for example {@code has the key "status" twice, at /status (line 3, column 11)}
     */
    record Wrong(String reason) implements JsonReading {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.wrong(this);
        }
    }

    /**
     * The content.
     *
     * @param refusal what to throw where there is none, from the reason
     */
    default Map<String, Object> orElseThrow(Function<String, RuntimeException> refusal) {
        return fold(new Cases<>() {

            @Override
            public Map<String, Object> complete(Complete complete) {
                return complete.content();
            }

            @Override
            public Map<String, Object> incomplete(Incomplete incomplete) {
                throw refusal.apply(incomplete.reason());
            }

            @Override
            public Map<String, Object> wrong(Wrong wrong) {
                throw refusal.apply(wrong.reason());
            }
        });
    }

    /**
     * What becomes of each kind of reading. A new kind is a method more, so that nobody forgets it.
     *
     * @param <T> what it becomes
     */
    interface Cases<T> {

        T complete(Complete complete);

        T incomplete(Incomplete incomplete);

        T wrong(Wrong wrong);
    }
}
