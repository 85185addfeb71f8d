package dev.muster.engine.ascend;

import dev.muster.runtime.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Reads JSON as the runtime does for engines. Single quotes may stand for double ones. */
final class TestJson {

    private TestJson() {}

    static Map<String, Object> object(String text) {
        return Json.readPython(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .orElseThrow(IllegalArgumentException::new);
    }
}
