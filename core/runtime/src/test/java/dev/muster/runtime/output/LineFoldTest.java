package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineFoldTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Console console = Console.onto(out, new ByteArrayOutputStream());
    private final List<FoldedLines> ranks = new ArrayList<>();
    private long now;
    private final LineFold fold = new LineFold(console, null, () -> now);

    private void ranks(int count) {
        for (int rank = 0; rank < count; rank++) {
            start(rank);
        }
        timePasses();
    }

    private void start(int rank) {
        String prefix = "[rank " + rank + "] ";
        ranks.add(new FoldedLines(fold, rank, prefix, new LineFormatter(prefix, console, null)));
    }

    private void print(int rank, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ranks.get(rank).accept(bytes, bytes.length);
    }

    private String shown() {
        console.close();
        return out.toString(StandardCharsets.UTF_8);
    }

    private void timePasses() {
        now += Duration.ofSeconds(1).toNanos();
        fold.showDue();
    }

    @Test
    void aLineOfAllRanksIsShownOnceAtOnce() {
        ranks(3);
        print(2, "a\n\n");
        print(0, "a\n");
        print(1, "a\n\n");
        print(0, "\n");

        assertThat(fold.due()).isEmpty();
        assertThat(shown()).isEqualTo("[ranks 0-2] a\n[ranks 0-2] \n");
    }

    @Test
    void aLineWaitsForRanksThatAreStartedYet() {
        start(0);
        print(0, "a\n");
        ranks.get(0).finish();
        start(1);
        print(1, "a\n");
        timePasses();

        assertThat(shown()).isEqualTo("[ranks 0-1] a\n");
    }

    @Test
    void aLineOfSomeWaitsForTheOthersForAWhile() {
        ranks(4);
        print(3, "a\n");
        print(1, "a\n");
        print(0, "b\n");
        assertThat(fold.due()).isPresent();
        timePasses();
        print(2, "a\n");
        timePasses();

        assertThat(shown()).isEqualTo("[ranks 1,3] a\n[rank 0] b\n[rank 2] a\n");
    }

    @Test
    void theLinesOfEachRankStayInTheirOrder() {
        ranks(2);
        print(0, "a\nb\na\n");
        print(1, "b\na\nb\n");
        timePasses();

        assertThat(shown()).isEqualTo("[rank 0] a\n[ranks 0-1] b\n[ranks 0-1] a\n[rank 1] b\n");
    }

    @Test
    void aLineOfOneRankAloneDoesNotKeepTheNextOnesApart() {
        ranks(2);
        print(0, "loss 1\nsaved\n");
        print(1, "loss 2\nsaved\n");
        timePasses();

        assertThat(shown()).isEqualTo("[rank 0] loss 1\n[rank 1] loss 2\n[ranks 0-1] saved\n");
    }

    @Test
    void nobodyWaitsForARankThatHasEnded() {
        ranks(3);
        print(0, "a\nlast");
        ranks.get(2).finish();
        print(1, "a\n");
        ranks.get(1).finish();
        ranks.get(0).finish();

        assertThat(shown()).isEqualTo("[ranks 0-1] a\n[rank 0] last\n");
    }

    @Test
    void aLineWithoutAnEndIsShownByItselfBehindTheOthers() {
        ranks(2);
        print(0, "a\n");
        print(1, "name? ");
        assertThat(ranks.get(1).hasPartial()).isTrue();
        ranks.get(1).showPartial();
        print(1, "me\na\n");
        print(0, "a\n");

        assertThat(shown()).isEqualTo("[rank 0] a\n[rank 1] name? me\n[ranks 0-1] a\n");
    }

    @Test
    void aLineThatIsTooLongIsShownInPieces() {
        ranks(1);
        String half = "x".repeat(LineFormatter.LINE_LIMIT - 1);
        print(0, half);
        print(0, half);
        print(0, "\nend\n");

        assertThat(shown().replace("\n", "").replace("[rank 0] ", "")).isEqualTo(half + half + "end");
    }

    @Test
    void aFloodDoesNotWait() {
        ranks(2);
        for (int line = 0; line < 1000; line++) {
            print(0, line + "\n");
        }

        assertThat(shown().lines()).hasSizeGreaterThan(400).startsWith("[rank 0] 0");
    }
}
