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

class JsonReaderTest {

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
        assertThatThrownBy(((Map<?, ?>) Objects.requireNonNull(content.get("map")))::clear)
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

    @Test
    void doesNotSpreadOutHugeExponents() {
        Map<String, Object> content =
                complete("{\"a\":1e999999999,\"b\":1e99999999999,\"c\":-1e99999999999,\"d\":1e-99999999999}");

        assertThat(content)
                .containsEntry("a", new BigDecimal("1e999999999"))
                .containsEntry("b", Double.POSITIVE_INFINITY)
                .containsEntry("c", Double.NEGATIVE_INFINITY)
                .containsEntry("d", 0.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "\uFEFF"})
    void nothingAtAllIsIncomplete(String text) {
        assertThat(incomplete(text)).isEqualTo("is empty");
    }

    @Test
    void everyBeginningIsIncomplete() {
        String text = "\n{\"status\": \"completed\", \"ä\": [1.5e3, true, null, {\"x\": \"\\u00e9日\"}]}";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

        for (int length = 0; length < bytes.length; length++) {
            assertThat(JsonReader.read(Arrays.copyOf(bytes, length))).isInstanceOf(JsonReading.Incomplete.class);
        }
        assertThat(JsonReader.read(bytes)).isInstanceOf(JsonReading.Complete.class);
    }

    @Test
    void saysWhereAFileIsCutOff() {
        assertThat(incomplete("{\n \"a\": [1,")).isEqualTo("is cut off at line 2, column 10");
    }

    @Test
    void aCharacterCutOffAtTheEndIsIncomplete() {
        byte[] bytes = "{\"a\":\"日".getBytes(StandardCharsets.UTF_8);

        JsonReading reading = JsonReader.read(Arrays.copyOf(bytes, bytes.length - 1));

        assertThat(reading)
                .isEqualTo(new JsonReading.Incomplete("is cut off within a character at its end, at byte 6"));
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

    @Test
    void tellsAboutMistakesOnlyWhenTheFileIsWhole() {
        assertThat(incomplete("{\"a\":1,\"a\":2,")).startsWith("is cut off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{\"a\":1}]", "\"x\"", "1", "1.5", "true", "null", "[[]]"})
    void refusesEverythingButAnObject(String text) {
        assertThat(wrong(text)).startsWith("holds ").contains("expected an object in braces");
    }

    @Test
    void anArrayThatIsCutOffIsIncomplete() {
        assertThat(incomplete("[{\"a\":")).startsWith("is cut off");
    }

    @Test
    void takesSixtyFourLevelsAndNoMore() {
        assertThat(JsonReader.read(bytes(nested(64)))).isInstanceOf(JsonReading.Complete.class);
        assertThat(wrong(nested(65))).startsWith("is nested deeper than 64 levels at line 1, column ");
    }

    @Test
    void survivesSixteenMegabytesOfBrackets() {
        assertThat(wrong("[".repeat(JsonReader.LIMIT))).startsWith("is nested deeper than 64 levels");
    }

    @Test
    void limitsTextsAndKeysAndNumbers() {
        String longest = "x".repeat(64 * 1024);

        assertThat(complete("{\"a\":\"" + longest + "\"}")).containsEntry("a", longest);
        assertThat(wrong("{\"a\":\"" + longest + "x\"}"))
                .isEqualTo("holds a text of 65537 characters, the limit is 65536, at /a (line 1, column 6)");
        assertThat(wrong("{\"" + longest + "x\":1}"))
                .startsWith("holds a key of 65537 characters")
                .hasSizeLessThan(400);
        assertThat(wrong("{\"a\":" + "1".repeat(1001) + "}"))
                .startsWith("holds a number of 1001 digits, the limit is 1000, at /a");
        assertThat(wrong("{\"a\":1." + "1".repeat(2_000_000) + "}")).startsWith("holds a number of 2000002 digits");
    }

    @Test
    void refusesWhatIsNotUtf8AndSaysWhere() {
        byte[] latin1 = "{\"a\":\"\u00e4\"}".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(JsonReader.read(latin1)).isEqualTo(new JsonReading.Wrong("is not UTF-8 at byte 6"));
    }

    @Test
    void refusesEveryMalformedSequence() {
        int[][] sequences = {
            {0x80},
            {0xC0, 0x80},
            {0xE0, 0x80, 0x80},
            {0xED, 0xA0, 0x80},
            {0xF0, 0x80, 0x80, 0x80},
            {0xF4, 0x90, 0x80, 0x80},
            {0xF8, 0x88, 0x80, 0x80},
            {0xFF},
            {0xC3, 0x28},
            {0xE2, 0x82, 0x28}
        };
        for (int[] sequence : sequences) {
            byte[] bytes = bytes("{\"a\":\"    \"}");
            for (int at = 0; at < sequence.length; at++) {
                bytes[6 + at] = (byte) sequence[at];
            }
            assertThat(JsonReader.read(bytes)).isEqualTo(new JsonReading.Wrong("is not UTF-8 at byte 6"));
        }
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
    void refusesWiderEncodings() {
        for (String encoding : List.of("UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")) {
            JsonReading reading = JsonReader.read("{\"a\":1}".getBytes(java.nio.charset.Charset.forName(encoding)));

            assertThat(reading).as(encoding).isInstanceOf(JsonReading.Wrong.class);
        }
    }

    @Test
    void aHoleInAFileIsIncomplete() {
        assertThat(JsonReader.read(new byte[4096])).isInstanceOf(JsonReading.Incomplete.class);
    }

    @Test
    void refusesFilesThatAreTooBig() {
        assertThat(JsonReader.read(new byte[JsonReader.LIMIT + 1]))
                .isEqualTo(new JsonReading.Wrong("is 17 MB; the limit is 16 MB"));
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
        JsonReading reading = JsonReader.read(bytes(text));
        assertThat(reading).isInstanceOf(JsonReading.Complete.class);
        return ((JsonReading.Complete) reading).content();
    }

    private static String incomplete(String text) {
        JsonReading reading = JsonReader.read(bytes(text));
        assertThat(reading).isInstanceOf(JsonReading.Incomplete.class);
        return ((JsonReading.Incomplete) reading).reason();
    }

    private static String wrong(String text) {
        JsonReading reading = JsonReader.read(bytes(text));
        assertThat(reading).isInstanceOf(JsonReading.Wrong.class);
        return ((JsonReading.Wrong) reading).reason();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
