package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Jobs of MindX DL and of mind-cluster. Their rank tables have a fixed path. So every launcher has its own root directory, in a mount
 * namespace of its own. The machine does not see that path, and it vanishes with the launcher.
 */
@ExtendWith(Scenes.class)
class MindXDlIT {

    private static final String CONTAINER = """
            root=$1 table=$2
            shift 2
            mount -t tmpfs container "$root"
            links=() directories=()
            for path in /*; do
              if [ -L "$path" ]; then
                links+=("$path")
              elif [ -d "$path" ] && [ "$path" != /user ]; then
                directories+=("$path")
              fi
            done
            [ ${#links[@]} = 0 ] || cp -P "${links[@]}" "$root/"
            mkdir "${directories[@]/#/$root}"
            for path in "${directories[@]}"; do
              mount --rbind "$path" "$root$path"
            done
            mkdir -p "$root/user/serverid/devindex/config"
            [ ! -e "$table" ] || cp "$table" "$root/user/serverid/devindex/config/hccl.json"
            mkdir -p "$root/user/restore/reset/config"
            exec chroot "$root" env "--chdir=$PWD" "$@"
            """;

    private static final String TABLE = RankTables.templateOne(
            RankTables.server("10.20.0.11", "0 192.168.100.10", "1 192.168.101.10"),
            RankTables.server("10.20.0.1", "0 192.168.100.11", "1 192.168.101.11"));

    private static Result run(Scene scene, String table, Map<String, String> variables, String... words) {
        return container(scene, table, variables, words).run();
    }

    private static Invocation container(Scene scene, String table, Map<String, String> variables, String... words) {
        Components.requireRoot();
        Components.require("unshare", "chroot", "mount");
        if (!table.isEmpty()) {
            Scene.write(scene.beside("table.json"), table);
        }
        scene.command("/bin/mkdir", "-p", scene.beside("root").toString()).run().endedWith(0);
        return scene.muster(words)
                .set(variables)
                .behind(
                        "unshare",
                        "--mount",
                        "--propagation",
                        "private",
                        "/bin/bash",
                        "-euc",
                        CONTAINER,
                        "container",
                        scene.beside("root").toString(),
                        scene.beside("table.json").toString());
    }

    @Test
    void aServerFindsItselfInTheTableWhole(Scene scene) {
        Probe probe = Probe.in(scene);
        Result result = run(
                        scene,
                        TABLE,
                        Map.of(
                                "XDL_IP",
                                "10.20.0.1",
                                "train",
                                "train-default-1",
                                "TERMINATION_GRACE_PERIOD_SECONDS",
                                "30"),
                        "--engine",
                        "ascend",
                        "--",
                        probe.program())
                .endedWith(0)
                .says("mindx-dl", "XDL_IP");
        assertThat(result.output())
                .contains("rank 2 was here", "rank 3 was here")
                .doesNotContain("rank 0", "rank 1");
        Map<String, String> seen = probe.rank(3).environment();
        assertThat(seen).containsEntry("RANK_SIZE", "4").containsEntry("JOB_ID", "train");
    }

    @Test
    void aServerThatIsNotInTheTableIsNoServerOfTheJob(Scene scene) {
        run(scene, TABLE, Map.of("XDL_IP", "10.20.0.111"), "--engine", "ascend", "--", "/bin/true")
                .endedWith(65)
                .says("10.20.0.111", "XDL_IP", "10.20.0.11");
    }

    @Test
    @DisplayName("a job with restarts reads a list of faults that appears in the mounted directory after the start")
    void aListOfFaultsMayAppearLater(Scene scene) throws IOException {
        String rank = scene.script("rank", "[ $MUSTER_RUN = 1 ] || exit 0", ": > $scene/run-1", "sleep 600");
        String table = RankTables.templateOne(RankTables.server("10.20.0.11", "0 192.168.100.10"));
        Map<String, String> server = Map.of("XDL_IP", "10.20.0.11");
        String[] words = {"--engine", "ascend", "--restarts", "1", "--job-id", "e2e", "--", rank};
        Launched launcher = container(scene, table, server, words).start();
        scene.awaitFiles("run-1");
        Path list = Path.of("/proc/" + launcher.jvm() + "/root/user/restore/reset/config/reset.json");
        Files.writeString(list, "{\"RankList\": [{\"RankId\": 0, \"Status\": \"unrecovered\"}]}");
        launcher.awaitMessage("lists rank 0 as not recovered");
        Files.writeString(list, "{\"RankList\": []}");
        launcher.await()
                .endedWith(0)
                .says(
                        "faults of cards are read in /user/restore/reset/config/reset.json (platform mindx-dl)",
                        "the platform lists a fault of rank 0 in ",
                        "after 2 runs");
        words[3] = "0";
        words[words.length - 1] = "/bin/true";
        assertThat(run(scene, table, server, words).endedWith(0).messages()).doesNotContain("faults of cards");
    }

    @Test
    void enginesThatReadNoTableAreNotLetTrainAlone(Scene scene) {
        Map<String, String> server = Map.of("XDL_IP", "10.20.0.11");
        run(scene, TABLE, server, "--engine", "pytorch-gpu", "--", "/bin/true")
                .endedWith(78)
                .says("/user/serverid/devindex/config/hccl.json is of 2 servers", "--nodes", "--platform none");
        run(scene, TABLE, server, "--engine", "pytorch-gpu", "--nodes", "1", "--", "/bin/true")
                .endedWith(0);
    }

    @Test
    void anAcjobsRanksAreThoseOfItsVariables(Scene scene) {
        Map<String, String> variables = Map.of(
                "MINDX_TASK_ID", "5c1d1a2e",
                "XDL_IP", "10.20.0.11",
                "MASTER_ADDR", "10.96.40.7",
                "MASTER_PORT", "2222",
                "WORLD_SIZE", "4",
                "RANK", "1",
                "LOCAL_WORLD_SIZE", "2",
                "LOCAL_RANK", "0,1");
        String[] command = {"/bin/sh", "-c", "echo rank $RANK of $WORLD_SIZE, $LOCAL_RANK, $MASTER_ADDR $MASTER_PORT"};
        Result result = run(scene, "", variables, words("pytorch-gpu", command))
                .endedWith(0)
                .says("acjob", "MINDX_TASK_ID");
        assertThat(result.output())
                .contains("rank 2 of 4, 0, 10.96.40.7 2222", "rank 3 of 4, 1, 10.96.40.7 2222")
                .doesNotContain("rank 0", "rank 1");
        run(scene, TABLE, variables, words("ascend", command))
                .endedWith(78)
                .says("acjob", "MINDX_TASK_ID", "--platform mindx-dl");
    }

    private static String[] words(String engine, String... command) {
        return Stream.concat(Stream.of("--engine", engine, "--"), Stream.of(command))
                .toArray(String[]::new);
    }
}
