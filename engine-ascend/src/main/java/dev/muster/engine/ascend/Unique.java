package dev.muster.engine.ascend;

import dev.muster.spi.PlanException;
import org.jspecify.annotations.Nullable;

/**
 * Texts that may appear only once, in the table or in a part of it. Two arrays hold them, since a map would make an object for each.
 */
final class Unique {

    private static final int FEW = 16;

    private final String key;
    private final String scope;

    /** A value stands at its hash or at the next free place; at the same place of the other array its holder. */
    private @Nullable String[] values = new String[FEW];

    private @Nullable JsonView[] holders = new JsonView[FEW];
    private int size;

    /**
     * @param key under which the values stand
     * @param scope where they must differ, with a blank in front; empty for the whole table
     */
    Unique(String key, String scope) {
        this.key = key;
        this.scope = scope;
    }

    /** Refuses a value that has been added before. Keeps its holder, the object that has it under the key. */
    void add(String value, JsonView holder) throws PlanException {
        if (size >= values.length / 2) {
            grow();
        }
        int place = place(value);
        JsonView first = holders[place];
        if (first != null) {
            throw refusal(key, value, scope, holder, first);
        }
        values[place] = value;
        holders[place] = holder;
        size++;
    }

    /**
     * That a value appears twice.
     *
     * @param scope where values must differ, with a blank in front; empty for the whole table
     * @param holder the object that has it once more
     */
    static PlanException refusal(String key, String value, String scope, JsonView holder, JsonView first)
            throws PlanException {
        return holder.child(key)
                .refusal(
                        key + " " + Messages.quote(value) + " appears twice" + scope + ", first at "
                                + first.child(key).pointer(),
                        JsonView.CORRECT_IT);
    }

    boolean has(String value) {
        return values[place(value)] != null;
    }

    int size() {
        return size;
    }

    /** Where the value stands, or would. */
    private int place(String value) {
        int hash = value.hashCode() * 0x9E3779B9;
        int place = (hash ^ hash >>> 16) & values.length - 1;
        String there = values[place];
        while (there != null && !there.equals(value)) {
            place = place + 1 & values.length - 1;
            there = values[place];
        }
        return place;
    }

    private void grow() {
        @Nullable String[] oldValues = values;
        @Nullable JsonView[] oldHolders = holders;
        values = new String[2 * oldValues.length];
        holders = new JsonView[2 * oldValues.length];
        for (int at = 0; at < oldValues.length; at++) {
            String value = oldValues[at];
            if (value != null) {
                int place = place(value);
                values[place] = value;
                holders[place] = oldHolders[at];
            }
        }
    }
}
