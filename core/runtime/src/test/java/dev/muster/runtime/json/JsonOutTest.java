package dev.muster.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonOutTest {

    @Test
    void aLineHoldsNoSpaceAndNoEnd() {
        Map<String, Object> outer = new LinkedHashMap<>();
        outer.put("b", List.of(1L, "x y", Map.of()));
        outer.put("a", Map.of("text", "1\n2"));

        assertThat(Json.line(outer)).isEqualTo("{\"b\":[1,\"x y\",{}],\"a\":{\"text\":\"1\\n2\"}}");
    }

    @Test
    void indentsByTwoSpacesAndKeepsTheOrder() {
        Map<String, Object> inner = new LinkedHashMap<>();
        inner.put("z", 1L);
        inner.put("a", List.of(true, "x"));
        Map<String, Object> outer = new LinkedHashMap<>();
        outer.put("inner", inner);
        outer.put("none", Collections.singletonMap("value", null));
        outer.put("empty", List.of(Map.of(), List.of()));

        assertThat(Json.indented(outer)).isEqualTo("""
                        {
                          "inner": {
                            "z": 1,
                            "a": [
                              true,
                              "x"
                            ]
                          },
                          "none": {
                            "value": null
                          },
                          "empty": [
                            {},
                            []
                          ]
                        }
                        """);
    }

    @Test
    void escapesWhatNeedsEscaping() {
        assertThat(Json.indented("\"\\\n\r\t\u0000\u001b\u007f\u009fä日🚀"))
                .isEqualTo("\"\\\"\\\\\\n\\r\\t\\u0000\\u001B\\u007F\\u009fä日🚀\"\n");
    }

    @Test
    void writesNumbersAsTheyAre() {
        assertThat(Json.indented(List.of(-1, 1.5, new BigDecimal("1e999999999"), Double.NaN)))
                .isEqualTo("[\n  -1,\n  1.5,\n  1E+999999999,\n  \"NaN\"\n]\n");
    }

    @Test
    void refusesWhatHasNoJson() {
        assertThatThrownBy(() -> Json.indented(Arrays.asList("a", new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Object");
    }

    @Test
    void writesWhatTheReaderReads() {
        String text = "{\n  \"a\": [\n    1,\n    2.50,\n    null,\n    \"\\u0007 ä\"\n  ],\n  \"b\": {}\n}\n";

        JsonReading reading = Json.read(text);

        assertThat(Json.indented(((JsonReading.Complete) reading).content())).isEqualTo(text);
    }

    @Test
    void writesNothingWhereTheFirstElementRefuses() {
        IllegalStateException refusal = new IllegalStateException("no");
        List<Object> lazy = new AbstractList<>() {

            @Override
            public Object get(int index) {
                throw refusal;
            }

            @Override
            public int size() {
                return 1;
            }
        };
        StringBuilder out = new StringBuilder();

        assertThatThrownBy(() -> Json.write(Map.of("nodes", lazy), out::append)).isSameAs(refusal);
        assertThat(out).isEmpty();
    }
}
