package dev.muster.runtime.json;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A read-only object with few fields, in file order. It shares its keys with others, and needs a sixth of a hash map's memory. */
final class CompactObject extends AbstractMap<String, @Nullable Object> {

    /** With at most this many fields, a search through the keys is as fast as a hash. */
    static final int MOST_FIELDS = 12;

    private final List<String> keys;
    private final @Nullable Object[] values;

    /**
     * @param keys without duplicates
     * @param values as many; not copied
     */
    CompactObject(List<String> keys, @Nullable Object[] values) {
        this.keys = keys;
        this.values = values;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return position(key) >= 0;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        int position = position(key);
        return position < 0 ? null : values[position];
    }

    private int position(@Nullable Object key) {
        return key == null ? -1 : keys.indexOf(key);
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int position = 0; position < values.length; position++) {
            fields.put(keys.get(position), values[position]);
        }
        return Collections.unmodifiableMap(fields).entrySet();
    }
}
