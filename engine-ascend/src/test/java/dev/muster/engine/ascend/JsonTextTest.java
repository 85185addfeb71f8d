package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {

    @Test
    void everythingIsWrittenAsPythonDoes() {
        Map<String, Object> value =
                TestJson.object("{'b': [], 'a': {}, 'l': [1, -2, 1.50, true, false, null], 'o': {'k': [{}, 'v']}}");

        assertThat(JsonText.of(value))
                .isEqualTo("{\"b\": [], \"a\": {}, \"l\": [1, -2, 1.50, true, false, null],"
                        + " \"o\": {\"k\": [{}, \"v\"]}}");
    }

    @Test
    void textsAreAsciiOnly() {
        assertThat(JsonText.of("\"\\/\b\f\n\r\t\u0000\u001f ~\u007f\u00e4\u4e2d\uD83D\uDE00"))
                .isEqualTo("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f ~\\u007f\\u00e4\\u4e2d\\ud83d\\ude00\"");
    }

    @Test
    void numbersCanBeTexts() {
        assertThat(JsonText.withNumbersAsTexts(List.of(1, 2.5, true, "x"))).isEqualTo("[\"1\", \"2.5\", true, \"x\"]");
    }
}
