package dev.muster.runtime.link;

import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the fields of a fact that somebody else has written, perhaps another version of Muster. */
final class Fields {

    /** Characters; longer texts are cut. */
    static final int LONGEST_TEXT = 2048;

    private final Map<?, ?> content;

    Fields(Map<?, ?> content) {
        this.content = content;
    }

    /** A fact that cannot be understood; it is passed over. */
    static final class Unfit extends Exception {
        private static final long serialVersionUID = 1;

        Unfit(String field) {
            super("no usable \"" + field + "\"", null, false, false);
        }
    }

    /** With control characters escaped: it may be shown. */
    String text(String field) throws Unfit {
        return optionalText(field).orElseThrow(() -> new Unfit(field));
    }

    Optional<String> optionalText(String field) {
        return content.get(field) instanceof String text ? Optional.of(shown(text)) : Optional.empty();
    }

    long number(String field) throws Unfit {
        return optionalLong(field).orElseThrow(() -> new Unfit(field));
    }

    OptionalLong optionalLong(String field) {
        return content.get(field) instanceof Number number ? OptionalLong.of(number.longValue()) : OptionalLong.empty();
    }

    OptionalInt optionalInt(String field) {
        return content.get(field) instanceof Number number ? OptionalInt.of(number.intValue()) : OptionalInt.empty();
    }

    boolean is(String field) {
        return Boolean.TRUE.equals(content.get(field));
    }

    List<String> texts(String field) {
        List<String> texts = new ArrayList<>();
        for (Object element : list(field)) {
            if (element instanceof String text) {
                texts.add(shown(text));
            }
        }
        return texts;
    }

    SortedMap<String, String> map(String field) {
        TreeMap<String, String> map = new TreeMap<>();
        if (content.get(field) instanceof Map<?, ?> fields) {
            fields.forEach((name, value) -> map.put(shown(String.valueOf(name)), shown(String.valueOf(value))));
        }
        return map;
    }

    Fields object(String field) throws Unfit {
        if (content.get(field) instanceof Map<?, ?> object) {
            return new Fields(object);
        }
        throw new Unfit(field);
    }

    List<Fields> objects(String field) {
        List<Fields> objects = new ArrayList<>();
        for (Object element : list(field)) {
            if (element instanceof Map<?, ?> object) {
                objects.add(new Fields(object));
            }
        }
        return objects;
    }

    private List<?> list(String field) {
        return content.get(field) instanceof List<?> list ? list : List.of();
    }

    private static String shown(String text) {
        return Printable.escape(cut(text));
    }

    static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 3) + "...";
    }
}
