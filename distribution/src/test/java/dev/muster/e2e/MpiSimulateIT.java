package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Whole jobs of the engine {@code mpi} on one machine, with the real mpirun and sshd, and what is left of them: nothing. Each way of
 * giving nodes a network must carry a job, and must be cleared away when the simulation is killed; of other ends each has one.
 */
@Order(1)
@ExtendWith(Scenes.class)
class MpiSimulateIT {

    private static final Path ALLREDUCE = Product.project().resolve("examples/training/mpi_allreduce.py");

    /** The fourth way has two at once, below. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"LOOPBACK_OF_A_USER"})
    void ranksOfSeveralNodesAddUp(SimulatedWay way, Scene scene) {
        MpiSimulation simulation = MpiSimulation.in(scene, way);
        String python = Components.requireMpi();
        Result result = simulation
                .running(python, ALLREDUCE.toString(), "--steps", "5")
                .start()
                .end(0);
        assertAddedUp(way, result);
    }

    private static void assertAddedUp(SimulatedWay way, Result result) {
        assertThat(result.output()).contains("job: ok: 4 ranks: ").containsOnlyOnce("rank 3: ok: ");
        if (way.hasHosts()) {
            assertThat(result.output()).containsPattern("2 on \\S+-worker-0, 2 on \\S+-worker-1");
        } else {
            result.says("nodes share this machine's network", "there is no unshare here");
        }
    }

    @Test
    void theCodeOfARankIsTheSimulationsAndItIsNamed(Scene scene) {
        MpiSimulation simulation = MpiSimulation.in(scene, SimulatedWay.HOSTS_OF_A_USER);
        Result result = simulation
                .script("[ $me = 3 ] || exec sleep 600", "until [ -e $notes/up-0 ]; do sleep 0.02; done", "exit 3")
                .start()
                .end(3);
        assertThat(MpiSimulation.verdict(result)).startsWith("muster: exit 3: node 1: rank 3 ");
    }

    @Test
    void controlCLeavesNothing(Scene scene) {
        MpiSimulation simulation =
                MpiSimulation.in(scene, SimulatedWay.LOOPBACK_OF_A_USER).script("exec sleep 600");
        simulation.start().awaitRanks().interruptGroup();
        Result result = simulation.end(130);
        assertThat(MpiSimulation.verdict(result)).startsWith("muster: exit 130: stopped by SIGINT");
    }

    @ParameterizedTest
    @EnumSource
    void whenTheSimulationIsKilledNothingIsLeft(SimulatedWay way, Scene scene) {
        MpiSimulation simulation = MpiSimulation.in(scene, way).script("exec sleep 600");
        simulation.start().awaitRanks().signal("KILL");
        simulation.end(137);
    }

    @Test
    void theNodeThatWasStoppedIsTheCauseNotThoseItTold(Scene scene) {
        MpiSimulation simulation =
                MpiSimulation.in(scene, SimulatedWay.LOOPBACK_OF_ROOT).script("exec sleep 600");
        simulation.start().awaitRanks().signalNode(1, "TERM");
        Result result = simulation.end(143);
        assertThat(MpiSimulation.verdict(result)).startsWith("muster: exit 143: node 1: stopped by SIGTERM");
    }

    @Test
    void aNodeWhoseLauncherIsKilledIsTheCauseAndLeavesNothing(Scene scene) {
        MpiSimulation simulation =
                MpiSimulation.in(scene, SimulatedWay.HOSTS_OF_ROOT).script("exec sleep 600");
        simulation.start().awaitRanks().signalNode(0, "KILL");
        // Its start script is left, and says so.
        Result result = simulation.end(70);
        assertThat(MpiSimulation.verdict(result)).startsWith("muster: exit 70: node-0 ");
    }

    @Test
    void whenTheNetworkIsKilledTheSimulationEnds(Scene scene) {
        MpiSimulation simulation =
                MpiSimulation.in(scene, SimulatedWay.HOSTS_OF_A_USER).script("exec sleep 600");
        simulation.start().awaitRanks().killNetwork();
        Result result = simulation.end(137);
        assertThat(MpiSimulation.verdict(result)).startsWith("muster: exit 137: network ");
    }

    @Test
    void twoSimulationsOnOneMachineAddUpAndDoNotDisturbEachOther(Scene scene) {
        MpiSimulation simulation = MpiSimulation.in(scene, SimulatedWay.LOOPBACK_OF_A_USER);
        simulation.running(Components.requireMpi(), ALLREDUCE.toString(), "--steps", "5");
        List<Launched> both = List.of(simulation.launch("one"), simulation.launch("two"));
        for (Launched launched : both) {
            assertAddedUp(SimulatedWay.LOOPBACK_OF_A_USER, launched.await().endedWith(0));
        }
        simulation.assertNothingIsLeft();
    }

    @Test
    void rootWithoutTheDirectoryOfSshdIsToldToMakeIt(Scene scene) throws IOException {
        MpiSimulation simulation =
                MpiSimulation.in(scene, SimulatedWay.LOOPBACK_OF_ROOT).running("/bin/true");
        simulation.host().shell("rmdir /run/sshd");
        Result result = simulation.start().end(69);
        result.says("/run/sshd. Make it, as root: mkdir -p -m 0755 /run/sshd");
        assertThat(Files.exists(simulation.host().file("/run/sshd"))).isFalse();
    }
}
