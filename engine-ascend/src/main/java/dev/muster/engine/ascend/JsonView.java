package dev.muster.engine.ascend;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value of a rank table that knows where it stands, so that every complaint names file, JSON pointer and value. There may be one
 * for each of a hundred thousand cards.
 */
final class JsonView {

    /** What to do about a wrong table when there is nothing better to say. */
    static final String CORRECT_IT = "Correct the table, or name another one with --rank-table FILE";

    private final @Nullable JsonView parent;

    /** Under which this stands in an object; empty in an array; of the whole table the name of its file. */
    private final String key;

    private final int index;
    private final @Nullable Object value;

    private JsonView(@Nullable JsonView parent, String key, int index, @Nullable Object value) {
        this.parent = parent;
        this.key = key;
        this.index = index;
        this.value = value;
    }

    static JsonView of(InputValue.Json source) {
        return new JsonView(null, source.path(), 0, source.content());
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

    /** The elements of the array under a key that must be there; a view comes to be when it is asked for. */
    List<JsonView> list(String key) throws PlanException {
        return child(key).asList();
    }

    private List<JsonView> asList() throws PlanException {
        if (!(value instanceof List)) {
            throw refusal(shown() + " is not an array", CORRECT_IT);
        }
        return elements();
    }

    /** The elements of this array. */
    List<JsonView> elements() {
        List<?> elements = (List<?>) Objects.requireNonNull(value);
        return new AbstractList<>() {

            @Override
            public JsonView get(int index) {
                return new JsonView(JsonView.this, "", index, elements.get(index));
            }

            @Override
            public int size() {
                return elements.size();
            }
        };
    }

    /** As {@link #list}, but {@code null} stands for no elements: some writers put it for "no devices". */
    List<JsonView> listOrNull(String key) throws PlanException {
        JsonView array = child(key);
        return array.value == null ? List.of() : array.asList();
    }

    /** The text under a key that must be there, not empty. Numbers count as texts: not every writer quotes them. */
    String text(String key) throws PlanException {
        if (given(key) instanceof String text && !text.isEmpty()) {
            return text;
        }
        JsonView child = child(key);
        String text = child.scalar();
        if (text.isEmpty()) {
            throw child.refusal(key + " is empty", CORRECT_IT);
        }
        return text;
    }

    /** As {@link #text}, but the key may be missing and the text empty. */
    Optional<String> optionalText(String key) throws PlanException {
        if (given(key) instanceof String text) {
            return Optional.of(text);
        }
        return has(key) ? Optional.of(child(key).scalar()) : Optional.empty();
    }

    /** The whole number, 0 to {@code most}, under a key that must be there; given as text or as a number. */
    int number(String key, int most) throws PlanException {
        int plain = given(key) instanceof String text ? WholeNumber.parse(text, most) : WholeNumber.NONE;
        if (plain != WholeNumber.NONE) {
            return plain;
        }
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

    /** What stands under a key, without a view: for the usual case, that it is right. */
    private @Nullable Object given(String key) {
        return value instanceof Map<?, ?> object ? object.get(key) : null;
    }

    /** The value under a key of this object. */
    JsonView child(String key) throws PlanException {
        return child(key, CORRECT_IT);
    }

    /**
     * The same.
     *
     * @param fix what to do when it is not there
     */
    JsonView child(String key, String fix) throws PlanException {
        if (!(value instanceof Map<?, ?> object)) {
            throw refusal(shown() + " is not an object", fix);
        }
        JsonView child = new JsonView(this, key, 0, object.get(key));
        if (child.value == null && !object.containsKey(key)) {
            throw child.refusal(key + " is missing", fix);
        }
        return child;
    }

    /** The value itself. */
    @Nullable Object raw() {
        return value;
    }

    /** That this value is wrong. */
    PlanException refusal(String problem, String fix) {
        return PlanException.data(file(), pointer(), problem, fix);
    }

    /** The name of the file. */
    String file() {
        return parent == null ? key : parent.file();
    }

    /** Where this value stands in its file. */
    String pointer() {
        if (parent == null) {
            return "";
        }
        return parent.pointer() + "/" + (parent.value instanceof List ? index : key);
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

    /** In a complaint. */
    String shown() {
        if (value instanceof String text) {
            return Messages.quote(text);
        }
        if (value instanceof Map) {
            return "an object";
        }
        return value instanceof List ? "an array" : String.valueOf(value);
    }
}
