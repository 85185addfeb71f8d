package dev.muster.engine.ascend;

import dev.muster.spi.PlanException;
import java.util.HashMap;
import java.util.Map;

/** Values that may appear only once in the table, or in a part of it. */
final class Unique {

    private final String key;
    private final String scope;
    private final Map<Object, JsonView> holders = new HashMap<>();

    /**
     * @param key the key of the values
     * @param scope the part of the table in which they must differ, with a blank in front; empty for the whole table
     */
    Unique(String key, String scope) {
        this.key = key;
        this.scope = scope;
    }

    /** Refuses a text or number that has been added before. Keeps its holder, the object that has it under the key. */
    void add(Object value, JsonView holder) throws PlanException {
        JsonView first = holders.putIfAbsent(value, holder);
        if (first != null) {
            throw holder.child(key)
                    .refusal(key + " " + Messages.quote(value.toString()) + " appears twice" + scope + ", first at "
                            + first.child(key).pointer());
        }
    }

    boolean has(Object value) {
        return holders.containsKey(value);
    }

    int size() {
        return holders.size();
    }
}
