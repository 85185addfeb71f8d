package dev.muster.runtime.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one document. What is wrong is remembered and told only at the end: a file that is cut off is still being written. */
final class ObjectParser {

    /** Most objects of a rank table have three or four fields. */
    private static final int FEW = 4;

    private static final int LONGEST_SHOWN = 200;

    private final JsonParser parser;
    private @Nullable String firstMistake;

    ObjectParser(JsonParser parser) {
        this.parser = parser;
    }

    JsonReading read() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            return new JsonReading.Incomplete("is empty");
        }
        Map<String, Object> content = Map.of();
        if (first == JsonToken.START_OBJECT) {
            content = object();
        } else {
            mistake("holds " + kind(first) + ", expected an object in braces");
            parser.skipChildren();
        }
        if (parser.nextToken() != null) {
            return new JsonReading.Incomplete(
                    "has more text after its end, at " + place(parser.currentTokenLocation()));
        }
        return firstMistake == null ? new JsonReading.Complete(content) : new JsonReading.Wrong(firstMistake);
    }

    /** For example {@code line 3, column 17}, counted from 1. */
    static String place(JsonLocation location) {
        return "line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private Map<String, Object> object() throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>(FEW);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            checkLength(name.length(), JsonReader.LONGEST_TEXT, "a key", "characters");
            if (fields.containsKey(name)) {
                mistake("has the key " + Printable.quote(shortened(name)) + " twice");
            }
            parser.nextToken();
            fields.put(name, value());
        }
        return Collections.unmodifiableMap(fields);
    }

    private List<Object> array() throws IOException {
        List<Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value());
        }
        return Collections.unmodifiableList(elements);
    }

    private @Nullable Object value() throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> text();
            case VALUE_NUMBER_INT -> wholeNumber();
            case VALUE_NUMBER_FLOAT -> otherNumber();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IllegalStateException("no value: " + parser.currentToken());
        };
    }

    private String text() throws IOException {
        checkLength(parser.getTextLength(), JsonReader.LONGEST_TEXT, "a text", "characters");
        return parser.getText();
    }

    private Number wholeNumber() throws IOException {
        if (isTooLong()) {
            return 0L;
        }
        JsonParser.NumberType type = parser.getNumberType();
        return type == JsonParser.NumberType.BIG_INTEGER ? new BigInteger(parser.getText()) : parser.getLongValue();
    }

    private Number otherNumber() throws IOException {
        if (isTooLong()) {
            return 0L;
        }
        if (parser.isNaN()) {
            return parser.getDoubleValue();
        }
        try {
            return new BigDecimal(parser.getText());
        } catch (NumberFormatException e) {
            // The exponent is out of any range. Infinity, or zero, is what is left of such a number.
            return Double.valueOf(parser.getText());
        }
    }

    private boolean isTooLong() throws IOException {
        return checkLength(parser.getTextLength(), JsonReader.LONGEST_NUMBER, "a number", "digits");
    }

    private boolean checkLength(int length, int limit, String what, String unit) {
        if (length > limit) {
            mistake("holds " + what + " of " + length + " " + unit + ", the limit is " + limit);
        }
        return length > limit;
    }

    private void mistake(String what) {
        if (firstMistake == null) {
            String pointer = parser.getParsingContext().pathAsPointer().toString();
            firstMistake = what
                    + (pointer.isEmpty() ? "" : ", at " + Printable.escape(shortened(pointer)))
                    + " (" + place(parser.currentTokenLocation()) + ")";
        }
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }

    private static String kind(JsonToken token) {
        return switch (token) {
            case START_ARRAY -> "an array";
            case VALUE_STRING -> "a text";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_NULL -> "null";
            default -> "true or false";
        };
    }
}
