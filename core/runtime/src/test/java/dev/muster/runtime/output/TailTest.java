package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The last part of a process's output that the launcher keeps. */
class TailTest {

    private final Tail tail = new Tail(64);

    @Test
    void keepsAllThatFits() {
        assertThat(tail.read()).isEqualTo("");
        print("one\n", "tw", "o\nthree");
        assertThat(tail.read()).isEqualTo("one\ntwo\nthree");
    }

    @Test
    void losesWholeLinesFromItsBeginning() {
        print("x".repeat(30) + "\n", "y".repeat(30) + "\n", "the end\n");
        assertThat(tail.read()).isEqualTo("y".repeat(30) + "\nthe end\n");
        print("z".repeat(200) + "\nlast of much\n");
        assertThat(tail.read()).isEqualTo("last of much\n");
    }

    @Test
    void theRestOfAWordWhoseBeginningIsGoneMayBeASecret() {
        print("secret".repeat(20) + " and more");
        assertThat(tail.read()).isEqualTo(" and more");
        print("\n" + "secret".repeat(20));
        // The verdict must not claim that the process printed nothing.
        assertThat(tail.read()).isEqualTo("(a word of more than 64 bytes)");
    }

    @Test
    void ofAProgressBarOnlyTheLastStateStays() {
        print("begin\n");
        for (int percent = 90; percent <= 100; percent++) {
            print("\r" + percent + "%");
        }
        assertThat(tail.read()).isEqualTo("begin\n100%");
        print("\r", "\n");
        assertThat(tail.read()).isEqualTo("begin\n100%\n");
        print("a\rb\rc\nd\r", "\r", "\ne\r");
        assertThat(tail.read()).endsWith("c\nd\ne");
        print("f");
        assertThat(tail.read()).endsWith("c\nd\nf");
    }

    @Test
    void aProgressBarThatIsTooLongHidesNothingOfTheLineAfterIt() {
        print("\r50% of much".repeat(9), "\r99%Traceback (most recent call last):\n", "ValueError: b\n");
        assertThat(tail.read()).isEqualTo("99%Traceback (most recent call last):\nValueError: b\n");
    }

    @Test
    void whatIsNoTextIsReplaced() {
        byte[] bytes = {'a', (byte) 0xff, 'b'};
        tail.append(bytes, 3);
        assertThat(tail.read()).isEqualTo("a\ufffdb");
    }

    @Test
    void howItIsCutIntoPiecesMakesNoDifference() {
        Random random = new Random(11);
        for (int round = 0; round < 2000; round++) {
            byte[] printed = random.ints(random.nextInt(150), 0, 12)
                    .mapToObj(number -> "abcdef \n\n\r".substring(Math.min(number, 9), Math.min(number, 9) + 1))
                    .collect(Collectors.joining())
                    .getBytes(StandardCharsets.UTF_8);
            Tail pieces = new Tail(64);
            Tail single = new Tail(64);
            for (int from = 0; from < printed.length; ) {
                int to = Math.min(printed.length, from + 1 + random.nextInt(40));
                pieces.append(Arrays.copyOfRange(printed, from, to), to - from);
                from = to;
            }
            for (byte each : printed) {
                single.append(new byte[] {each}, 1);
            }
            assertThat(pieces.read())
                    .as(new String(printed, StandardCharsets.UTF_8))
                    .isEqualTo(single.read());
        }
    }

    private void print(String... parts) {
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            tail.append(bytes, bytes.length);
        }
    }
}
