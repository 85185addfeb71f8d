package dev.muster.runtime.json;

import java.util.Map;

/** What the bytes of a JSON file turned out to be. Reasons continue a sentence that starts with the file's name. */
public sealed interface JsonReading {

    /**
     * A whole JSON object.
     *
     * @param content read-only and in file order; numbers are {@link Long}, {@link java.math.BigInteger}, {@link
     *     java.math.BigDecimal} or {@link Double}
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
}
