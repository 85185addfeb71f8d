package dev.muster.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @Test
    void readsEveryKindOfValue() {
        Map<String, Object> content = complete("""
                {"text": "ä\\n", "whole": 7, "big": 12345678901234567890, "other": 1.50, "yes": true, "no": false,
                 "nothing": null, "object": {"x": {}}, "array": [1, "2", []]}""");

        assertThat(content)
                .containsEntry("text", "ä\n")
                .containsEntry("whole", 7L)
                .containsEntry("big", new BigInteger("12345678901234567890"))
                .containsEntry("other", new BigDecimal("1.50"))
                .containsEntry("yes", true)
                .containsEntry("no", false)
                .containsEntry("nothing", null)
                .containsEntry("object", Map.of("x", Map.of()))
                .containsEntry("array", List.of(1L, "2", List.of()));
    }

    @Test
    void keepsTheOrderOfTheFile() {
        assertThat(complete("{\"z\":1,\"a\":2,\"m\":3,\"b\":4,\"y\":5}").keySet())
                .containsExactly("z", "a", "m", "b", "y");
    }

    @Test
    void givesNothingThatCanBeChanged() {
        Map<String, Object> content = complete("{\"list\":[1],\"map\":{}}");

        assertThatThrownBy(content::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(((List<?>) Objects.requireNonNull(content.get("list")))::clear)
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void takesAByteOrderMark() {
        assertThat(complete("\uFEFF{\"a\":1}")).containsEntry("a", 1L);
    }

    @Test
    void takesNumbersThatAreNoneSoThatEnginesCanRefuseThem() {
        Map<String, Object> content = complete("{\"a\":NaN,\"b\":Infinity,\"c\":-Infinity}");

        assertThat(content)
                .containsEntry("a", Double.NaN)
                .containsEntry("b", Double.POSITIVE_INFINITY)
                .containsEntry("c", Double.NEGATIVE_INFINITY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n"})
    void nothingAtAllIsIncomplete(String text) {
        assertThat(incomplete(text)).isEqualTo("is empty");
    }

    @Test
    void everyBeginningIsIncomplete() {
        String text = "\n{\"status\": \"completed\", \"ä\": [1.5e3, true, null, {\"x\": \"\\u00e9日\"}]}";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

        for (int length = 0; length < bytes.length; length++) {
            assertThat(Json.read(Arrays.copyOf(bytes, length))).isInstanceOf(JsonReading.Incomplete.class);
        }
        assertThat(Json.read(bytes)).isInstanceOf(JsonReading.Complete.class);
    }

    @Test
    void saysWhereAFileIsCutOff() {
        assertThat(incomplete("{\n \"a\": [1,")).isEqualTo("is cut off at line 2, column 10");
    }

    @Test
    void aCharacterCutOffAtTheEndIsIncomplete() {
        byte[] bytes = "{\"a\":\"日".getBytes(StandardCharsets.UTF_8);

        JsonReading reading = Json.read(Arrays.copyOf(bytes, bytes.length - 1));

        assertThat(reading).isEqualTo(new JsonReading.Incomplete("is cut off at line 1, column 9"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{,}",
                "{\"a\" 1}",
                "{'a':1}",
                "{\"a\":1}}",
                "{\"a\":1} x",
                "{\"a\":1}{",
                "{\"a\":01}",
                "{a:1}",
                "]",
                "nul"
            })
    void whatIsNoJsonMayStillBecomeSome(String text) {
        assertThat(incomplete(text)).contains("at line 1, column ");
    }

    @Test
    void moreTextAfterTheObjectIsIncomplete() {
        assertThat(incomplete("{\"a\":1}\n {}")).isEqualTo("has more text after its end, at line 2, column 2");
    }

    @Test
    void refusesAKeyThatOccursTwice() {
        assertThat(wrong("{\"list\":[{},\n {\"id\":1,\"id\":2}]}"))
                .isEqualTo("has the key \"id\" twice, at /list/1/id (line 2, column 10)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{\"a\":1}]", "\"x\"", "1", "1.5", "true", "null", "[[]]"})
    void refusesEverythingButAnObject(String text) {
        assertThat(wrong(text)).startsWith("holds ").contains("expected an object in braces");
    }

    @Test
    void takesSixtyFourLevelsAndNoMore() {
        assertThat(Json.read(bytes(nested(64)))).isInstanceOf(JsonReading.Complete.class);
        assertThat(wrong(nested(65)))
                .startsWith("is beyond a limit at line 1, column ")
                .endsWith("(65) exceeds the maximum allowed (64)");
    }

    @Test
    void survivesSixteenMegabytesOfBrackets() {
        assertThat(wrong("{\"a\":" + "[".repeat(Json.LIMIT / 2 - 5))).contains("exceeds the maximum allowed (64)");
    }

    @Test
    void limitsTextsAndKeysAndNumbers() {
        String longest = "x".repeat(64 * 1024);

        assertThat(complete("{\"a\":\"" + longest + "\"}")).containsEntry("a", longest);
        assertThat(wrong("{\"a\":\"" + longest + "x\"}"))
                .isEqualTo(
                        "is beyond a limit at line 1, column 65545: String value length (65537) exceeds the maximum allowed (65536)");
        assertThat(wrong("{\"" + longest + "x\":1}"))
                .contains("Name length (65537) exceeds the maximum allowed (65536)")
                .hasSizeLessThan(400);
        assertThat(wrong("{\"a\":" + "1".repeat(1001) + "}"))
                .contains("Number value length (1001) exceeds the maximum allowed (1000)");
    }

    @Test
    void refusesWhatIsNotUtf8AndSaysWhere() {
        byte[] latin1 = "{\"a\":\"\u00e4\"}".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(Json.read(latin1)).isEqualTo(new JsonReading.Wrong("is not UTF-8 at line 1, column 9"));
    }

    @Test
    void takesEveryCharacterThereIs() {
        StringBuilder text = new StringBuilder();
        for (int character = 0x80; character <= Character.MAX_CODE_POINT; character += 97) {
            if (character < 0xD800 || character > 0xDFFF) {
                text.appendCodePoint(character);
            }
        }
        String all = text.substring(0, 20_000);

        assertThat(complete("{\"a\":\"" + all + "\"}")).containsEntry("a", all);
    }

    @Test
    void aHoleInAFileIsIncomplete() {
        assertThat(Json.read(new byte[4096])).isInstanceOf(JsonReading.Incomplete.class);
    }

    @Test
    void refusesFilesThatAreTooBig() {
        assertThat(Json.read(new byte[Json.LIMIT + 1]))
                .isEqualTo(new JsonReading.Wrong("is 33 MB; the limit is 32 MB"));
    }

    @Test
    void keepsForeignTextHarmless() {
        assertThat(wrong("{\"\\u001b[2J\":1,\"\\u001b[2J\":2}"))
                .contains("\"\\u001b[2J\"")
                .doesNotContain("\u001b");
    }

    @Test
    void readsAHundredThousandDevices() {
        StringBuilder table = new StringBuilder("{\"status\":\"completed\",\"device\":[");
        for (int rank = 0; rank < 100_000; rank++) {
            table.append(rank == 0 ? "" : ",")
                    .append("{\"device_id\":\"")
                    .append(rank % 8)
                    .append("\",\"device_ip\":\"192.")
                    .append(rank >> 16)
                    .append('.')
                    .append(rank >> 8 & 255)
                    .append('.')
                    .append(rank & 255)
                    .append("\",\"rank_id\":\"")
                    .append(rank)
                    .append("\"}");
        }

        Map<String, Object> content = complete(table.append("]}").toString());

        List<?> devices = (List<?>) content.get("device");
        assertThat(devices).hasSize(100_000);
        assertThat(devices.get(99_999))
                .isEqualTo(Map.of("device_id", "7", "device_ip", "192.1.134.159", "rank_id", "99999"));
    }

    private static String nested(int levels) {
        return "{\"a\":".repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
    }

    private static Map<String, Object> complete(String text) {
        JsonReading reading = Json.read(bytes(text));
        assertThat(reading).isInstanceOf(JsonReading.Complete.class);
        return ((JsonReading.Complete) reading).content();
    }

    private static String incomplete(String text) {
        JsonReading reading = Json.read(bytes(text));
        assertThat(reading).isInstanceOf(JsonReading.Incomplete.class);
        return ((JsonReading.Incomplete) reading).reason();
    }

    private static String wrong(String text) {
        JsonReading reading = Json.read(bytes(text));
        assertThat(reading).isInstanceOf(JsonReading.Wrong.class);
        return ((JsonReading.Wrong) reading).reason();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
