package dev.muster.engine.ascend;

import dev.muster.spi.PlainRows;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Arrays as the runtime gives them to engines when a file is of the plainest kind: they can be read in place. */
final class TestRows extends AbstractList<@Nullable Object> implements PlainRows {

    private static final int LONG = 31;

    private final List<?> elements;
    private final StringBuilder document = new StringBuilder("\"");
    private final Map<String, Integer> places = new LinkedHashMap<>();

    private TestRows(List<?> elements) {
        this.elements = elements;
        for (int row = 0; row < elements.size(); row++) {
            if (elements.get(row) instanceof Map<?, ?> object) {
                List<?> values = new ArrayList<>(object.values());
                for (int column = 0; column < values.size(); column++) {
                    add(row, column, values.get(column));
                }
            }
        }
    }

    /** The same content. */
    static Map<String, Object> in(Map<?, ?> content) {
        Map<String, Object> copy = new LinkedHashMap<>();
        content.forEach((key, value) -> copy.put((String) key, value(value)));
        return copy;
    }

    private static @Nullable Object value(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            return in(object);
        }
        return value instanceof List<?> array
                ? new TestRows(array.stream().map(TestRows::value).toList())
                : value;
    }

    private void add(int row, int column, @Nullable Object value) {
        if (value instanceof String text && text.length() < LONG && text.matches("[ -~&&[^\"\\\\]]*")) {
            places.put(row + "," + column, document.length());
            document.append(text).append("\",\"");
        }
    }

    @Override
    public @Nullable Object get(int index) {
        return elements.get(index);
    }

    @Override
    public int size() {
        return elements.size();
    }

    @Override
    public byte[] bytes() {
        return document.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public int column(String key) {
        return elements.isEmpty() ? NONE : keys(0).indexOf(key);
    }

    @Override
    public int place(int row, int column) {
        return keys(row).equals(keys(0)) ? places.getOrDefault(row + "," + column, NONE) : NONE;
    }

    @Override
    public int length(int row, int column) {
        int place = place(row, column);
        return document.indexOf("\"", place) - place;
    }

    private List<?> keys(int row) {
        return elements.get(row) instanceof Map<?, ?> object ? List.copyOf(object.keySet()) : List.of();
    }
}
