package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessagesTest {

    @Test
    void numbersInARowBecomeRanges() {
        assertThat(Messages.ranges(List.of())).isEmpty();
        assertThat(Messages.ranges(List.of(4))).isEqualTo("4");
        assertThat(Messages.ranges(List.of(0, 1, 2, 3))).isEqualTo("0-3");
        assertThat(Messages.ranges(List.of(0, 2, 3, 9))).isEqualTo("0,2-3,9");
        assertThat(Messages.ranges(List.of(1, 0))).isEqualTo("1,0");
        assertThat(Messages.ranges(List.of(500, 501, 7))).isEqualTo("500-501,7");
    }

    @Test
    void onlyTheFirstOfManyNamesAreListed() {
        assertThat(Messages.list(List.of("a", "b"))).isEqualTo("a, b (2)");
        assertThat(Messages.list(List.of())).isEqualTo(" (0)");
        assertThat(Messages.list(Collections.nCopies(11, "n"))).isEqualTo("n, n, n, n, n, n, n, n, n, n, ... (11)");
    }
}
