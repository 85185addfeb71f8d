package dev.muster.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What the fast parser reads of anything, it reads as the general one does. */
class FuzzedFlatParserTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void agree(String text) {
        Optional<Map<String, Object>> flat = FlatParser.read(bytes(text));
        flat.ifPresent(content -> {
            JsonReading general = AnyJson.read(bytes(text));
            assertThat(general).as(text).isInstanceOf(JsonReading.Complete.class);
            assertThat(JsonWriter.write(content))
                    .as(text)
                    .isEqualTo(JsonWriter.write(((JsonReading.Complete) general).content()));
            assertThat(content).as(text).isEqualTo(((JsonReading.Complete) general).content());
        });
    }

    @Property
    void agreesWithTheGeneralParserOnAnyTokens(@ForAll("tokens") List<String> tokens) {
        agree("{\"a\":" + String.join("", tokens) + "}");
    }

    @Property
    void agreesWithTheGeneralParserOnDamagedDocuments(
            @ForAll("documents") Map<String, Object> document, @ForAll int where, @ForAll char what) {
        String plain = JsonWriter.write(document);
        Optional<Map<String, Object>> read = FlatParser.read(bytes(plain));
        assertThat(read.isPresent()).as(plain).isEqualTo(!document.isEmpty());
        agree(plain);
        int at = Math.floorMod(where, plain.length());
        agree(plain.substring(0, at) + (char) (what % 128) + plain.substring(at + 1));
        agree(plain.substring(0, at) + plain.substring(at + 1));
        agree(plain.substring(0, at));
    }

    @Provide
    static Arbitrary<List<String>> tokens() {
        return Arbitraries.of(
                        "{",
                        "}",
                        "[",
                        "]",
                        ",",
                        ":",
                        "\"a\"",
                        "\"b\"",
                        "\"device_id\"",
                        " ",
                        "\n",
                        "0",
                        "7",
                        "12",
                        "-1",
                        "1.5",
                        "1e5",
                        "true",
                        "false",
                        "null",
                        "NaN",
                        "\"\"",
                        "\"\\u0041\"",
                        "\"ä\"",
                        "\\")
                .list()
                .ofMaxSize(12);
    }

    @Provide
    static Arbitrary<Map<String, Object>> documents() {
        return objects(Arbitraries.lazyOf(
                FuzzedFlatParserTest::leaves,
                FuzzedFlatParserTest::leaves,
                () -> Arbitraries.lazy(FuzzedFlatParserTest::documents).map(object -> object),
                () -> leaves().list().ofMaxSize(4).map(ArrayList::new)));
    }

    private static Arbitrary<Map<String, Object>> objects(Arbitrary<Object> values) {
        return Arbitraries.maps(Arbitraries.of("a", "b", "rank_id", "device_id", "device_ip"), values)
                .ofMaxSize(4);
    }

    private static Arbitrary<Object> leaves() {
        return Arbitraries.oneOf(
                Arbitraries.strings().withCharRange(' ', '!').ofMaxLength(40),
                Arbitraries.strings().numeric().ofMaxLength(4),
                Arbitraries.longs().between(0, 999_999_999_999_999_999L),
                Arbitraries.of(true, false));
    }
}
