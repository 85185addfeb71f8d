package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Printable;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class ByteTextTest {

    @Property(tries = 500)
    void anyBytesComeBack(@ForAll byte[] bytes) {
        assertThat(ByteText.encode(ByteText.decode(bytes))).isEqualTo(bytes);
    }

    @Example
    void whatIsTextIsRead() {
        byte[] bytes = "größe \ud83d\ude00".getBytes(StandardCharsets.UTF_8);

        assertThat(ByteText.decode(bytes)).isEqualTo("größe \ud83d\ude00");
    }

    @Example
    void whatIsNoneIsShownAsSuch() {
        String text = ByteText.decode(new byte[] {'a', (byte) 0xff, (byte) 0xf0, (byte) 0x9f});

        assertThat(ByteText.isPlain(text)).isFalse();
        assertThat(Printable.escape(text)).isEqualTo("a\\udcff\\udcf0\\udc9f");
        assertThat(Json.line(text)).isEqualTo("\"a\\udcff\\udcf0\\udc9f\"");
    }
}
