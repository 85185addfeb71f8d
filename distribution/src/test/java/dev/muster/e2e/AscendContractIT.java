package dev.muster.e2e;

import static dev.muster.e2e.RankTables.pod;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What ranks and files see of a ModelArts job: the contract of the platform's own boot program. */
@ExtendWith(Scenes.class)
class AscendContractIT {

    /** A job of two nodes, whose pods and devices are not sorted. */
    private static final String TWO_NODES = RankTables.templateTwo(
            pod("job-e2e-worker-1", "192.168.0.26", "6 10.0.0.3"),
            pod("job-e2e-worker-0", "192.168.0.25", "5 10.0.0.2", "4 10.0.0.1"));

    private static final String TWO_NODES_CONVERTED =
            "{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"2\","
                    + " \"server_list\": [{\"server_id\": \"192.168.0.25\", \"device\": ["
                    + "{\"device_id\": \"5\", \"device_ip\": \"10.0.0.2\", \"rank_id\": \"0\"},"
                    + " {\"device_id\": \"4\", \"device_ip\": \"10.0.0.1\", \"rank_id\": \"1\"}]},"
                    + " {\"server_id\": \"192.168.0.26\", \"device\": ["
                    + "{\"device_id\": \"6\", \"device_ip\": \"10.0.0.3\", \"rank_id\": \"2\"}]}]}";

    private static final String TWO_CARDS =
            RankTables.templateTwo(pod("job-0", "192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"));

    @OnOneJdk
    void onePodStartsItsRanks(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_CARDS);
        checkOnePod(node.muster(scene).with(probe.program(), "train.py"), node, probe);
    }

    @OnOneJdk
    void thePlainJarDoesTheSame(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_CARDS);
        checkOnePod(node.jar(scene).with(probe.program(), "train.py"), node, probe);
    }

    private static void checkOnePod(Invocation launcher, ModelArtsNode node, Probe probe) {
        Result result = launcher.run().endedWith(0);
        assertThat(probe.count()).isEqualTo(2);
        for (int rank = 0; rank < 2; rank++) {
            Map<String, String> expected = new TreeMap<>(launcher.environment());
            expected.putAll(rankEnvironment(node, rank, 2, rank));
            Map<String, String> actual = probe.rank(rank).environment();
            assertThat(actual.remove("MUSTER_JOB")).isNotEmpty();
            assertThat(actual).containsExactlyInAnyOrderEntriesOf(expected);
            assertThat(probe.rank(rank).workDirectory()).isEqualTo(node.workDirectory(rank));
            assertThat(probe.rank(rank).arguments()).containsExactly("train.py");
            assertThat(node.log(rank, rank)).hasContent("rank " + rank + " was here");
            assertThat(node.mount().resolve("log/modelarts-job-e2e/ascend/process_log/rank_" + rank))
                    .isDirectory();
        }
        assertThat(result.outputLines())
                .hasSize(2)
                .anyMatch(line -> line.endsWith("rank 0 was here"))
                .anyMatch(line -> line.endsWith("rank 1 was here"));
    }

    private static Map<String, String> rankEnvironment(ModelArtsNode node, int rank, int size, int device) {
        return Map.of(
                "JOB_ID", "modelarts-job-e2e",
                "RANK_ID", Integer.toString(rank),
                "RANK_SIZE", Integer.toString(size),
                "DEVICE_ID", Integer.toString(device),
                "ASCEND_DEVICE_ID", Integer.toString(device),
                "PYTHONUNBUFFERED", "1",
                "RANK_TABLE_FILE", node.convertedTable().toString(),
                "HCCL_CONNECT_TIMEOUT", "1800",
                "ASCEND_PROCESS_LOG_PATH", node.mount() + "/log/modelarts-job-e2e/ascend/process_log/rank_" + rank);
    }

    @Test
    void twoNodesShareTheRanksAndWriteTheSameTable(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode first = ModelArtsNode.of(scene, "job-e2e-worker-0", TWO_NODES);
        ModelArtsNode second = ModelArtsNode.of(scene, "job-e2e-worker-1", TWO_NODES);
        first.muster(scene).with(probe.program()).run().endedWith(0);
        assertThat(probe.count()).isEqualTo(2);
        second.muster(scene).with(probe.program()).run().endedWith(0);
        assertThat(probe.count()).isEqualTo(3);
        assertThat(probe.rank(1).environment()).containsAllEntriesOf(rankEnvironment(first, 1, 3, 1));
        assertThat(probe.rank(2).environment()).containsAllEntriesOf(rankEnvironment(second, 2, 3, 0));
        assertThat(second.log(2, 0)).hasContent("rank 2 was here");
        assertThat(probe.rank(2).workDirectory()).isEqualTo(second.workDirectory(0));
        assertThat(first.convertedTable()).hasBinaryContent(TWO_NODES_CONVERTED.getBytes(UTF_8));
        assertThat(second.convertedTable()).hasBinaryContent(TWO_NODES_CONVERTED.getBytes(UTF_8));
    }

    @Test
    void ranksStartInTheOrderOfTheTable(Scene scene) {
        scene.job(8)
                .with(scene.script("rank", "echo $$ > $scene/pid-$me"))
                .run()
                .endedWith(0);
        long previous = 0;
        int descents = 0;
        for (int rank = 0; rank < 8; rank++) {
            long pid = Long.parseLong(Scene.read(scene.beside("pid-" + rank)).strip());
            descents += pid < previous ? 1 : 0;
            previous = pid;
        }
        // The kernel begins again with small numbers when the pids run out.
        assertThat(descents).isLessThanOrEqualTo(1);
    }

    @Test
    void whatTheCallerHasSetForCannStays(Scene scene) {
        Probe probe = Probe.in(scene);
        Path processLogs = scene.beside("own/process logs");
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_CARDS);
        node.muster(scene)
                .with(probe.program())
                .set("HCCL_CONNECT_TIMEOUT", "77")
                .set("ASCEND_PROCESS_LOG_PATH", processLogs.toString())
                .set("RANK_ID", "99")
                .run()
                .endedWith(0);
        assertThat(probe.rank(1).environment())
                .containsEntry("HCCL_CONNECT_TIMEOUT", "77")
                .containsEntry("ASCEND_PROCESS_LOG_PATH", processLogs.toString());
        assertThat(processLogs).isDirectory();
    }

    @OnOneJdk
    void argumentsArriveByteForByte(Scene scene) {
        Probe probe = Probe.in(scene);
        String[] arguments = {
            "two words", "", " ", "\"double\"", "'single'", "it's", "$HOME", "${HOME}", "`id`", "$(id)", "*", "?", "~",
            "a\nb", "a\tb", "back\\slash", "trailing\\", "größe", "日本語", "😀", "--", "-x", "--engine", "a=b", "#", "!",
            ";", "&", "|", "<", ">", "%s", "%PATH%", "x ", "x".repeat(100_000)
        };
        scene.job(1).with(probe.program()).with(arguments).run().endedWith(0);
        assertThat(probe.rank(0).arguments()).containsExactly(arguments);
    }
}
