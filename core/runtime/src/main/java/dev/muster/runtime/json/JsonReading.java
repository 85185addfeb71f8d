package dev.muster.runtime.json;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The result of reading a JSON text. A reason continues a sentence that begins with the name of its file or variable. */
public sealed interface JsonReading {

    /**
     * A whole JSON object.
     *
     * @param content read-only and in file order; numbers are {@link Long}, {@link java.math.BigInteger}, {@link java.math.BigDecimal},
     *     or {@link Double} for NaN and the like
     */
    record Complete(Map<String, Object> content) implements JsonReading {}

    /**
     * Not valid JSON now; perhaps the writer has not finished.
     *
     * @param reason for example {@code is cut off at line 3, column 17}
     */
    record Incomplete(String reason) implements JsonReading {}

    /**
     * An error that more text cannot repair.
     *
     * @param reason for example {@code has the key "status" twice, at /status (line 3, column 11)}
     */
    record Wrong(String reason) implements JsonReading {}

    /** The object, if there is one. */
    default Optional<Map<String, Object>> object() {
        return this instanceof Complete complete ? Optional.of(complete.content) : Optional.empty();
    }

    /** @param refusal makes the exception from the reason, if there is none */
    default Map<String, Object> orElseThrow(Function<String, RuntimeException> refusal) {
        if (this instanceof Complete complete) {
            return complete.content;
        }
        throw refusal.apply(this instanceof Incomplete incomplete ? incomplete.reason : ((Wrong) this).reason);
    }
}
