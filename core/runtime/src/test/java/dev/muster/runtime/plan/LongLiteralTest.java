package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.FileToWrite;
import dev.muster.spi.LongLiteral;
import dev.muster.spi.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A text of the SPI that stays bytes is a literal to all who do not know of it. */
class LongLiteralTest {

    private static final String TEXT = "{\"a\": [" + "1, ".repeat(50_000) + "1]}";

    private final Value value = value("<" + TEXT + ">", 1, TEXT.length());

    @Test
    void itsTextIsKnown() {
        assertThat(value).isInstanceOf(LongLiteral.class);
        assertThat(value.isKnown()).isTrue();
        assertThat(value.known()).contains(TEXT);
        assertThat(value.leaves()).isEqualTo(List.of(value));
        assertThat(new FileToWrite("table", Optional.empty(), "table.json", value).content())
                .isEqualTo(TEXT)
                .isSameAs(value.known().orElseThrow());
    }

    @Test
    void equalTextsAreEqual() {
        assertThat(value(TEXT, 0, TEXT.length())).isEqualTo(value).hasSameHashCodeAs(value);
        assertThat(value(TEXT, 0, TEXT.length() - 1)).isNotEqualTo(value);
    }

    @Test
    void aShortOneIsAsAnyOther() {
        assertThat(value("<1>", 1, 1)).isEqualTo(Value.of("1"));
    }

    private static Value value(String text, int start, int length) {
        return Value.of(text.getBytes(StandardCharsets.US_ASCII), start, length);
    }
}
