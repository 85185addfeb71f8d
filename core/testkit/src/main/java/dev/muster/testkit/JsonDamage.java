package dev.muster.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Damages a JSON structure in one place: a value gone, doubled, or of another kind. */
final class JsonDamage {

    private static final List<@Nullable Object> STRANGERS = Arrays.asList(
            null, "", "x", "-1", "99999999999999999999", 7L, -7L, true, List.of(), Map.of(), List.of("x"), Double.NaN);

    private JsonDamage() {}

    static Map<String, Object> damage(Map<String, Object> content, RandomGenerator random) {
        Map<String, Object> copy = new LinkedHashMap<>(content);
        if (copy.isEmpty()) {
            return copy;
        }
        String key = new ArrayList<>(copy.keySet()).get(random.nextInt(copy.size()));
        if (random.nextInt(4) == 0) {
            copy.remove(key);
        } else {
            copy.put(key, damageValue(copy.get(key), random));
        }
        return copy;
    }

    private static @Nullable Object damageValue(@Nullable Object value, RandomGenerator random) {
        boolean here = random.nextInt(3) == 0;
        if (!here && value instanceof Map<?, ?> map && !map.isEmpty()) {
            return damage(asObject(map), random);
        }
        if (!here && value instanceof List<?> list && !list.isEmpty()) {
            List<@Nullable Object> copy = new ArrayList<>(list);
            int index = random.nextInt(copy.size());
            if (random.nextInt(4) == 0) {
                copy.add(copy.get(index));
            } else {
                copy.set(index, damageValue(copy.get(index), random));
            }
            return copy;
        }
        return STRANGERS.get(random.nextInt(STRANGERS.size()));
    }

    private static Map<String, Object> asObject(Map<?, ?> map) {
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, value) -> object.put(String.valueOf(key), value));
        return object;
    }
}
