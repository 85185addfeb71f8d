package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments and environment of the processes of a PyTorch job. */
@ExtendWith(Scenes.class)
class PyTorchContractIT {

    /** Arguments that a shell, or a split at blanks, would change. */
    private static final String[] OWN = {"--data", "a b", "", "ü*$HOME'\"", "--", "-x=1"};

    /** Runs a command on the first core that this process may use. */
    private static final String ON_ONE_CORE =
            "exec taskset -c $(sed -n 's/^Cpus_allowed_list:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/self/status) \"$@\"";

    private static final String PORT = "[0-9]{4,5}";

    private static Invocation job(Scene scene, String... options) {
        return scene.muster("--engine", "pytorch-gpu", "--platform", "none", "--job-id", scene.jobId())
                .with(options)
                .with("--")
                .set("me", "0");
    }

    /** A node of a ModelArts job of two. */
    private static Invocation modelArts(Scene scene, int index, String... options) {
        return scene.muster("--engine", "pytorch-gpu")
                .with(options)
                .with("--")
                .set(ModelArtsNode.of(scene, "worker-" + index).environment())
                .set(Map.of("MA_NUM_HOSTS", "2", "VC_TASK_INDEX", Integer.toString(index)))
                .set("VC_WORKER_HOSTS", "job-worker-0.job,job-worker-1.job")
                .set("me", "0");
    }

    /** The arguments that the launcher has put behind those of the user. */
    private static List<String> appended(Probe probe) {
        List<String> arguments = probe.rank(0).arguments();
        assertThat(arguments).startsWith(OWN);
        return arguments.subList(OWN.length, arguments.size());
    }

    @Test
    void theDefaultIsOneRankForEachCardAndWithoutAnyOneRankThatIsTold(Scene scene) {
        Probe probe = Probe.in(scene);
        String rank = scene.script("rank", "me=$RANK exec " + probe.program() + " \"$@\"");
        job(scene, "--cards", "2").with(rank).with(OWN).run().endedWith(0);
        for (int card = 0; card < 2; card++) {
            assertThat(probe.rank(card).arguments()).containsExactly(OWN);
            assertThat(probe.rank(card).environment())
                    .containsAllEntriesOf(Map.of("RANK", Integer.toString(card), "WORLD_SIZE", "2"));
        }
        job(scene)
                .with(rank)
                .set("CUDA_VISIBLE_DEVICES", "")
                .run()
                .endedWith(0)
                .says("1 rank on this node (no card: CUDA_VISIBLE_DEVICES)")
                .says("logs: " + scene.logs() + "; result: " + scene.resultFile());
    }

    @Test
    void aSingleNodeIsToldWhereToMeetAndNothingElse(Scene scene) {
        Probe probe = Probe.in(scene);
        job(scene, "-o", "processes=per-node")
                .with(probe.program())
                .with(OWN)
                .run()
                .endedWith(0);
        List<String> appended = appended(probe);
        assertThat(appended).hasSize(2).first().isEqualTo("--init_method");
        assertThat(appended.get(1)).matches("tcp://127\\.0\\.0\\.1:" + PORT);
        // With some of torchrun's variables, a script that reads them first would find an incomplete rendezvous.
        assertThat(probe.rank(0).environment()).doesNotContainKeys("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT");
        assertThat(scene.logs().resolve(scene.jobId() + "-proc-rank-0.txt")).exists();
    }

    @Test
    void aNodeOfModelArtsIsToldItsNumberToo(Scene scene) {
        Probe probe = Probe.in(scene);
        modelArts(scene, 1).with(probe.program()).with(OWN).run().endedWith(0);
        assertThat(appended(probe))
                .containsExactly("--init_method", "tcp://job-worker-0.job:6666", "--rank", "1", "--world_size", "2");
    }

    @Test
    void nothingIsAppendedForThoseWhoDoNotWantIt(Scene scene) {
        Probe probe = Probe.in(scene);
        job(scene, "--processes", "plain")
                .with(probe.program(), "--rank=1")
                .with(OWN)
                .run()
                .endedWith(0);
        assertThat(probe.rank(0).arguments()).startsWith("--rank=1").hasSize(1 + OWN.length);
    }

    @Test
    void allNodesOfABareJobComputeTheSamePort(Scene scene) {
        Set<String> urls = new HashSet<>();
        for (int index = 0; index < 2; index++) {
            Result plan = scene.muster("plan", "--format", "json", "--engine", "pytorch-gpu", "--platform", "none")
                    .with("--job-id", scene.jobId(), "--hosts", "192.0.2.7,192.0.2.8", "-o", "processes=per-node")
                    .with("--nodes", "2", "--node-index", Integer.toString(index), "--", "/bin/true")
                    .answer()
                    .endedWith(0);
            List<String> command = new ArrayList<>();
            Json.parse(plan.output()).at("/nodes/0/processes/0/command").forEach(word -> command.add(word.asText()));
            assertThat(command).endsWith("--rank", Integer.toString(index), "--world_size", "2");
            urls.add(command.get(2));
        }
        assertThat(urls).singleElement().asString().matches("tcp://192\\.0\\.2\\.7:" + PORT);
    }

    @Test
    void ranksOfCardsGetWhatTorchrunsChildrenGet(Scene scene) {
        Probe probe = Probe.in(scene);
        String rank = scene.script("rank", "me=$RANK exec " + probe.program() + " \"$@\"");
        modelArts(scene, 1, "-o", "processes=per-card", "--cards", "2")
                .with(rank)
                .with(OWN)
                .run()
                .endedWith(0);
        assertThat(probe.count()).isEqualTo(2);
        for (int card = 0; card < 2; card++) {
            Probe.Seen seen = probe.rank(2 + card);
            assertThat(seen.arguments()).containsExactly(OWN);
            assertThat(seen.environment())
                    .containsAllEntriesOf(Map.of(
                            "RANK", Integer.toString(2 + card),
                            "LOCAL_RANK", Integer.toString(card),
                            "WORLD_SIZE", "4",
                            "LOCAL_WORLD_SIZE", "2",
                            "GROUP_RANK", "1",
                            "MASTER_ADDR", "job-worker-0.job",
                            "MASTER_PORT", "6666",
                            "TORCHELASTIC_RESTART_COUNT", "0"))
                    .doesNotContainKey("TORCHELASTIC_USE_AGENT_STORE");
        }
    }

    @Test
    void thePlatformCanChooseTorchrunAndFlagsWin(Scene scene) throws IOException {
        Probe probe = Probe.in(scene);
        Path bin = Files.createDirectory(scene.beside("bin"));
        Files.move(Path.of(scene.script("torchrun", "exec " + probe.program() + " \"$@\"")), bin.resolve("torchrun"));
        String path = bin + ":" + Invocation.PATH;
        modelArts(scene, 1, "--cards", "2", "-o", "torchrun-args=--tee 3 --log_dir '/a b'")
                .with("/bin/true")
                .with(OWN)
                .set(Map.of("MA_RUN_METHOD", "torchrun", "PATH", path))
                .run()
                .endedWith(0);
        assertThat(probe.rank(0).arguments())
                .containsSubsequence(
                        "--nnodes",
                        "2",
                        "--node_rank",
                        "1",
                        "--nproc_per_node",
                        "2",
                        "--master_addr",
                        "job-worker-0.job",
                        "--master_port",
                        "6666",
                        "--tee",
                        "3",
                        "--log_dir",
                        "/a b",
                        "--no_python",
                        "/bin/true")
                .endsWith(OWN);
        modelArts(scene, 1, "-o", "processes=per-node")
                .with(probe.program())
                .set(Map.of("MA_RUN_METHOD", "torchrun", "PATH", path))
                .run()
                .endedWith(0);
        assertThat(probe.rank(0).arguments()).startsWith("--init_method");
    }

    @Test
    void ranksAreBoundToTheCoresThatTheLauncherMayUse(Scene scene) {
        Components.require("taskset");
        String[] rank = {"grep", "Cpus_allowed_list", "/proc/self/status"};
        Result one = job(scene, "--cards", "1", "--bind", "cores")
                .with(rank)
                .behind("/bin/sh", "-c", ON_ONE_CORE, "sh")
                .run()
                .endedWith(0)
                .says("bound (--bind): rank-0: CPUs ");
        assertThat(one.output()).containsPattern("Cpus_allowed_list:\\s+[0-9]+\\s");
        job(scene, "--cards", "2", "--bind", "cores")
                .with(rank)
                .behind("/bin/sh", "-c", ON_ONE_CORE, "sh")
                .run()
                .endedWith(78)
                .says("--bind cores: the 2 ranks of this node need a core each", "(cpuset ", "are 1 core.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"per-card", "torchrun"})
    void coresAreSharedAmongTheCardsUnlessTheUserSaysOtherwise(String mode, Scene scene) throws IOException {
        Components.require("taskset");
        Probe probe = Probe.in(scene);
        Path bin = Files.createDirectory(scene.beside("bin"));
        Files.copy(Path.of(probe.program()), bin.resolve("torchrun"));
        bin.resolve("torchrun").toFile().setExecutable(true);
        String[] options = {
            "--engine",
            "pytorch-gpu",
            "--platform",
            "none",
            "--job-id",
            scene.jobId(),
            "-o",
            "processes=" + mode,
            "--cards",
            "2"
        };
        Invocation job = scene.muster(options)
                .with("--", probe.program())
                .set("me", "0")
                .set("PATH", bin + ":" + Invocation.PATH)
                .behind("/bin/sh", "-c", ON_ONE_CORE, "sh");
        Result result = job.run().endedWith(0);
        assertThat(result.messages().lines())
                .filteredOn(line -> line.contains("OMP_NUM_THREADS"))
                .hasSize(1);
        result.says("OMP_NUM_THREADS=1: 1 core for 2 cards");
        assertThat(probe.rank(0).environment()).containsEntry("OMP_NUM_THREADS", "1");
        // Ranks inherit from the caller all that a plan does not change.
        Result plan = scene.muster("plan", "--format", "json")
                .with(options)
                .with("--", "/bin/true")
                .set("OMP_NUM_THREADS", "5")
                .set("PATH", bin + ":" + Invocation.PATH)
                .answer()
                .endedWith(0);
        assertThat(plan.output()).contains("\"environment\"").doesNotContain("OMP_NUM_THREADS");
    }
}
