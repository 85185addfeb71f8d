package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Host;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AscendEngineTest {

    @Test
    void nodesOfTheJobAreThoseOfTheTableInTheOrderOfTheirRanks() throws PlanException {
        assertThat(cluster(TemplateTwoTest.TWO_NODES))
                .containsExactly(
                        Host.of("jobx-worker-0", Optional.of("192.168.0.25")),
                        Host.of("jobx-worker-1", Optional.of("192.168.0.26")));
        assertThat(cluster(TemplateOneTest.SUPERPOD))
                .containsExactly(Host.of("node_0", Optional.of("node_0")), Host.of("node_1", Optional.of("node_1")));
        assertThat(cluster(LabTableTest.TWO_SERVERS))
                .containsExactly(
                        Host.of("192.168.3.6", Optional.of("192.168.3.6")),
                        Host.of("192.168.3.7", Optional.of("192.168.3.7")));
        assertThat(cluster(LevelListTest.table(0, 1))).isEmpty();
        assertThat(new TestJob().listed()).isEmpty();
    }

    private static List<Host> cluster(String table) throws PlanException {
        return new TestJob().table(table).listed();
    }
}
