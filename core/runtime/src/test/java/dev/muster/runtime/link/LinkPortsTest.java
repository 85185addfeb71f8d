package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LinkPortsTest {

    @Test
    void everyJobHasThreePortsInARangeOfTheirOwn() {
        assertThat(IntStream.range(0, 2000).mapToObj(number -> LinkPorts.of("job-" + number)))
                .allSatisfy(ports -> assertThat(ports)
                        .hasSize(3)
                        .doesNotHaveDuplicates()
                        .allMatch(port -> port >= 20_000 && port < 30_000));
    }

    @Test
    void allNodesComeToTheSame() {
        assertThat(LinkPorts.of("exp-7")).isEqualTo(LinkPorts.of("exp-7")).isNotEqualTo(LinkPorts.of("exp-8"));
    }
}
