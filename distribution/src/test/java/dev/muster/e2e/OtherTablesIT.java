package dev.muster.e2e;

import static dev.muster.e2e.RankTables.server;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tables of the other families, and jobs that have no table. */
@ExtendWith(Scenes.class)
class OtherTablesIT {

    private static final RankTables.Pod[] TWO_SERVERS = {
        server("192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"), server("192.168.0.26", "0 10.0.0.3", "1 10.0.0.4")
    };

    @Test
    void aSuperPodTableIsHandedOverByItsOwnPath(Scene scene) {
        Probe probe = Probe.in(scene);
        Path table = table(scene, RankTables.superPod(TWO_SERVERS));
        launcher(scene, table, "--nodes", "2", "--node-index", "1")
                .with(probe.program())
                .run()
                .endedWith(0);
        assertThat(probe.count()).isEqualTo(2);
        assertThat(probe.rank(2).environment())
                .containsEntry("RANK_TABLE_FILE", table.toString())
                .containsEntry("RANK_SIZE", "4")
                .containsEntry("DEVICE_ID", "0");
    }

    @Test
    void aNodeOwnsItsBlockOfRanksInATableOfVersionTwo(Scene scene) {
        Probe probe = Probe.in(scene);
        Path table = table(scene, RankTables.levelList(6));
        launcher(scene, table, "--nodes", "3", "--node-index", "2")
                .with(probe.program())
                .run()
                .endedWith(0);
        assertThat(probe.count()).isEqualTo(2);
        assertThat(probe.rank(4).environment()).containsEntry("DEVICE_ID", "0");
        assertThat(probe.rank(5).environment())
                .containsEntry("RANK_TABLE_FILE", table.toString())
                .containsEntry("RANK_SIZE", "6")
                .containsEntry("DEVICE_ID", "1");
    }

    @Test
    void aTableOfVersionTwoIsRefusedWhenNobodySaysWhichNodeThisIs(Scene scene) {
        Probe probe = Probe.in(scene);
        Path table = table(scene, RankTables.levelList(6));
        launcher(scene, table).with(probe.program()).answer().endedWith(65).says("--nodes", "--node-index", "2.0");
        assertThat(probe.wasStarted()).isFalse();
    }

    @Test
    void aLabTableIsHandedOverThroughMindSporesOwnVariable(Scene scene) {
        Probe probe = Probe.in(scene);
        Path table = table(scene, RankTables.lab(TWO_SERVERS));
        launcher(scene, table, "--nodes", "2", "--node-index", "0")
                .with(probe.program())
                .run()
                .endedWith(0);
        assertThat(probe.count()).isEqualTo(2);
        assertThat(probe.rank(1).environment())
                .containsEntry("MINDSPORE_HCCL_CONFIG_PATH", table.toString())
                .containsEntry("RANK_SIZE", "4")
                .containsEntry("RANK_ID", "1");
    }

    @Test
    void numbersBecomeTextsInACopyThatKeepsEveryField(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        Path table = table(
                scene,
                "{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": 1, \"own\": {\"list\": [1, \"x\"]},"
                        + " \"server_list\": [{\"server_id\": \"192.168.0.25\", \"host_ip\": \"192.168.0.25\","
                        + " \"device\": [{\"device_id\": 4, \"device_ip\": \"10.0.0.1\", \"rank_id\": 0}]}]}");
        node.muster(scene, "--rank-table", table.toString())
                .with(probe.program())
                .run()
                .endedWith(0);
        assertThat(probe.rank(0).environment())
                .containsEntry("RANK_TABLE_FILE", node.convertedTable().toString());
        assertThat(node.convertedTable())
                .hasContent("{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"1\","
                        + " \"own\": {\"list\": [\"1\", \"x\"]},"
                        + " \"server_list\": [{\"server_id\": \"192.168.0.25\", \"host_ip\": \"192.168.0.25\","
                        + " \"device\": [{\"device_id\": \"4\", \"device_ip\": \"10.0.0.1\", \"rank_id\": \"0\"}]}]}");
    }

    @OnOneJdk
    void aServerWithoutCardsRunsOneProcessWhereTheCallerIs(Scene scene) {
        assumeNoCards();
        Probe probe = Probe.in(scene);
        scene.muster("--engine", "ascend", "--job-id", "mine", "--", probe.program())
                .run()
                .endedWith(0);
        assertThat(probe.count()).isEqualTo(1);
        assertThat(probe.rank(0).environment())
                .containsEntry("JOB_ID", "mine")
                .containsEntry("RANK_ID", "0")
                .containsEntry("RANK_SIZE", "1")
                .containsEntry("DEVICE_ID", "0")
                .containsEntry("ASCEND_DEVICE_ID", "0")
                .doesNotContainKey("RANK_TABLE_FILE");
        assertThat(probe.rank(0).workDirectory()).isEqualTo(scene.directory());
        assertThat(scene.directory().resolve("muster-logs/mine-proc-rank-0-device-0.txt"))
                .hasContent("rank 0 was here");
        assertThat(scene.directory().resolve("muster-logs/mine-node-0-result.json"))
                .exists();
    }

    @Test
    void aJobWithoutANameGetsOneFromTimeAndPid(Scene scene) {
        assumeNoCards();
        Probe probe = Probe.in(scene);
        Launched launcher =
                scene.muster("--engine", "ascend", "--", probe.program()).start();
        launcher.await().endedWith(0);
        assertThat(probe.rank(0).environment().get("JOB_ID")).contains(Long.toString(launcher.pid()));
    }

    @Test
    void severalCardsWithoutKnownAddressesAreRefused(Scene scene) {
        assumeNoCards();
        Probe probe = Probe.in(scene);
        for (List<String> choice : List.of(List.of("--cards", "4"), List.of("--card-ids", "0-2,4"))) {
            Result result = scene.muster("--engine", "ascend")
                    .with(choice.toArray(String[]::new))
                    .with("--", probe.program())
                    .answer();
            assertThat(result.exitCode()).isBetween(64, 78);
            result.endedWith(result.exitCode()).says("--rank-table", "hccn.conf");
        }
        assertThat(probe.wasStarted()).isFalse();
    }

    private static Path table(Scene scene, String text) {
        Path file = scene.beside("given.json");
        Scene.write(file, text);
        return file;
    }

    private static Invocation launcher(Scene scene, Path table, String... options) {
        return scene.muster("--engine", "ascend", "--rank-table", table.toString())
                .with(options)
                .with("--");
    }

    /** These tests are about a machine that is no Ascend server. */
    private static void assumeNoCards() {
        for (String path : List.of("/etc/hccn.conf", "/dev/davinci0", "/user/config/jobstart_hccl.json")) {
            Assumptions.assumeFalse(Files.exists(Path.of(path)), path + " exists: this is an Ascend server");
        }
    }
}
