package dev.muster.testkit;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Damages the value of an input in one place: like a half-written file, an edited file, or a file of another version. */
record InputDamage(RandomGenerator random) {

    private static final List<String> ODD_TEXTS =
            List.of("", "\0", "\n\n", "x", "-1", "99999999999999999999", "\u00e4\u20ac", "= : ;", "  \t", "#");
    /** Texts that correct programs and files may contain. */
    private static final List<String> TEXTS =
            List.of("1.2.3\n", "node-0 slots=8\nnode-1 slots=8\n", "NAME=value\0OTHER=\0", "tool 2.0 (build 7)\n", "");

    /** Values that replace a value of JSON. */
    private static final List<@Nullable Object> ODD_VALUES = Arrays.asList(
            null, "", "x", "-1", "99999999999999999999", 7L, -7L, true, List.of(), Map.of(), List.of("x"), Double.NaN);

    private static final int[] CODES = {0, 0, 0, 0, 1, 2, 124, 126, 127, 137, 255};

    /** The damaged value; empty: the input is missing, which can happen to each input that is not required. */
    Optional<InputValue> damage(Input input, Optional<InputValue> value) {
        boolean isGone = random.nextInt(4) == 0;
        if (value.orElse(null) instanceof InputValue.Json json) {
            boolean isOptional = input instanceof Input.JsonFile file && !file.isRequired();
            return isGone && isOptional
                    ? Optional.empty()
                    : Optional.of(new InputValue.Json(json.path(), damaged(json.content())));
        }
        if (input instanceof Input.CommandOutput) {
            return Optional.of(new InputValue.CommandOutput(CODES[random.nextInt(CODES.length)], text()));
        }
        if (input instanceof Input.Listing listing) {
            return Optional.of(new InputValue.Text(listing.path(), text()));
        }
        if (input instanceof Input.TextFile file) {
            return isGone ? Optional.empty() : Optional.of(new InputValue.Text(file.path(), text()));
        }
        return isGone ? Optional.empty() : value;
    }

    private String text() {
        String text = TEXTS.get(random.nextInt(TEXTS.size()));
        return random.nextBoolean() ? text : damaged(text);
    }

    /** The text with a strange text inserted, or cut off with a strange text at the end. */
    private String damaged(String text) {
        int at = random.nextInt(text.length() + 1);
        String rest = random.nextBoolean() ? text.substring(at) : "";
        return text.substring(0, at) + ODD_TEXTS.get(random.nextInt(ODD_TEXTS.size())) + rest;
    }

    /** An object with one value removed, doubled, or of another type. */
    private Map<String, Object> damaged(Map<String, Object> content) {
        Map<String, Object> copy = new LinkedHashMap<>(content);
        if (copy.isEmpty()) {
            return copy;
        }
        String key = new ArrayList<>(copy.keySet()).get(random.nextInt(copy.size()));
        if (random.nextInt(4) == 0) {
            copy.remove(key);
        } else {
            copy.put(key, damagedValue(copy.get(key)));
        }
        return copy;
    }

    private @Nullable Object damagedValue(@Nullable Object value) {
        boolean here = random.nextInt(3) == 0;
        if (!here && value instanceof Map<?, ?> map && !map.isEmpty()) {
            return damaged(asObject(map));
        }
        if (!here && value instanceof List<?> list && !list.isEmpty()) {
            List<@Nullable Object> copy = new ArrayList<>(list);
            int index = random.nextInt(copy.size());
            if (random.nextInt(4) == 0) {
                copy.add(copy.get(index));
            } else {
                copy.set(index, damagedValue(copy.get(index)));
            }
            return copy;
        }
        return ODD_VALUES.get(random.nextInt(ODD_VALUES.size()));
    }

    private static Map<String, Object> asObject(Map<?, ?> map) {
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, value) -> object.put(String.valueOf(key), value));
        return object;
    }
}
