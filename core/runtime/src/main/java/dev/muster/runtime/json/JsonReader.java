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
        Optional<Map<String, Object>> plain = readPlain(bytes);
        return plain.isPresent() ? new JsonReading.Complete(plain.get()) : AnyJson.read(bytes);
    }

    /**
     * The object that the bytes hold, in a tenth of the time and of the memory that others take, when it is of the plainest kind; empty
     * where {@link #read} has to tell.
     *
     * @param bytes at most {@link #LIMIT}; must stay as they are, since the object consists of them
     */
    public static Optional<Map<String, Object>> readPlain(byte[] bytes) {
        return FlatParser.read(bytes);
    }

    /** The reason to refuse a file of so many bytes. */
    public static String tooBig(long bytes) {
        return "is " + (bytes + 1024 * 1024 - 1) / (1024 * 1024) + " MB; the limit is " + LIMIT / (1024 * 1024) + " MB";
    }
}
