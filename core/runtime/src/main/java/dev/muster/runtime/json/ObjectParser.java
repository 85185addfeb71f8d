package dev.muster.runtime.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one document. What is wrong is remembered and told only at the end: a file that is cut off is still being written. After
 * the first mistake nothing is kept any more. Only where there is no room for more does it stop at once.
 */
final class ObjectParser {

    private static final int LONGEST_SHOWN = 200;

    /** What things take on the heap, in bytes; an element also for its time on the stack, which grows by halves. */
    private static final int OBJECT = 48;

    private static final int ELEMENT = 12;
    private static final int ENTRY = 112;
    private static final int NUMBER = 24;
    private static final int BIG_NUMBER = 120;

    private final JsonParser parser;
    private final Pool pool = new Pool();

    /** Of the objects and arrays that are still open, the innermost last. */
    private final Stack keys = new Stack();

    private final Stack values = new Stack();
    private long taken;
    private @Nullable String firstMistake;

    ObjectParser(JsonParser parser) {
        this.parser = parser;
    }

    JsonReading read() throws IOException {
        try {
            return document();
        } catch (NoRoom full) {
            return new JsonReading.Wrong(full.mistake);
        }
    }

    private JsonReading document() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            return new JsonReading.Incomplete("is empty");
        }
        Map<String, Object> content = Map.of();
        if (first == JsonToken.START_OBJECT) {
            content = object();
        } else {
            mistake("holds " + kind(first) + ", expected an object in braces");
            skip();
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
        int firstKey = keys.size();
        int firstValue = values.size();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            if (keys.size() - firstKey == CompactObject.MOST_FIELDS) {
                return objectOfMany(firstKey, firstValue);
            }
            String name = name(isAmongKeys(parser.currentName(), firstKey));
            Object value = nextValue();
            if (firstMistake == null) {
                take(ELEMENT);
                keys.push(name);
                values.push(value);
            }
        }
        if (keys.size() == firstKey) {
            return Map.of();
        }
        take(OBJECT);
        String[] names = pool.keys(keys, firstKey);
        keys.cut(firstKey);
        return new CompactObject(names, values.take(firstValue));
    }

    /** Reads the rest of an object whose first fields are on the stacks. */
    private Map<String, Object> objectOfMany(int firstKey, int firstValue) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        String[] names = pool.keys(keys, firstKey);
        keys.cut(firstKey);
        Object[] before = values.take(firstValue);
        for (int at = 0; at < names.length; at++) {
            fields.put(names[at], before[at]);
        }
        do {
            String name = name(fields.containsKey(parser.currentName()));
            Object value = nextValue();
            if (firstMistake == null) {
                take(ENTRY + Pool.sizeOf(name.length()));
                fields.put(name, value);
            }
        } while (parser.nextToken() != JsonToken.END_OBJECT);
        return Collections.unmodifiableMap(fields);
    }

    private String name(boolean isKnown) throws IOException {
        String name = parser.currentName();
        checkLength(name.length(), JsonReader.LONGEST_TEXT, "a key", "characters");
        if (isKnown) {
            mistake("has the key " + Printable.quote(shortened(name)) + " twice");
        }
        return name;
    }

    private boolean isAmongKeys(String name, int first) {
        for (int at = first; at < keys.size(); at++) {
            if (name.equals(keys.at(at))) {
                return true;
            }
        }
        return false;
    }

    private List<Object> array() throws IOException {
        int first = values.size();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Object element = value();
            if (firstMistake == null) {
                take(ELEMENT);
                values.push(element);
            }
        }
        if (values.size() == first) {
            return List.of();
        }
        take(OBJECT);
        return Collections.unmodifiableList(Arrays.asList(values.take(first)));
    }

    private @Nullable Object nextValue() throws IOException {
        parser.nextToken();
        return value();
    }

    private @Nullable Object value() throws IOException {
        if (firstMistake != null) {
            skip();
            return null;
        }
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
        int length = parser.getTextLength();
        if (checkLength(length, JsonReader.LONGEST_TEXT, "a text", "characters")) {
            return "";
        }
        take(0);
        return pool.text(parser.getTextCharacters(), parser.getTextOffset(), length);
    }

    private Number wholeNumber() throws IOException {
        if (isTooLong()) {
            return 0L;
        }
        JsonParser.NumberType type = parser.getNumberType();
        if (type == JsonParser.NumberType.BIG_INTEGER) {
            take(BIG_NUMBER + parser.getTextLength());
            return new BigInteger(parser.getText());
        }
        take(NUMBER);
        return parser.getLongValue();
    }

    private Number otherNumber() throws IOException {
        if (isTooLong()) {
            return 0L;
        }
        take(BIG_NUMBER + parser.getTextLength());
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

    /** Goes past a value. The parser itself keeps every different key. */
    private void skip() throws IOException {
        int open = 0;
        do {
            JsonToken token = open == 0 ? parser.currentToken() : parser.nextToken();
            if (token == null) {
                return;
            }
            open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (token == JsonToken.FIELD_NAME) {
                take(Pool.sizeOf(parser.currentName().length()));
            }
        } while (open > 0);
    }

    /** Something is kept that takes so many bytes. */
    private void take(int bytes) throws NoRoom {
        taken += bytes;
        if (taken + pool.taken() > JsonReader.MOST_MEMORY) {
            mistake("holds more than there is room for: its values take more than "
                    + JsonReader.MOST_MEMORY / (1024 * 1024) + " MB of memory");
            throw new NoRoom(String.valueOf(firstMistake));
        }
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

    private static final class NoRoom extends IOException {

        private static final long serialVersionUID = 1L;

        private final String mistake;

        NoRoom(String mistake) {
            super(mistake);
            this.mistake = mistake;
        }
    }
}
