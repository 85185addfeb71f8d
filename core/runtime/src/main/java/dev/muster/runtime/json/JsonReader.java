package dev.muster.runtime.json;

import java.util.Map;
import java.util.Optional;

/**
 * Reads JSON that somebody may still be writing, and that may be hostile: everything has a limit.
 */
public final class JsonReader {

    /** Bytes that a JSON file may have. */
    public static final int LIMIT = 16 * 1024 * 1024;

    /** Bytes that the values of one document may take on the heap, which has 96 MB for everything. */
    static final int MOST_MEMORY = 40 * 1024 * 1024;

    static final int DEEPEST = 64;
    static final int LONGEST_TEXT = 64 * 1024;
    static final int LONGEST_NUMBER = 1000;

    private JsonReader() {}

    /**
     * The object that the bytes hold, or why there is none. Never throws, whatever the bytes are.
     *
     * @param bytes must stay as they are: the object may consist of them
     */
    public static JsonReading read(byte[] bytes) {
        if (bytes.length > LIMIT) {
            return new JsonReading.Wrong(tooBig(bytes.length));
        }
        Optional<Map<String, Object>> plain = FlatParser.read(bytes);
        return plain.isPresent() ? new JsonReading.Complete(plain.get()) : AnyJson.read(bytes);
    }

    /** The reason to refuse a file of so many bytes. */
    public static String tooBig(long bytes) {
        return "is " + (bytes + 1024 * 1024 - 1) / (1024 * 1024) + " MB; the limit is " + LIMIT / (1024 * 1024) + " MB";
    }
}
