package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {

    private final LineReader reader = new LineReader(5);
    private final List<String> lines = new ArrayList<>();

    @Test
    void cutsWhateverComesIntoLines() {
        assertThat(read("ab")).isTrue();
        assertThat(read("c\n\nde")).isTrue();
        assertThat(read("\n12345\nf")).isTrue();

        assertThat(lines).containsExactly("abc", "", "de", "12345");
    }

    @Test
    void aLineThatIsTooLongIsSeenBeforeItEnds() {
        assertThat(read("a\n123456")).isFalse();
        assertThat(lines).containsExactly("a");
        LineReader other = new LineReader(5);
        assertThat(other.read(bytes("123"), line -> true)).isTrue();
        assertThat(other.read(bytes("456"), line -> true)).isFalse();
    }

    @Test
    void aListenerCanWantNoMore() {
        assertThat(reader.read(bytes("a\nb\n"), line -> {
                    lines.add(new String(line, StandardCharsets.UTF_8));
                    return false;
                }))
                .isFalse();
        assertThat(lines).containsExactly("a");
    }

    @Test
    void theLimitCanGrow() {
        reader.allow(6);

        assertThat(read("123456\n")).isTrue();
    }

    private boolean read(String text) {
        return reader.read(bytes(text), line -> lines.add(new String(line, StandardCharsets.UTF_8)));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
