package dev.muster.runtime.json;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** What a JSON text turned out to be. Reasons continue a sentence that starts with the name of its file or variable. */
public sealed interface JsonReading {

    /**
     * A whole JSON object.
     *
     * @param content read-only and in file order; numbers are {@link Long}, {@link java.math.BigInteger}, {@link
     *     java.math.BigDecimal} or, where they are none, {@link Double}
     */
    record Complete(Map<String, Object> content) implements JsonReading {}

    /**
     * Not JSON as it stands; a writer may not be done with it.
     *
     * @param reason for example {@code is cut off at line 3, column 17}
     */
    record Incomplete(String reason) implements JsonReading {}

    /**
     * Nothing that a writer's next stroke would repair.
     *
     * @param reason for example {@code has the key "status" twice, at /status (line 3, column 11)}
     */
    record Wrong(String reason) implements JsonReading {}

    /** The object, where there is one. */
    default Optional<Map<String, Object>> object() {
        return this instanceof Complete complete ? Optional.of(complete.content) : Optional.empty();
    }

    /**
     * The object.
     *
     * @param refusal what to throw where there is none, from the reason
     */
    default Map<String, Object> orElseThrow(Function<String, RuntimeException> refusal) {
        if (this instanceof Complete complete) {
            return complete.content;
        }
        throw refusal.apply(this instanceof Incomplete incomplete ? incomplete.reason : ((Wrong) this).reason);
    }
}
