package dev.muster.runtime.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes all JSON of Muster. Input may be hostile or unfinished, so everything has a limit. Output is safe on a terminal. */
public final class Json {

    /** The most bytes of a JSON file. */
    public static final int LIMIT = 32 * 1024 * 1024;

    private static final int MEGABYTE = 1024 * 1024;
    private static final Pattern HALF = Pattern.compile("\\p{Cs}");

    /** The most bytes without white space. Java's objects need many times as much. */
    private static final int CONTENT_LIMIT = LIMIT / 2;

    private static final int DEEPEST = 64;
    private static final int LONGEST_TEXT = 64 * 1024;
    private static final int PIECE = 8 * 1024;

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxStringLength(LONGEST_TEXT)
                    .maxNameLength(LONGEST_TEXT)
                    .build())
            .characterEscapes(new VisibleCharacters())
            .build();

    private static final DefaultPrettyPrinter INDENTED = indented();

    private Json() {}

    /** Reads a text; gives its object, or why there is none. */
    public static JsonReading read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads bytes; gives their object, or why there is none. */
    public static JsonReading read(byte[] bytes) {
        if (bytes.length > LIMIT) {
            return new JsonReading.Wrong(tooBig(bytes.length));
        }
        if (bytes.length > CONTENT_LIMIT && content(bytes) > CONTENT_LIMIT) {
            return new JsonReading.Wrong(tooBig(content(bytes), CONTENT_LIMIT) + " without white space");
        }
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            return new TreeReader(parser).document();
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory cannot fail to be read", e);
        }
    }

    /** The same, also for Python's notation: texts in single quotes, {@code True}, {@code False} and {@code None}. */
    public static JsonReading readPython(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8)
                .replaceAll("\\bTrue\\b", "true")
                .replaceAll("\\bFalse\\b", "false")
                .replaceAll("\\bNone\\b", "null");
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.enable(JsonReadFeature.ALLOW_SINGLE_QUOTES.mappedFeature());
            parser.enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER.mappedFeature());
            return new TreeReader(parser).document();
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory cannot fail to be read", e);
        }
    }

    /**
     * Converts an object to a record. Unknown fields are ignored; missing ones are {@code null} or zero.
     *
     * @throws IllegalArgumentException a field has another type
     */
    public static <T> T toRecord(Map<String, ?> object, Class<T> type) {
        return Records.MAPPER.convertValue(object, type);
    }

    /** Converts a record to an object, without absent values. */
    public static Map<String, Object> toMap(Object value) {
        return Records.MAPPER.convertValue(value, new TypeReference<>() {});
    }

    /** A copy of an object, with all texts changed except keys. */
    public static Map<String, @Nullable Object> withTexts(Map<?, ?> object, UnaryOperator<String> change) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        object.forEach((key, value) -> copy.put(String.valueOf(key), withTexts(value, change)));
        return copy;
    }

    private static @Nullable Object withTexts(@Nullable Object value, UnaryOperator<String> change) {
        if (value instanceof Map<?, ?> object) {
            return withTexts(object, change);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(element -> withTexts(element, change)).toList();
        }
        return value instanceof String text ? change.apply(text) : value;
    }

    /** The reason to refuse a file of so many bytes. */
    public static String tooBig(long bytes) {
        return tooBig(bytes, LIMIT);
    }

    private static String tooBig(long bytes, int limit) {
        return "is " + (bytes + MEGABYTE - 1) / MEGABYTE + " MB; the limit is " + limit / MEGABYTE + " MB";
    }

    /** The number of bytes that are not white space. */
    private static int content(byte[] bytes) {
        int content = 0;
        for (byte each : bytes) {
            content += each == ' ' || each == '\n' || each == '\r' || each == '\t' ? 0 : 1;
        }
        return content;
    }

    /** Escapes halves of surrogate pairs. Java's texts hold them for bytes that are not UTF-8, and UTF-8 output would lose them. */
    private static String withoutHalves(CharSequence json) {
        return HALF.matcher(json)
                .replaceAll(
                        half -> String.format("\\\\u%04x", (int) half.group().charAt(0)));
    }

    /** Writes records, maps, lists, texts, numbers and booleans in one line, without a newline. */
    public static String line(@Nullable Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            TreeWriter.write(value, json);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
        return withoutHalves(text.getBuffer());
    }

    /** The same with two spaces a level, one value a line, keys in their order, and a line feed at the end. */
    public static String indented(@Nullable Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text::append);
        return text.toString();
    }

    /**
     * Writes the same piece by piece, so that lists may make their elements on demand. If the first element fails, nothing has been
     * written.
     */
    public static void write(@Nullable Object value, Consumer<String> out) {
        StringBuilder pending = new StringBuilder();
        try (JsonGenerator json = FACTORY.createGenerator(writer(pending, out))) {
            json.setPrettyPrinter(INDENTED.createInstance());
            TreeWriter.write(value, json);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
        out.accept(withoutHalves(pending.append('\n')));
    }

    private static Writer writer(StringBuilder pending, Consumer<String> out) {
        return new Writer() {

            @Override
            public void write(char[] text, int start, int length) {
                pending.append(text, start, length);
                if (pending.length() > PIECE && !Character.isHighSurrogate(pending.charAt(pending.length() - 1))) {
                    out.accept(withoutHalves(pending));
                    pending.setLength(0);
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    /** Made only for records: it takes as long as all other JSON of a launch. */
    static final class Records {

        static final ObjectMapper MAPPER = JsonMapper.builder(FACTORY)
                .disable(SerializationFeature.WRAP_EXCEPTIONS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .addModule(new Jdk8Module())
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
                .build();

        private Records() {}
    }

    private static DefaultPrettyPrinter indented() {
        Separators separators = Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator("");
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        return new DefaultPrettyPrinter(separators).withObjectIndenter(lines).withArrayIndenter(lines);
    }
}
