package dev.muster.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Reads JSON that somebody may still be writing, and that may be hostile: everything has a limit. Uses the streaming parser,
 * since a launcher's start waits for it.
 */
public final class JsonReader {

    /** Bytes that a JSON file may have. */
    public static final int LIMIT = 16 * 1024 * 1024;

    /** Bytes that the values of one document may take on the heap, which has 96 MB for everything. */
    static final int MOST_MEMORY = 40 * 1024 * 1024;

    static final int DEEPEST = 64;
    static final int LONGEST_TEXT = 64 * 1024;
    static final int LONGEST_NUMBER = 1000;

    /** Beyond this length the parser gives up on a key by itself: it needs many times the room. */
    private static final int LONGEST_KEY = 1024 * 1024;

    /** Texts and numbers are measured by ourselves, for the sake of the messages; {@link #LIMIT} bounds them all. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(LIMIT)
                    .maxNameLength(LONGEST_KEY)
                    .maxNumberLength(LIMIT)
                    .build())
            .build();

    private JsonReader() {}

    /** The object that the bytes hold, or why there is none. Never throws, whatever the bytes are. */
    public static JsonReading read(byte[] bytes) {
        if (bytes.length > LIMIT) {
            return new JsonReading.Wrong(tooBig(bytes.length));
        }
        Encoding encoding = Encoding.of(bytes);
        if (encoding.defect().isPresent()) {
            return encoding.defect().get();
        }
        int length = bytes.length - encoding.start();
        try (JsonParser parser = FACTORY.createParser(bytes, encoding.start(), length)) {
            return parse(parser, length);
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory cannot fail to be read", e);
        }
    }

    private static JsonReading parse(JsonParser parser, int length) throws IOException {
        try {
            return new ObjectParser(parser).read();
        } catch (StreamConstraintsException e) {
            boolean isTooDeep = parser.getParsingContext().getNestingDepth() >= DEEPEST;
            String what = isTooDeep
                    ? "is nested deeper than " + DEEPEST + " levels"
                    : "holds a key of more than " + LONGEST_KEY + " characters, the limit is " + LONGEST_TEXT + ",";
            return new JsonReading.Wrong(what + " at " + ObjectParser.place(parser.currentLocation()));
        } catch (JsonParseException e) {
            boolean isAtEnd = e instanceof JsonEOFException || e.getLocation().getByteOffset() >= length;
            String place = ObjectParser.place(e.getLocation());
            return new JsonReading.Incomplete((isAtEnd ? "is cut off at " : "is not valid JSON at ") + place);
        }
    }

    /** The reason to refuse a file of so many bytes. */
    public static String tooBig(long bytes) {
        return "is " + (bytes + 1024 * 1024 - 1) / (1024 * 1024) + " MB; the limit is " + LIMIT / (1024 * 1024) + " MB";
    }
}
