package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineFormatterTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Console console = Console.onto(out, new ByteArrayOutputStream());
    private final LineFormatter first = new LineFormatter("[0] ", console, null);
    private final LineFormatter second = new LineFormatter("[1] ", console, null);

    @Test
    void everyLineGetsThePrefix() {
        print(first, "a\nb\n\nc\n");

        assertThat(shown()).isEqualTo("[0] a\n[0] b\n[0] \n[0] c\n");
    }

    @Test
    void aLineThatComesInPiecesIsOneLine() {
        print(first, "ab");
        print(second, "x\n");
        print(first, "cd");
        print(first, "ef\ngh\n");

        assertThat(shown()).isEqualTo("[1] x\n[0] abcdef\n[0] gh\n");
    }

    @Test
    void anUnfinishedLineThatWasShownIsContinued() {
        print(first, "abc");
        first.showPartial();
        print(first, "def");
        first.showPartial();
        print(first, "ghi\nnext\n");

        assertThat(shown()).isEqualTo("[0] abcdefghi\n[0] next\n");
    }

    @Test
    void ifAnotherProcessPrintsMeanwhileTheRestStartsALineOfItsOwn() {
        print(first, "abc");
        first.showPartial();
        print(second, "x\n");
        print(first, "def\nnext\n");

        assertThat(shown()).isEqualTo("[0] abc\n[1] x\n[0] def\n[0] next\n");
    }

    @Test
    void anEndThatComesAfterAnotherProcessPrintedMakesNoEmptyLine() {
        print(first, "abc");
        first.showPartial();
        print(second, "x\n");
        print(first, "\n");
        print(first, "next\n");

        assertThat(shown()).isEqualTo("[0] abc\n[1] x\n[0] next\n");
    }

    @Test
    void anEndThatComesInAnotherProcessesLineLeavesThatOpen() {
        print(first, "abc");
        first.showPartial();
        print(second, "x");
        second.showPartial();
        print(first, "\n");
        print(second, "\n");
        print(first, "next\n");

        assertThat(shown()).isEqualTo("[0] abc\n[1] x\n[0] next\n");
    }

    @Test
    void theLastLineNeedsNoEnd() {
        print(first, "a\nb");
        first.finish();

        assertThat(shown()).isEqualTo("[0] a\n[0] b");
    }

    @Test
    void aLineEndOfTwoBytesThatComesInPiecesStaysTogether() {
        print(first, "abc\r");
        first.showPartial();
        print(first, "\nnext\r\n");

        assertThat(shown()).isEqualTo("[0] abc\r\n[0] next\r\n");
    }

    @Test
    void aLineOfTheLargestLengthIsNotSplit() {
        String line = "x".repeat(LineFormatter.LINE_LIMIT);
        print(first, line);
        print(first, "\nnext\n");

        assertThat(shown()).isEqualTo("[0] " + line + "\n[0] next\n");
    }

    @Test
    void aLongerLineGoesOverSeveralLines() {
        String piece = "x".repeat(LineFormatter.LINE_LIMIT);
        print(first, piece);
        print(first, piece);
        print(first, "yz\n");

        assertThat(shown()).isEqualTo("[0] " + piece + "\n[0] " + piece + "yz\n");
    }

    @Test
    void ofAProgressBarTheLatestStateIsShown() {
        print(first, "10%\r20%\r30%\r");
        first.showPartial();
        print(first, "40%\r50%\r60%");
        first.showPartial();
        print(first, "\r90%\r100%\ndone\n");

        assertThat(shown()).isEqualTo("[0] 30%\r[0] 60%\r[0] 100%\n[0] done\n");
    }

    @Test
    void aWholeLineWithReturnsPassesUnchanged() {
        print(first, "a\rb\rc\n");

        assertThat(shown()).isEqualTo("[0] a\rb\rc\n");
    }

    @Test
    void anEndlessProgressBarTakesNoSpace() {
        for (int round = 0; round < 100; round++) {
            print(first, "12345678\r".repeat(1000));
        }
        first.finish();

        assertThat(shown().length()).isLessThan(100_000);
    }

    @Test
    void linesAreWholeHoweverTheyArrive() {
        Random random = new Random(1);
        StringBuilder[] left = {text("a", 2000, random), text("b", 2000, random)};
        List<String> expected = new ArrayList<>();
        for (int process = 0; process < 2; process++) {
            for (String line : left[process].toString().lines().toList()) {
                expected.add("[" + process + "] " + line);
            }
        }
        while (left[0].length() + left[1].length() > 0) {
            int process = random.nextInt(2);
            int count = Math.min(left[process].length(), random.nextInt(1000));
            print(process == 0 ? first : second, left[process].substring(0, count));
            left[process].delete(0, count);
        }

        assertThat(shown().lines().toList()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static StringBuilder text(String letter, int lines, Random random) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < lines; line++) {
            text.append(line).append(letter.repeat(random.nextInt(200))).append('\n');
        }
        return text;
    }

    private static void print(LineFormatter process, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        process.accept(bytes, bytes.length);
    }

    private String shown() {
        console.close();
        return out.toString(StandardCharsets.UTF_8);
    }
}
