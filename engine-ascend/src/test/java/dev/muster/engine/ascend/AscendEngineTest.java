package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class AscendEngineTest {

    @Test
    void isFoundAsAService() {
        assertThat(ServiceLoader.load(Engine.class))
                .singleElement()
                .isInstanceOf(AscendEngine.class)
                .satisfies(engine -> assertThat(engine.descriptor().id()).isEqualTo("ascend"));
    }

    @Test
    void descriptorNamesTheOptions() {
        EngineDescriptor descriptor = new AscendEngine().descriptor();

        assertThat(descriptor).isEqualTo(new AscendEngine().descriptor());
        assertThat(descriptor.options())
                .extracting(EngineOption::name)
                .containsExactly(
                        "rank-table", "framework", "output-dir", "mindspore-dirs", "cann-dir", "restore-ranks");
        assertThat(descriptor.options().get(1).choices()).containsExactly("none", "tensorflow", "pytorch", "mindspore");
        assertThat(descriptor.options().get(1).defaultValue()).contains("none");
        assertThat(descriptor.simulationOptions()).singleElement().satisfies(option -> {
            assertThat(option.name()).isEqualTo("table-family");
            assertThat(option.choices()).containsExactly("template2", "template1", "1.2", "2.0", "lab");
            assertThat(option.defaultValue()).contains("template2");
        });
    }

    @Test
    void descriptorNamesEveryVariableThatTheEngineSets() {
        assertThat(new AscendEngine().descriptor().ownedVariables())
                .containsExactly(
                        "ASCEND_*",
                        "DEVICE_ID",
                        "DEVICE_INDEX",
                        "DEVICE_NUM",
                        "GROUP_INFO_FILE",
                        "HCCL_CONNECT_TIMEOUT",
                        "HCCL_IF_IP",
                        "HCCL_WHITELIST_DISABLE",
                        "JOB_ID",
                        "LD_LIBRARY_PATH",
                        "MASTER_ADDR",
                        "MINDSPORE_HCCL_CONFIG_PATH",
                        "PATH",
                        "PYTHONPATH",
                        "PYTHONUNBUFFERED",
                        "RANK",
                        "RANK_ID",
                        "RANK_SIZE",
                        "RANK_TABLE_FILE",
                        "RESTORE_RANKS",
                        "RESTORE_RANKS_MAP",
                        "SERVER_ID",
                        "SERVER_NUM",
                        "TASK_QUEUE_ENABLE",
                        "TOOLCHAIN_HOME",
                        "WORLD_SIZE");
    }

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
                devices.add(JsonText.object("device_id", Integer.toString(card), "device_ip", address));
            }
            instances.add(JsonText.object("pod_name", "pod-" + pod, "server_id", "s" + pod, "devices", devices));
        }
        return JsonText.object(
                "group_list",
                List.of(JsonText.object("device_count", Integer.toString(pods * cards), "instance_list", instances)));
    }
}
