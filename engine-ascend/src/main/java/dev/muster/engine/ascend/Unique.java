package dev.muster.engine.ascend;

import dev.muster.spi.PlanException;
import java.util.HashMap;
import java.util.Map;

/** Values that may appear only once, in the table or in a part of it. */
final class Unique {

    private final String key;
    private final String scope;
    private final Map<String, JsonView> seen = new HashMap<>();

    /**
     * @param key under which the values stand
     * @param scope where they must differ, with a blank in front; empty for the whole table
     */
    Unique(String key, String scope) {
        this.key = key;
        this.scope = scope;
    }

    /** Refuses a value that has been added before. */
    void add(String value, JsonView place) throws PlanException {
        JsonView first = seen.putIfAbsent(value, place);
        if (first != null) {
            throw place.refusal(
                    key + " " + Messages.quote(value) + " appears twice" + scope + ", first at " + first.pointer(),
                    JsonView.CORRECT_IT);
        }
    }

    boolean has(String value) {
        return seen.containsKey(value);
    }

    int size() {
        return seen.size();
    }
}
