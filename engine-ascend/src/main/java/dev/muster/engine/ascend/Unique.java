package dev.muster.engine.ascend;

import dev.muster.spi.PlanException;
import org.jspecify.annotations.Nullable;

/**
 * Values that may appear only once, in the table or in a part of it. A table of a hundred thousand cards has some of every card:
 * two arrays hold them, since a map would make an object for each.
 *
 * @param <V> a text or a number
 */
final class Unique<V> {

    private static final int FEW = 16;

    private final String key;
    private final String scope;
    private final String server;

    /** A value stands at its hash or at the next free place; at the same place of the other array its holder. */
    private @Nullable Object[] values = new Object[FEW];

    private @Nullable JsonView[] holders = new JsonView[FEW];
    private int size;

    /**
     * @param key under which the values stand
     * @param scope where they must differ, with a blank in front; empty for the whole table
     */
    Unique(String key, String scope) {
        this(key, scope, "");
    }

    private Unique(String key, String scope, String server) {
        this.key = key;
        this.scope = scope;
        this.server = server;
    }

    /** Values that must differ on a server only. */
    static <V> Unique<V> onServer(String key, String server) {
        return new Unique<>(key, " on server ", server);
    }

    /** Refuses a value that has been added before. Keeps its holder, the object that has it under the key. */
    void add(V value, JsonView holder) throws PlanException {
        if (size >= values.length / 2) {
            grow();
        }
        int place = place(value);
        JsonView first = holders[place];
        if (first != null) {
            throw holder.child(key)
                    .refusal(
                            key + " " + Messages.quote(value.toString()) + " appears twice" + scope
                                    + (server.isEmpty() ? "" : Messages.quote(server)) + ", first at "
                                    + first.child(key).pointer(),
                            JsonView.CORRECT_IT);
        }
        values[place] = value;
        holders[place] = holder;
        size++;
    }

    boolean has(V value) {
        return values[place(value)] != null;
    }

    int size() {
        return size;
    }

    /** Where the value stands, or would. */
    private int place(Object value) {
        int hash = value.hashCode() * 0x9E3779B9;
        int place = (hash ^ hash >>> 16) & values.length - 1;
        Object there = values[place];
        while (there != null && !there.equals(value)) {
            place = place + 1 & values.length - 1;
            there = values[place];
        }
        return place;
    }

    private void grow() {
        @Nullable Object[] oldValues = values;
        @Nullable JsonView[] oldHolders = holders;
        values = new Object[2 * oldValues.length];
        holders = new JsonView[2 * oldValues.length];
        for (int at = 0; at < oldValues.length; at++) {
            Object value = oldValues[at];
            if (value != null) {
                int place = place(value);
                values[place] = value;
                holders[place] = oldHolders[at];
            }
        }
    }
}
