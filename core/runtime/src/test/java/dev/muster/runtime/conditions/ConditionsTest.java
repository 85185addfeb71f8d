package dev.muster.runtime.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ConditionsTest {

    private static final Condition PORT = Condition.portOpen("host-1", 22);

    @Test
    void describesEveryKind() {
        assertThat(Conditions.describe(Condition.IMMEDIATELY)).isEqualTo("at once");
        assertThat(Conditions.describe(PORT)).isEqualTo("port 22 of host-1 accepts connections");
        assertThat(Conditions.describe(Condition.exited(ids(1)))).isEqualTo("rank-0 has ended");
        assertThat(Conditions.describe(Condition.exited(ids(2)))).isEqualTo("rank-0, rank-1 have ended");
    }

    @Test
    void shortensLongLists() {
        assertThat(Conditions.describe(Condition.exited(ids(9)))).contains("rank-8");
        assertThat(Conditions.describe(Condition.exited(ids(10))))
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
