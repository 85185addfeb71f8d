package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Real training on two nodes. A rank is killed at a random step. The next attempt goes on, and the result is the same. */
@Order(1)
@ExtendWith(Scenes.class)
class RecoveryIT {

    /** One rank per node. Tests without a framework cover other ranks of the same node. */
    private static final String CARDS = "1";

    private static final int RANKS = 2;

    private static int anyOf(int count) {
        return ThreadLocalRandom.current().nextInt(count);
    }

    @Test
    @DisplayName("PyTorch on two nodes goes on from its checkpoint and ends with the loss of an undisturbed run")
    void pyTorch(Scene scene) {
        List<String> options = List.of("--engine", "pytorch-gpu", "-o", "processes=per-card", "--cards", CARDS);
        int victim = anyOf(RANKS);
        Result result = new Recovery(
                        scene, options, Training.torch("--steps", "120", "--checkpoint-every", "3", "--checkpoint"))
                .kill(process -> process.contains("python"), "RANK=" + victim)
                .endsWith("final loss 0.010101, same weights on 2 ranks");
        // The verdict names the killed rank, not the rank that lost its connection to it.
        assertThat(result.output() + result.messages()).containsPattern("run 1 ended: .*rank " + victim + " .*SIGKILL");
    }

    @Test
    @DisplayName(
            "TensorFlow's MonitoredTrainingSession with ps and workers goes on and ends with the loss of an undisturbed run")
    void tensorFlow(Scene scene) {
        String role = anyOf(3) == 0 ? "ps" : "worker";
        int index = anyOf(2);
        String victim = role + " --task_index " + index;
        Result result = new Recovery(
                        scene,
                        List.of("--engine", "tensorflow-ps"),
                        Training.monitored("--steps", "200", "--checkpoints"))
                .kill(process -> process.contains("--job_name " + victim), "MUSTER_RUN=1")
                .endsWith("worker 0: ok: loss 0.008646");
        assertThat(result.output() + result.messages())
                .contains("worker 1: ok: loss 0.008646", "[node 1] muster: exit 0: node 0 (")
                .containsPattern("run 1 ended: .*" + role + "-" + index + " .*SIGKILL");
    }

    @Test
    @DisplayName("MPI on two nodes goes on from its checkpoint and ends with the loss of an undisturbed run")
    void mpi(Scene scene) {
        String[] training = Training.mpi("--steps", "120", "--checkpoint-every", "3", "--checkpoint");
        new Recovery(scene, List.of("--engine", "mpi", "--cards", CARDS), training)
                .kill(process -> process.contains("(/usr/bin/python3 "), "OMPI_COMM_WORLD_RANK=" + anyOf(RANKS))
                .endsWith("job: ok: 2 ranks, loss 0.01033");
    }
}
