package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LinkPortsTest {

    /** These ports must never change: launchers of different versions must find each other. */
    @Test
    void aJobHasItsPortsForEver() {
        assertThat(LinkPorts.of("modelarts-job-1")).isEqualTo(List.of(25489, 25490, 25491));
        assertThat(LinkPorts.of("")).isEqualTo(List.of(26791, 26792, 26793));
        assertThat(LinkPorts.of("作业")).isEqualTo(List.of(28525, 28526, 28527));
    }

    @Test
    void jobsShareAllThreePortsOrNone() {
        Set<Integer> firsts = new HashSet<>();
        for (int job = 0; job < 100_000; job++) {
            List<Integer> ports = LinkPorts.of("job-" + job);
            int first = ports.get(0);
            assertThat(ports).containsExactly(first, first + 1, first + 2);
            assertThat((first - LinkPorts.FIRST) % 3).isZero();
            firsts.add(first);
        }
        assertThat(firsts).hasSize(1333).allMatch(first -> first >= 25_000 && first + 2 <= 28_998);
    }
}
