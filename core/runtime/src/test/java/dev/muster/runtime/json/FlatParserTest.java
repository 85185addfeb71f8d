package dev.muster.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.PlainRows;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the fast parser reads, it reads as the general one does; what it does not understand, it leaves alone. */
class FlatParserTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void readsWhatMachinesWrite() {
        Optional<Map<String, Object>> read = FlatParser.read(bytes("""
                {"status": "completed", "count": 12, "yes": true, "no": false, "nothing": null, "none": [], "empty": {},
                 "list": [{"id": "0", "ip": "10.0.0.1"}, {"id": "1", "ip": "10.0.0.2"}, {"ip": "", "id": "100"}, {"id": "7"}]}
                """));

        assertThat(read).isPresent();
        assertThat(read.get().keySet())
                .containsExactly("status", "count", "yes", "no", "nothing", "none", "empty", "list");
        assertThat(read.get())
                .containsEntry("status", "completed")
                .containsEntry("count", 12L)
                .containsEntry("nothing", null)
                .containsEntry("none", List.of())
                .containsEntry("empty", Map.of())
                .containsEntry(
                        "list",
                        List.of(
                                Map.of("id", "0", "ip", "10.0.0.1"),
                                Map.of("id", "1", "ip", "10.0.0.2"),
                                Map.of("id", "100", "ip", ""),
                                Map.of("id", "7")));
        assertThat(read.get().get("missing")).isNull();
        assertThat(read.get().containsKey("nothing")).isTrue();
    }

    @Test
    void arraysAreReadInPlace() {
        Optional<Map<String, Object>> read = FlatParser.read(bytes("""
                {"list": [{"id": "0", "ip": "10.0.0.1"}, {"id": 1, "ip": ""}, {"ip": "10.0.0.2", "id": "2"}, [], {}, "x",
                 {"id": "1234567890123456789012345678901", "ip": "123456789012345678901234567890"}],
                 "other": ["x", {"id": "0"}], "none": []}
                """));
        PlainRows rows = rows(read.orElseThrow(), "list");

        assertThat(List.of(rows.column("id"), rows.column("ip"), rows.column("x")))
                .containsExactly(0, 1, PlainRows.NONE);
        assertThat(List.of(text(rows, 0, 0), text(rows, 0, 1))).containsExactly("0", "10.0.0.1");
        assertThat(List.of(text(rows, 1, 0), text(rows, 1, 1))).containsExactly("none", "");
        for (int row = 2; row < 6; row++) {
            assertThat(rows.place(row, 0)).isEqualTo(PlainRows.NONE);
        }
        assertThat(List.of(text(rows, 6, 0), text(rows, 6, 1)))
                .containsExactly("none", "123456789012345678901234567890");
        assertThat(rows(read.get(), "other").column("id")).isEqualTo(PlainRows.NONE);
        assertThat(read.get()).containsEntry("none", List.of());
    }

    private static PlainRows rows(Map<String, Object> content, String key) {
        return (PlainRows) Objects.requireNonNull(content.get(key));
    }

    private static String text(PlainRows rows, int row, int column) {
        int place = rows.place(row, column);
        return place == PlainRows.NONE
                ? "none"
                : new String(rows.bytes(), place, rows.length(row, column), StandardCharsets.US_ASCII);
    }

    @Test
    void leavesAllElseToTheOther() {
        for (String other : List.of(
                "",
                " ",
                "[]",
                "{}",
                "{} x",
                "{\"a\":1",
                "{\"a\":1}}",
                "{\"a\":01}",
                "{\"a\":-1}",
                "{\"a\":1.0}",
                "{\"a\":tru}",
                "{\"a\":\"\\n\"}",
                "{\"a\":\"ä\"}",
                "{\"a\":1,}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":[1,]}",
                "{a:1}",
                "{\"a\" 1}",
                "{\"a\":\"b",
                "{\"a\":\"\t\"}",
                "{\"a\":1}\0",
                "\ufeff{\"a\":1}",
                "{\"a\":1234567890123456789}",
                "{\"a\":nul",
                "{\"a\":" + "[".repeat(70) + "]".repeat(70) + "}",
                "{\"a\":\"" + "x".repeat(65_537) + "\"}")) {
            assertThat(FlatParser.read(bytes(other))).as(other).isEmpty();
        }
    }

    @Test
    void isFoundOutToHaveALongText() {
        for (int length : List.of(0, 1, 2, 3, 30, 31, 32, 65_536)) {
            String text = "x".repeat(length);
            assertThat(FlatParser.read(bytes("{\"a\": \"" + text + "\"}"))).contains(Map.of("a", text));
        }
    }
}
