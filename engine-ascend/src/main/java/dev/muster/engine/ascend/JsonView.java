package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A value of a rank table that knows where it stands, so that every complaint names file, JSON pointer and value. */
final class JsonView {

    /** What to do about a wrong table when there is nothing better to say. */
    static final String CORRECT_IT = "Correct the table, or name another one with --rank-table FILE";

    private final String file;
    private final @Nullable JsonView parent;
    private final Object step;
    private final @Nullable Object value;

    private JsonView(String file, @Nullable JsonView parent, Object step, @Nullable Object value) {
        this.file = file;
        this.parent = parent;
        this.step = step;
        this.value = value;
    }

    static JsonView of(InputValue.Json source) {
        return new JsonView(source.path(), null, "", source.content());
    }

    /** Whether this is an object with the key, whatever its value. */
    boolean has(String key) {
        return value instanceof Map<?, ?> object && object.containsKey(key);
    }

    /** The keys of this object. */
    List<String> keys() {
        List<String> keys = new ArrayList<>();
        if (value instanceof Map<?, ?> object) {
            for (Object key : object.keySet()) {
                keys.add(String.valueOf(key));
            }
        }
        return keys;
    }

    /** The elements of the array under a key that must be there. */
    List<JsonView> list(String key) throws PlanException {
        JsonView array = child(key);
        if (!(array.value instanceof List<?> elements)) {
            throw array.refusal(array.shown() + " is not an array", CORRECT_IT);
        }
        List<JsonView> views = new ArrayList<>(elements.size());
        for (Object element : elements) {
            views.add(new JsonView(file, array, views.size(), element));
        }
        return views;
    }

    /** As {@link #list}, but {@code null} stands for no elements: some writers put it for "no devices". */
    List<JsonView> listOrNull(String key) throws PlanException {
        return child(key).value == null ? List.of() : list(key);
    }

    /** The text under a key that must be there, not empty. Numbers count as texts: not every writer quotes them. */
    String text(String key) throws PlanException {
        JsonView child = child(key);
        String text = child.scalar();
        if (text.isEmpty()) {
            throw child.refusal(key + " is empty", CORRECT_IT);
        }
        return text;
    }

    /** As {@link #text}, but the key may be missing and the text empty. */
    Optional<String> optionalText(String key) throws PlanException {
        return has(key) ? Optional.of(child(key).scalar()) : Optional.empty();
    }

    /** The whole number, 0 to {@code most}, under a key that must be there; given as text or as a number. */
    int number(String key, int most) throws PlanException {
        JsonView child = child(key);
        int number = WholeNumber.parse(child.scalar(), most);
        if (number == WholeNumber.NONE) {
            throw child.refusal(child.shown() + " is not a whole number 0.." + most, CORRECT_IT);
        }
        return number;
    }

    /** Refuses a count that is declared under a key, where it is, and differs from what is listed. */
    void declares(String key, int listed, String what) throws PlanException {
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
            throw refusal(shown() + " is not an object", CORRECT_IT);
        }
        JsonView child = new JsonView(file, this, key, object.get(key));
        if (child.value == null && !object.containsKey(key)) {
            throw child.refusal(key + " is missing", CORRECT_IT);
        }
        return child;
    }

    /** That this value is wrong. */
    PlanException refusal(String problem, String fix) {
        return PlanException.data(file, pointer(), problem, fix);
    }

    /** Where this value stands in its file. */
    String pointer() {
        return parent == null ? "" : parent.pointer() + "/" + step;
    }

    private String scalar() throws PlanException {
        if (value instanceof String text) {
            return text;
        }
        if (value instanceof Number number) {
            return number.toString();
        }
        throw refusal(shown() + " is neither a text nor a number", CORRECT_IT);
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
