package dev.muster.runtime.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one document. Objects share equal keys and short texts, because a table has a hundred thousand of them. */
final class TreeReader {

    /** Texts up to this length are often equal. */
    private static final int SHORT = 3;

    private static final int LONGEST_SHOWN = 200;

    private final JsonParser parser;
    private final Map<List<String>, List<String>> keySets = new HashMap<>();
    private final Map<String, String> shortTexts = new HashMap<>();

    TreeReader(JsonParser parser) {
        this.parser = parser;
    }

    JsonReading document() throws IOException {
        try {
            return object(parser.nextToken());
        } catch (Mistake mistake) {
            return new JsonReading.Wrong(mistake.reason);
        } catch (StreamConstraintsException e) {
            String limit = e.getOriginalMessage().replaceAll("(, from)? `[^`]*`", "");
            return new JsonReading.Wrong("is beyond a limit at " + place(parser.currentLocation()) + ": " + limit);
        } catch (JsonParseException e) {
            return broken(e);
        } catch (OutOfMemoryError full) {
            return new JsonReading.Wrong("holds more than there is room for");
        }
    }

    private JsonReading object(@Nullable JsonToken first) throws IOException {
        if (first == null) {
            return new JsonReading.Incomplete("is empty");
        }
        if (first != JsonToken.START_OBJECT) {
            throw mistake("holds " + kind(first) + ", expected an object in braces");
        }
        Map<String, Object> content = object();
        return parser.nextToken() == null
                ? new JsonReading.Complete(content)
                : new JsonReading.Incomplete("has more text after its end, at " + place(parser.currentTokenLocation()));
    }

    private static JsonReading broken(JsonParseException e) {
        String place = place(e.getLocation());
        if (e.getOriginalMessage().startsWith("Invalid UTF-8")) {
            return new JsonReading.Wrong("is not UTF-8 at " + place);
        }
        boolean isAtEnd = e.getOriginalMessage().startsWith("Unexpected end-of-input");
        return new JsonReading.Incomplete((isAtEnd ? "is cut off at " : "is not valid JSON at ") + place);
    }

    private Map<String, Object> object() throws IOException {
        List<String> names = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>();
        Set<String> many = Set.of();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            many = names.size() == CompactObject.MOST_FIELDS ? new HashSet<>(names) : many;
            if (names.size() < CompactObject.MOST_FIELDS ? names.contains(name) : !many.add(name)) {
                throw mistake("has the key " + Printable.quote(Shortened.begun(LONGEST_SHOWN, name)) + " twice");
            }
            parser.nextToken();
            names.add(name);
            values.add(value());
        }
        return object(names, values);
    }

    private Map<String, Object> object(List<String> names, List<@Nullable Object> values) {
        if (names.isEmpty()) {
            return Map.of();
        }
        if (names.size() <= CompactObject.MOST_FIELDS) {
            return new CompactObject(keySets.computeIfAbsent(names, List::copyOf), values.toArray());
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int index = 0; index < names.size(); index++) {
            fields.put(names.get(index), values.get(index));
        }
        return Collections.unmodifiableMap(fields);
    }

    private List<@Nullable Object> array() throws IOException {
        List<@Nullable Object> elements = new ArrayList<>();
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
            case VALUE_NUMBER_FLOAT -> parser.isNaN() ? parser.getDoubleValue() : parser.getDecimalValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private String text() throws IOException {
        String text = parser.getText();
        return text.length() > SHORT ? text : shortTexts.computeIfAbsent(text, same -> same);
    }

    private Number wholeNumber() throws IOException {
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? parser.getBigIntegerValue()
                : (Number) parser.getLongValue();
    }

    private Mistake mistake(String what) {
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        return new Mistake(what
                + (pointer.isEmpty() ? "" : ", at " + Printable.escape(Shortened.begun(LONGEST_SHOWN, pointer)))
                + " (" + place(parser.currentTokenLocation()) + ")");
    }

    /** For example {@code line 3, column 17}, counted from 1. */
    private static String place(JsonLocation location) {
        return "line " + location.getLineNr() + ", column " + location.getColumnNr();
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

    /** An error that more text cannot repair. */
    private static final class Mistake extends IOException {

        private static final long serialVersionUID = 1L;

        private final String reason;

        Mistake(String reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
