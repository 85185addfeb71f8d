package dev.muster.engine.ascend;

import dev.muster.runtime.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads JSON as the runtime does for engines. Single quotes are allowed instead of double quotes. */
final class TestJson {

    private TestJson() {}

    /** An object whose keys keep this order: {@code of("key", value, ...)}. */
    static Map<String, Object> of(Object... keysAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            object.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return object;
    }

    static Map<String, Object> object(String text) {
        return Json.readPython(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .orElseThrow(IllegalArgumentException::new);
    }
}
