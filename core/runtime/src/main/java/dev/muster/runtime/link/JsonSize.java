package dev.muster.runtime.link;

import java.util.List;
import java.util.Map;

/** How many bytes a value takes as JSON, at most. */
final class JsonSize {

    private static final int LONGEST_NUMBER = 20;
    private static final int LONGEST_OF_CHARACTER = 6;

    private JsonSize() {}

    static int of(Object value) {
        if (value instanceof Map<?, ?> map) {
            return 2
                    + map.entrySet().stream()
                            .mapToInt(entry -> of(entry.getKey()) + of(entry.getValue()) + 3)
                            .sum();
        }
        if (value instanceof List<?> list) {
            return 2 + list.stream().mapToInt(element -> of(element) + 1).sum();
        }
        return value instanceof String text ? ofText(text) : LONGEST_NUMBER;
    }

    private static int ofText(String text) {
        int size = 2;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            boolean isPlain = character >= ' ' && character <= '~' && character != '"' && character != '\\';
            size += isPlain ? 1 : LONGEST_OF_CHARACTER;
        }
        return size;
    }
}
