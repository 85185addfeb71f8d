package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenLinesTest {

    private static final long START = 1_000_000_000_000L;
    private static final long MILLISECOND = 1_000_000;

    private final OpenLines<Line> lines = new OpenLines<>(START);
    private final Line first = new Line();
    private final Line second = new Line();

    @Test
    void aPromptIsShownSoonWhenNobodyElsePrints() {
        hold(first, 0);

        assertThat(lines.due(at(99))).isEmpty();
        assertThat(lines.due(at(100))).containsExactly(first);
    }

    @Test
    void whileOthersPrintALineIsGivenTime() {
        hold(first, 0);
        end(second, 60);

        assertThat(lines.due(at(159))).isEmpty();
        assertThat(lines.due(at(160))).containsExactly(first);
    }

    @Test
    void whoeverPrintsHimselfDoesNotHinderHisOwnLine() {
        end(second, -200);
        end(first, -1);
        hold(first, 0);

        assertThat(lines.due(at(100))).containsExactly(first);
    }

    @Test
    void linesThatBothWaitAreShownInTheEnd() {
        for (int millis = 0; millis < 2000; millis += 50) {
            hold(first, 0);
            lines.printed(first, at(millis));
            hold(second, 1);
            lines.printed(second, at(millis + 1));
            assertThat(lines.due(at(millis + 49))).isEmpty();
        }

        assertThat(lines.due(at(2000))).containsExactly(first);
        assertThat(lines.due(at(2001))).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void theEndOfABlockIsNoPrompt() {
        first.blocks = true;
        hold(first, 0);

        assertThat(lines.due(at(1999))).isEmpty();
        assertThat(lines.due(at(2000))).containsExactly(first);
    }

    @Test
    void aProgressBarMovesWhateverOthersPrint() {
        first.blocks = true;
        first.progress = true;
        hold(first, 0);
        end(second, 90);

        assertThat(lines.due(at(100))).containsExactly(first);
    }

    @Test
    void aLineWhoseEndHasComeIsNotDue() {
        hold(first, 0);
        first.holds = false;

        assertThat(lines.due(at(5000))).isEmpty();
    }

    @Test
    void saysWhenToLookAgain() {
        assertThat(lines.timeout(at(0))).isZero();

        hold(first, 0);

        assertThat(lines.timeout(at(40))).isBetween(60L, 61L);
        assertThat(lines.timeout(at(400))).isEqualTo(1);
        lines.remove(first);
        assertThat(lines.timeout(at(400))).isZero();
    }

    private void hold(Line line, long millis) {
        line.holds = true;
        line.since = at(millis);
        lines.printed(line, at(millis));
    }

    private void end(Line line, long millis) {
        line.holds = false;
        lines.printed(line, at(millis));
    }

    private static long at(long millis) {
        return START + millis * MILLISECOND;
    }

    private static final class Line implements OpenLines.Source {

        private boolean holds;
        private boolean progress;
        private boolean blocks;
        private long since;

        @Override
        public boolean holds() {
            return holds;
        }

        @Override
        public boolean holdsProgress() {
            return progress;
        }

        @Override
        public long heldSince() {
            return since;
        }

        @Override
        public boolean printsBlocks() {
            return blocks;
        }
    }
}
