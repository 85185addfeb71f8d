package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Whole jobs of the engine {@code mpi} on one machine, with the real mpirun and sshd. They leave nothing. Root and other users make the
 * network of nodes in different ways. Each way must run a job, and leave nothing when the simulation is killed.
 */
@Order(1)
@ExtendWith(Scenes.class)
class MpiSimulateIT {

    private static final Path ALLREDUCE = Product.project().resolve("examples/training/mpi_allreduce.py");

    /** Each rank prints its sum, and goes on. */
    private static String addingUp() {
        return Components.requireMpi() + " '" + ALLREDUCE + "' --steps 5 || exit";
    }

    @Test
    void ranksOfSeveralNodesAddUpAndWhenTheSimulationIsKilledNothingIsLeft(Scene scene) {
        MpiSimulation simulation = MpiSimulation.ofRoot(scene).script(addingUp(), "exec sleep 600");
        Launched launcher = simulation.start().awaitRanks().launcher();
        launcher.awaitOutput("rank 1: ok: ").awaitOutput("rank 3: ok: ").awaitOutput("job: ok: 4 ranks: ");
        simulation.signal("KILL");
        assertAddedUp(simulation.end(137));
    }

    private static void assertAddedUp(Result result) {
        assertThat(result.output()).contains("job: ok: ").containsOnlyOnce("rank 1: ok: ");
    }

    @Test
    void theCodeOfARankIsTheSimulationsAndItIsNamed(Scene scene) {
        MpiSimulation simulation = MpiSimulation.ofUser(scene);
        Result result = simulation
                .script("[ $me = 3 ] || exec sleep 600", "until [ -e $notes/up-0 ]; do sleep 0.02; done", "exit 3")
                .start()
                .end(3);
        assertThat(MpiSimulation.verdict(result))
                .startsWith("muster: exit 3: node 0: mpirun ")
                .contains(": rank 3 on ");
    }

    @Test
    void theNodeThatWasStoppedIsTheCauseNotThoseItTold(Scene scene) {
        MpiSimulation simulation = MpiSimulation.ofRoot(scene).cards(1).script("exec sleep 600");
        simulation.start().awaitRanks().signalNode(1, "TERM");
        Result result = simulation.end(143);
        assertThat(MpiSimulation.verdict(result)).startsWith("muster: exit 143: node 1: stopped by SIGTERM");
    }

    @Test
    void aNodeWhoseLauncherIsKilledIsTheCauseAndLeavesNothing(Scene scene) {
        MpiSimulation simulation = MpiSimulation.ofRoot(scene).cards(1).script("exec sleep 600");
        simulation.start().awaitRanks().signalNode(0, "KILL");
        // The native launcher of the node is left, and reports the killed JVM.
        Result result = simulation.end(70);
        assertThat(MpiSimulation.verdict(result)).startsWith("muster: exit 70: node-0 ");
    }

    /** They start together. One is killed, the other gets a Ctrl-C. {@link RecoveryIT} has one that ends with 0. */
    @Test
    void twoSimulationsOnOneMachineAddUpAndDoNotDisturbEachOther(Scene scene) {
        MpiSimulation simulation = MpiSimulation.ofUser(scene).cards(1).script(addingUp(), "exec sleep 600");
        Launched killed = simulation.launch("killed");
        Launched interrupted = simulation.launch("interrupted");
        simulation.awaitRanks();
        for (Launched each : List.of(killed, interrupted)) {
            each.awaitOutput("rank 1: ok: ").awaitOutput("job: ok: 2 ranks: ");
        }
        simulation.signal("KILL", killed);
        assertAddedUp(killed.await().endedWith(137));
        simulation.interruptGroup(interrupted);
        Result result = interrupted.await().endedWith(130);
        assertAddedUp(result);
        assertThat(MpiSimulation.verdict(result)).startsWith("muster: exit 130: stopped by SIGINT");
        simulation.assertNothingIsLeft();
    }

    /** Without a simulation a missing directory is refused: {@link MpiRefusalsIT}. */
    @Test
    void theDirectoryThatAnSshdOfRootNeedsIsMade(Scene scene) throws IOException {
        MpiSimulation simulation = MpiSimulation.ofRoot(scene).running("/bin/true");
        simulation.host().shell("rmdir /run/sshd");
        simulation.start().end(0).says("made /run/sshd: the sshd of the nodes needs it");
        assertThat(Files.exists(simulation.host().file("/run/sshd"))).isTrue();
    }
}
