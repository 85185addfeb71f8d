package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value of a rank table with its position, so that every refusal names file, JSON pointer and value.
 *
 * @param step the key or index of this value in its parent; for the whole file the file's name
 */
record JsonView(
        @Nullable JsonView parent, Object step, @Nullable Object value) {

    static JsonView of(InputValue.Json source) {
        return new JsonView(null, source.path(), source.content());
    }

    /** Whether this is an object with the key, with any value. */
    boolean has(String key) {
        return value instanceof Map<?, ?> object && object.containsKey(key);
    }

    /** The keys of this object. */
    List<String> keys() {
        return value instanceof Map<?, ?> object
                ? object.keySet().stream().map(String::valueOf).toList()
                : List.of();
    }

    /** The elements of the array under a required key. */
    List<JsonView> list(String key) throws PlanException {
        JsonView child = child(key);
        if (!(child.value instanceof List<?> array)) {
            throw child.refusal(child.shown() + " is not an array");
        }
        List<JsonView> elements = new ArrayList<>(array.size());
        for (Object element : array) {
            elements.add(new JsonView(child, elements.size(), element));
        }
        return elements;
    }

    /** As {@link #list}, but {@code null} means no elements: some writers use it for "no devices". */
    List<JsonView> listOrNull(String key) throws PlanException {
        return child(key).value == null ? List.of() : list(key);
    }

    /** The text under a required key, not empty. Numbers count as texts: not every writer quotes them. */
    String text(String key) throws PlanException {
        String text = child(key).scalar();
        if (text.isEmpty()) {
            throw child(key).refusal(key + " is empty");
        }
        return text;
    }

    /** As {@link #text}, but the key may be missing and the text empty. */
    Optional<String> optionalText(String key) throws PlanException {
        return has(key) ? Optional.of(child(key).scalar()) : Optional.empty();
    }

    /** The whole number, 0 to {@code most}, under a required key; a text or a number. */
    int number(String key, int most) throws PlanException {
        JsonView child = child(key);
        int number = WholeNumber.parse(child.scalar(), most);
        if (number == WholeNumber.NONE) {
            throw child.refusal(child.shown() + " is not a whole number 0.." + most);
        }
        return number;
    }

    /** Refuses a count under a key, if the key exists and the count differs from the length of the list. */
    void requireCount(String key, int listed, String what) throws PlanException {
        if (has(key) && number(key, RankTable.MOST_CARDS) != listed) {
            throw child(key)
                    .refusal(
                            key + " says " + child(key).scalar() + " but " + listed + " " + what + " are listed",
                            "Have the table written again; ranks started from it would wait for each other for ever");
        }
    }

    /** The value under a key of this object. */
    JsonView child(String key) throws PlanException {
        if (!(value instanceof Map<?, ?> object)) {
            throw refusal(shown() + " is not an object");
        }
        JsonView child = new JsonView(this, key, object.get(key));
        if (child.value == null && !object.containsKey(key)) {
            throw child.refusal(key + " is missing");
        }
        return child;
    }

    /** A refusal of this value, with the usual advice. */
    PlanException refusal(String problem) {
        return refusal(problem, "Correct the table, or name another one with --rank-table FILE");
    }

    /** A refusal of this value. */
    PlanException refusal(String problem, String fix) {
        return PlanException.data(file(), pointer(), problem, fix);
    }

    private String file() {
        return parent == null ? step.toString() : parent.file();
    }

    /** The JSON pointer to this value in its file. */
    String pointer() {
        return parent == null ? "" : parent.pointer() + "/" + step;
    }

    private String scalar() throws PlanException {
        if (value instanceof String || value instanceof Number) {
            return value.toString();
        }
        throw refusal(shown() + " is neither a text nor a number");
    }

    private String shown() {
        if (value instanceof String text) {
            return Messages.quote(text);
        }
        if (value instanceof Map) {
            return "an object";
        }
        return value instanceof List ? "an array" : String.valueOf(value);
    }
}
