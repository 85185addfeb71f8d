package dev.muster.runtime.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ConditionsTest {

    private static final Condition PORT = new Condition.PortOpen("host-1", 22);
    private static final Condition FILE = new Condition.FileReady("/run/release");

    @Test
    void describesEveryKind() {
        assertThat(Conditions.describe(Condition.IMMEDIATELY)).isEqualTo("at once");
        assertThat(Conditions.describe(Condition.NEVER)).isEqualTo("never");
        assertThat(Conditions.describe(PORT)).isEqualTo("port 22 of host-1 accepts connections");
        assertThat(Conditions.describe(new Condition.PortClosed("host-1", 22, Duration.ofMinutes(1))))
                .isEqualTo("port 22 of host-1 was open and has refused connections for 1m");
        assertThat(Conditions.describe(FILE)).isEqualTo("file /run/release exists and is not empty");
        assertThat(Conditions.describe(
                        new Condition.CommandEnds(List.of(Value.of("ssh")), 0, "host-1", Optional.empty())))
                .isEqualTo("command ssh ends with 0, asked of host-1");
        assertThat(Conditions.describe(new Condition.Exited(ids(1)))).isEqualTo("rank-0 has ended");
        assertThat(Conditions.describe(new Condition.Exited(ids(2)))).isEqualTo("rank-0, rank-1 have ended");
    }

    @Test
    void describesCombinations() {
        Condition either = new Condition.AnyOf(List.of(PORT, FILE));

        assertThat(Conditions.describe(new Condition.AllOf(List.of(either, new Condition.Exited(ids(1))))))
                .isEqualTo("(port 22 of host-1 accepts connections or file /run/release exists and is not empty)"
                        + " and rank-0 has ended");
        assertThat(Conditions.describe(new Condition.AllOf(List.of(FILE)))).isEqualTo(Conditions.describe(FILE));
        assertThat(Conditions.describe(new Condition.AllOf(List.of()))).isEqualTo("at once");
        assertThat(Conditions.describe(new Condition.AnyOf(List.of()))).isEqualTo("never");
    }

    @Test
    void describesSilenceTimeAndOrder() {
        Condition lost =
                new Condition.PortClosed("host-1", 22, Duration.ofSeconds(5), Optional.of(Duration.ofMinutes(1)));
        Condition late = new Condition.Elapsed(Duration.ofMinutes(30));
        Condition either = new Condition.AnyOf(List.of(PORT, FILE));
        Condition order = new Condition.Before(late, PORT);

        assertThat(Conditions.describe(lost))
                .isEqualTo("port 22 of host-1 was open and has refused connections for 5s (or not been open for 1m)");
        assertThat(Conditions.describe(late)).isEqualTo("30m has passed since the start");
        assertThat(Conditions.describe(order))
                .isEqualTo("30m has passed since the start before port 22 of host-1 accepts connections");
        assertThat(Conditions.describe(new Condition.Before(new Condition.AllOf(List.of(either)), order)))
                .isEqualTo("(" + Conditions.describe(either) + ") before (" + Conditions.describe(order) + ")");
        assertThat(Conditions.describe(new Condition.AllOf(List.of(order, FILE))))
                .isEqualTo("(" + Conditions.describe(order) + ") and " + Conditions.describe(FILE));
    }

    @Test
    void shortensLongLists() {
        assertThat(Conditions.describe(new Condition.Exited(ids(9)))).contains("rank-8");
        assertThat(Conditions.describe(new Condition.Exited(ids(10))))
                .isEqualTo("rank-0, rank-1, rank-2, rank-3, rank-4, rank-5, rank-6, rank-7, and 2 more have ended");
    }

    private static SortedSet<String> ids(int count) {
        SortedSet<String> ids = new TreeSet<>();
        for (int rank = 0; rank < count; rank++) {
            ids.add("rank-" + rank);
        }
        return ids;
    }
}
