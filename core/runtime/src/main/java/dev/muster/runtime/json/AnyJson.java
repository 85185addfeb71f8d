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

/** Reads what is not of the plainest kind, or is no JSON at all, with the streaming parser: it knows all there is. */
final class AnyJson {

    /** Beyond this length the parser gives up on a key by itself: it needs many times the room. */
    private static final int LONGEST_KEY = 1024 * 1024;

    /** Texts and numbers are measured by ourselves, for the sake of the messages; {@link JsonReader#LIMIT} bounds them all. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(JsonReader.DEEPEST)
                    .maxStringLength(JsonReader.LIMIT)
                    .maxNameLength(LONGEST_KEY)
                    .maxNumberLength(JsonReader.LIMIT)
                    .build())
            .build();

    private AnyJson() {}

    static JsonReading read(byte[] bytes) {
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
            boolean isTooDeep = parser.getParsingContext().getNestingDepth() >= JsonReader.DEEPEST;
            String what = isTooDeep
                    ? "is nested deeper than " + JsonReader.DEEPEST + " levels"
                    : "holds a key of more than " + LONGEST_KEY + " characters, the limit is " + JsonReader.LONGEST_TEXT
                            + ",";
            return new JsonReading.Wrong(what + " at " + ObjectParser.place(parser.currentLocation()));
        } catch (JsonParseException e) {
            boolean isAtEnd = e instanceof JsonEOFException || e.getLocation().getByteOffset() >= length;
            String place = ObjectParser.place(e.getLocation());
            return new JsonReading.Incomplete((isAtEnd ? "is cut off at " : "is not valid JSON at ") + place);
        }
    }
}
