package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Real training of two nodes, of which a rank is killed at a random step: the next run goes on, and the result is the same. */
@Order(1)
@ExtendWith(Scenes.class)
class RecoveryIT {

    /** Two nodes of one rank each: what happens to others of a node, tests see that need no framework. */
    private static final String CARDS = "1";

    private static final int RANKS = 2;

    private static int anyOf(int count) {
        return ThreadLocalRandom.current().nextInt(count);
    }

    @Test
    @DisplayName("PyTorch on two nodes goes on from its checkpoint and ends with the loss of the undisturbed run")
    void pyTorch(Scene scene) {
        List<String> simulation = List.of("--engine", "pytorch-gpu", "-o", "processes=per-card", "--cards", CARDS);
        new Recovery(scene, 2, simulation, Training.torch("--steps", "120", "--checkpoint-every", "3", "--checkpoint"))
                .kill(process -> process.contains("python"), "RANK=" + anyOf(RANKS))
                .endsLikeTheUndisturbed("final loss");
    }

    @Test
    @DisplayName("TensorFlow's MonitoredTrainingSession with ps and workers goes on and ends with the same loss")
    void tensorFlow(Scene scene) {
        String role = anyOf(3) == 0 ? "ps" : "worker";
        int index = anyOf(2);
        String victim = role + " --task_index " + index;
        Recovery recovery = new Recovery(
                scene, 1, List.of("--engine", "tensorflow-ps"), Training.monitored("--steps", "200", "--checkpoints"));
        Result onOneNode = recovery.kill(process -> process.contains("--job_name " + victim), "MUSTER_RUN=1")
                .says("run 1 ended: .*" + role + "-" + index + " .*SIGKILL")
                .says("worker 0: ok: loss ", "worker 1: ok: loss ", "\\[node 1\\] muster: exit 0: node 0 \\(")
                .endsLikeTheUndisturbed("ok: loss");
        assertThat(onOneNode.output()).contains("worker-0 succeeded");
        assertThat(recovery.undisturbedLog("-ps-0.txt")).contains("ps 0: serving");
        assertThat(recovery.undisturbedLog("-worker-0.txt")).contains("worker 0: ok");
    }

    @Test
    @DisplayName("MPI on two nodes goes on from its checkpoint and ends with the loss of the undisturbed run")
    void mpi(Scene scene) {
        String[] training = Training.mpi("--steps", "120", "--checkpoint-every", "3", "--checkpoint");
        new Recovery(scene, 2, List.of("--engine", "mpi", "--cards", CARDS), training)
                .kill(process -> process.contains("(/usr/bin/python3 "), "OMPI_COMM_WORLD_RANK=" + anyOf(RANKS))
                .endsLikeTheUndisturbed("job: ok: ");
    }
}
