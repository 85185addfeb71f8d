package dev.muster.runtime.json;

import org.jspecify.annotations.Nullable;

/**
 * An object that has its values. A table has a hundred thousand of them with the same keys: they share the keys, so that each takes
 * a sixth of what a hash map takes.
 */
final class CompactObject extends FewFields {

    /** Up to so many fields, comparing one key after the other takes no longer than a hash. */
    static final int MOST_FIELDS = 12;

    private final @Nullable Object[] values;

    /**
     * @param keys different ones; not copied
     * @param values as many; not copied
     */
    CompactObject(String[] keys, @Nullable Object[] values) {
        super(keys);
        this.values = values;
    }

    @Override
    @Nullable Object value(int position) {
        return values[position];
    }
}
