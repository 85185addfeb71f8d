package dev.muster.runtime.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A read-only object of few fields, in file order, that shares its keys with others. */
abstract class FewFields extends AbstractMap<String, @Nullable Object> {

    private static final int NONE = -1;

    private final String[] keys;

    /** @param keys different ones; not copied */
    FewFields(String[] keys) {
        this.keys = keys;
    }

    /** The value of the field at a position. */
    abstract @Nullable Object value(int position);

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
        return position == NONE ? null : value(position);
    }

    /** Who asks has a key of the source code, and so has the field, as a rule: then they are the same object. */
    @SuppressWarnings("ReferenceEquality")
    private int position(@Nullable Object key) {
        for (int position = 0; position < keys.length; position++) {
            if (keys[position] == key) {
                return position;
            }
        }
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
                            new SimpleImmutableEntry<>(Objects.requireNonNull(keys[next]), value(next));
                    next++;
                    return entry;
                }
            };
        }
    }
}
