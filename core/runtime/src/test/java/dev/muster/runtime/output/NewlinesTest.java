package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class NewlinesTest {

    @Test
    void findsTheFirstOneWhereverItStands() {
        for (int length = 0; length < 40; length++) {
            for (int at = 0; at < length; at++) {
                byte[] bytes = new byte[length];
                bytes[at] = '\n';
                assertThat(Newlines.first(bytes, 0, length)).isEqualTo(at);
                assertThat(Newlines.first(bytes, at, length)).isEqualTo(at);
                assertThat(Newlines.first(bytes, at + 1, length)).isEqualTo(-1);
                assertThat(Newlines.first(bytes, 0, at)).isEqualTo(-1);
                assertThat(Newlines.last(bytes, 0, length)).isEqualTo(at);
                assertThat(Newlines.last(bytes, 0, at)).isEqualTo(-1);
            }
        }
    }

    @Test
    void isNotMisledByAnyOtherByte() {
        Random random = new Random(7);
        byte[] bytes = new byte[10_000];
        random.nextBytes(bytes);
        int from = 0;
        for (int index = 0; index < bytes.length; index++) {
            if (bytes[index] == '\n') {
                assertThat(Newlines.first(bytes, from, bytes.length)).isEqualTo(index);
                from = index + 1;
            }
        }
        assertThat(Newlines.first(bytes, from, bytes.length)).isEqualTo(-1);
        assertThat(Newlines.last(bytes, 0, bytes.length)).isEqualTo(from - 1);
    }
}
