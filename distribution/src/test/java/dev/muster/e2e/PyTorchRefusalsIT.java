package dev.muster.e2e;

import static dev.muster.e2e.RefusalsIT.PROBE;
import static dev.muster.e2e.RefusalsIT.checkAnswer;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals of PyTorch jobs that cannot work, or would not do what the user means. */
@ExtendWith(Scenes.class)
class PyTorchRefusalsIT {

    private static Invocation job(Scene scene, String... options) {
        return scene.muster("--engine", "pytorch-gpu", "--platform", "none").with(options);
    }

    /** Node 0 of two nodes, with a free port for its link: jobs of other tests may have the usual ports. */
    private static Invocation nodeOfTwo(Scene scene, String hosts, String... options) {
        String port = Integer.toString(Listener.free(1)[0]);
        return job(scene, "--nodes", "2", "--node-index", "0", "--hosts", hosts, "--link-port", port)
                .with(options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--rank", "--rank=1", "--world_size=2", "--init_method=tcp://a:1"})
    void anArgumentThatWouldBeThereTwiceIsRefused(String argument, Scene scene) {
        Invocation job = nodeOfTwo(scene, "192.0.2.7,192.0.2.8", "--job-id", "e2e", "-o", "processes=per-node")
                .with("--", PROBE, argument);
        checkAnswer(scene, job, 64, List.of(argument, "-o processes=plain"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "70000", "abc", "-1"})
    void aMasterPortThatIsNoneIsRefused(String port, Scene scene) {
        checkAnswer(
                scene, job(scene, "--master-port=" + port, "--", PROBE), 64, List.of("--master-port", port, "65535"));
    }

    @Test
    void aMasterPortThatIsTakenIsRefusedWithItsOwner(Scene scene) {
        try (Listener listener = Listener.on(scene)) {
            String port = Integer.toString(listener.port());
            Invocation job = job(scene, "--master-port", port, "-o", "processes=per-node", "--", PROBE);
            checkAnswer(
                    scene,
                    job,
                    69,
                    List.of("port " + port, "rendezvous", "pid " + listener.pid(), "python3", "--master-port"));
        }
    }

    @Test
    void anElasticJobIsRefused(Scene scene) {
        Invocation job = job(scene, "--", PROBE).set(Map.of("PET_NNODES", "1:4", "PET_RDZV_ENDPOINT", "first:29400"));
        checkAnswer(scene, job, 78, List.of("PET_NNODES", "1:4", "elastic", "--node-index"));
    }

    @Test
    void aJobWhoseNodesWouldNotFindEachOtherIsRefused(Scene scene) {
        checkAnswer(
                scene, nodeOfTwo(scene, "192.0.2.7,192.0.2.8", "--", PROBE), 78, List.of("--job-id", "--master-port"));
        checkAnswer(
                scene,
                nodeOfTwo(scene, "localhost,192.0.2.8", "--job-id", "e2e", "--", PROBE),
                78,
                List.of("localhost", "--master-addr"));
        checkAnswer(
                scene,
                job(scene, "--nodes", "2", "--node-index", "0", "--job-id", "e2e", "--", PROBE),
                78,
                List.of("--hosts", "--master-addr"));
        checkAnswer(
                scene,
                job(scene, "--nodes", "2", "--hosts", "192.0.2.7,192.0.2.8", "--job-id", "e2e", "--", PROBE),
                78,
                List.of("--node-index"));
    }

    @Test
    void withoutAnyTorchrunItsModeIsRefused(Scene scene) {
        Invocation job = job(scene, "-o", "processes=torchrun", "--", PROBE);
        checkAnswer(
                scene, job.set("PATH", "/no/such/directory"), 69, List.of("torchrun", "PATH", "processes=per-card"));
    }

    @Test
    void anUnknownModeIsRefusedWithTheKnownOnes(Scene scene) {
        checkAnswer(
                scene,
                job(scene, "-o", "processes=per-gpu", "--", PROBE),
                64,
                List.of("processes", "per-gpu", "per-node", "per-card", "torchrun"));
    }
}
