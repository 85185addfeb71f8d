package dev.muster.runtime.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A read-only object of few fields, in file order. A table has a hundred thousand of them with the same keys: they share the
 * keys, so that each takes a sixth of what a hash map takes.
 */
final class CompactObject extends AbstractMap<String, @Nullable Object> {

    /** Up to so many fields, comparing one key after the other takes no longer than a hash. */
    static final int MOST_FIELDS = 12;

    private static final int NONE = -1;

    private final String[] keys;
    private final @Nullable Object[] values;

    /**
     * @param keys different ones; not copied
     * @param values as many; not copied
     */
    CompactObject(String[] keys, @Nullable Object[] values) {
        this.keys = keys;
        this.values = values;
    }

    @Override
    public int size() {
        return keys.length;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return position(key) != NONE;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        int position = position(key);
        return position == NONE ? null : values[position];
    }

    private int position(@Nullable Object key) {
        for (int position = 0; position < keys.length; position++) {
            if (keys[position].equals(key)) {
                return position;
            }
        }
        return NONE;
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        return new Entries();
    }

    private final class Entries extends AbstractSet<Map.Entry<String, @Nullable Object>> {

        @Override
        public int size() {
            return keys.length;
        }

        @Override
        public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < keys.length;
                }

                @Override
                public Map.Entry<String, @Nullable Object> next() {
                    if (next >= keys.length) {
                        throw new NoSuchElementException();
                    }
                    Map.Entry<String, @Nullable Object> entry =
                            new SimpleImmutableEntry<>(Objects.requireNonNull(keys[next]), values[next]);
                    next++;
                    return entry;
                }
            };
        }
    }
}
