package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Host;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AscendEngineTest {

    @Test
    void nodesOfTheJobAreThoseOfTheTableInTheOrderOfTheirRanks() throws PlanException {
        assertThat(cluster(TemplateTwoTest.TWO_NODES))
                .containsExactly(
                        new Host("jobx-worker-0", Optional.of("192.168.0.25")),
                        new Host("jobx-worker-1", Optional.of("192.168.0.26")));
        assertThat(cluster(TemplateOneTest.SUPERPOD))
                .containsExactly(new Host("node_0", Optional.of("node_0")), new Host("node_1", Optional.of("node_1")));
        assertThat(cluster(LabTableTest.TWO_SERVERS))
                .containsExactly(
                        new Host("192.168.3.6", Optional.of("192.168.3.6")),
                        new Host("192.168.3.7", Optional.of("192.168.3.7")));
        assertThat(cluster(LevelListTest.table(0, 1))).isEmpty();
        assertThat(new AscendEngine().cluster(new TestJob().request())).isEmpty();
    }

    private static List<Host> cluster(String table) throws PlanException {
        return new AscendEngine().cluster(new TestJob().table(table).request());
    }

    /** Anything that looks at every device for every device would take minutes. */
    @Test
    void theLargestTableIsPlannedInTimeThatGrowsWithItsLength() {
        Map<String, Object> manyServers = templateTwo(12_500, 8);
        Map<String, Object> manyCards = templateTwo(2, 50_000);

        long start = System.nanoTime();
        LaunchPlan last =
                new TestJob().table("/t.json", manyServers).pod("pod-12499").plan();
        LaunchPlan half = new TestJob().table("/t.json", manyCards).pod("pod-1").plan();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        assertThat(TestJob.ranks(last)).startsWith(99_992).hasSize(8);
        assertThat(TestJob.ranks(half)).startsWith(50_000).endsWith(99_999);
    }

    private static Map<String, Object> templateTwo(int pods, int cards) {
        List<Object> instances = new ArrayList<>();
        for (int pod = 0; pod < pods; pod++) {
            List<Object> devices = new ArrayList<>();
            for (int card = 0; card < cards; card++) {
                int number = pod * cards + card;
                String address = "10." + (number >> 16) + "." + ((number >> 8) & 255) + "." + (number & 255);
                devices.add(TestJson.of("device_id", Integer.toString(card), "device_ip", address));
            }
            instances.add(TestJson.of("pod_name", "pod-" + pod, "server_id", "s" + pod, "devices", devices));
        }
        return TestJson.of(
                "group_list",
                List.of(TestJson.of("device_count", Integer.toString(pods * cards), "instance_list", instances)));
    }
}
