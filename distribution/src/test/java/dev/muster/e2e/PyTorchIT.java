package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real PyTorch jobs: DistributedDataParallel over gloo. */
@ExtendWith(Scenes.class)
class PyTorchIT {

    /** Variables of a platform that counts nodes, and of an outer torchrun. The last one would make a job wait for ever. */
    private static final Map<String, String> OF_OTHERS = Map.of(
            "RANK", "1",
            "WORLD_SIZE", "7",
            "LOCAL_RANK", "3",
            "MASTER_ADDR", "192.0.2.1",
            "MASTER_PORT", "1",
            "PET_NNODES", "7",
            "PET_NODE_RANK", "1",
            "PET_MASTER_ADDR", "192.0.2.1",
            "TORCHELASTIC_RESTART_COUNT", "0",
            "TORCHELASTIC_USE_AGENT_STORE", "True");

    private static Invocation job(Scene scene, String mode, String... options) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none", "--job-id", scene.jobId()))
                .with("-o", "processes=" + mode, "--cards", "2")
                .with(options)
                .with("--");
    }

    /** The last line of the training's rank 0, without what the launcher puts in front. */
    private static String finalLoss(Result result) {
        List<String> lines = result.outputLines().stream()
                .filter(line -> line.contains("final loss"))
                .toList();
        assertThat(lines).as("lines with the final loss of: %s", result).hasSize(1);
        return lines.get(0).substring(lines.get(0).indexOf("final loss"));
    }

    private static String sameWeightsOn(int ranks) {
        return "final loss 0.010101, same weights on " + ranks + " ranks";
    }

    /** Another test has torchrun. */
    @ParameterizedTest
    @ValueSource(strings = {"per-node", "per-card"})
    void oneNodeTrainsInEveryModeWhateverOthersHaveSet(String mode, Scene scene) {
        Result result = job(scene, mode)
                .with(Training.torch())
                .set(OF_OTHERS)
                .start()
                .await(Training.LONG)
                .endedWith(0);
        assertThat(finalLoss(result)).isEqualTo(sameWeightsOn(2));
        result.says("ignored: ", "MASTER_ADDR", "PET_NNODES");
    }

    /** {@link SlurmIT} trains with one process per node, {@link RecoveryIT} with one per card. */
    @Test
    void twoNodesTrainByTorchrun(Scene scene) {
        twoNodesTrain("torchrun", scene);
    }

    @Tag("torture")
    @Test
    void twoNodesThatAreSimulatedTrainOncePerNode(Scene scene) {
        twoNodesTrain("per-node", scene);
    }

    private static void twoNodesTrain(String mode, Scene scene) {
        // torchrun numbers the ranks of a node itself, so one is enough. Each rank takes two seconds of a processor.
        int cards = mode.equals("torchrun") ? 1 : 2;
        Result result = scene.apart(scene.muster("simulate", "--engine", "pytorch-gpu", "--nodes", "2"))
                .with("--cards", Integer.toString(cards), "--processes", mode, "--")
                .with(Training.torch())
                .start()
                .await(Training.LONG)
                .endedWith(0);
        assertThat(finalLoss(result)).isEqualTo(sameWeightsOn(2 * cards));
    }

    /** The same training with Muster: {@link #oneNodeTrainsInEveryModeWhateverOthersHaveSet}. */
    @Tag("torture")
    @Test
    void theRealTorchrunComesToTheSameLoss(Scene scene) {
        Result real = scene.apart(scene.command(Components.requireTorch(), "-m", "torch.distributed.run"))
                .with("--no_python")
                .with("--nproc_per_node", "2", "--rdzv_backend", "c10d", "--rdzv_endpoint", "localhost:0")
                .with(Training.torch())
                // Without these PyTorch 1 does not start on Python 3.11.
                .set(Map.of("PET_REDIRECTS", "9:1", "PET_TEE", "9:1"))
                .run();
        assertThat(real.exitCode()).as(real.toString()).isZero();
        assertThat(finalLoss(real)).isEqualTo(sameWeightsOn(2));
    }

    /** {@link RecoveryIT} kills a rank. */
    @Test
    void aSpawnedProcessThatIsKilledEndsTheJobAndAllOthers(Scene scene) {
        Launched launcher = job(scene, "per-node")
                .with(Training.torch("--steps", "100000", "--step-delay", "0.1"))
                .start()
                .awaitOutput(Training.LONG, "step 0 of");
        Processes.signal("KILL", spawned(scene).get(1));
        Result result = launcher.await().endedWith(1).says("rank 0", "exit code 1");
        // Only Python, the parent of the killed process, knows the signal.
        assertThat(result.output()).contains("terminated with signal SIGKILL");
        scene.assertNothingIsLeft();
    }

    /** The processes that {@code mp.spawn} has started. */
    private static List<Long> spawned(Scene scene) {
        return Processes.tagged(scene.tag()).stream()
                .filter(process -> process.contains("spawn_main"))
                .map(process -> Long.parseLong(process.substring(0, process.indexOf(' '))))
                .toList();
    }
}
