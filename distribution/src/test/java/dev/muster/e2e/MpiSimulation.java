package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A simulation of two nodes, with two ranks each by default. It runs on one of the {@link TestHosts} as its machine, so that a test finds
 * everything that it leaves.
 */
final class MpiSimulation {

    private static final int NODES = 2;

    private final Scene scene;
    private final boolean isRoots;
    private final TestHosts machine;
    private final Path shared;
    private final List<String> command = new ArrayList<>();
    private int cards = 2;
    private @Nullable Launched started;

    private MpiSimulation(Scene scene, boolean isRoots, TestHosts machine, Path shared) {
        this.scene = scene;
        this.isRoots = isRoots;
        this.machine = machine;
        this.shared = shared;
    }

    static MpiSimulation ofRoot(Scene scene) {
        return in(scene, true);
    }

    /** A simulation of a user who is not root. */
    static MpiSimulation ofUser(Scene scene) {
        return in(scene, false);
    }

    private static MpiSimulation in(Scene scene, boolean isRoots) {
        Components.requireMpi();
        TestHosts machine = TestHosts.in(scene, 1);
        try {
            Path shared = Files.createDirectory(scene.beside("notes"));
            // The mode of /tmp: the launcher puts no keys into a directory where others could replace files.
            Files.setAttribute(shared, "unix:mode", 01777);
            return new MpiSimulation(scene, isRoots, machine, shared);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    TestHost host() {
        return machine.get(0);
    }

    /** Sets how many ranks each node has. */
    MpiSimulation cards(int number) {
        cards = number;
        return this;
    }

    /** Sets the training command. */
    MpiSimulation running(String... words) {
        command.clear();
        command.addAll(List.of(words));
        return this;
    }

    /** Sets a shell script as the training command. {@code $me} is the rank. It makes {@code $notes/up-$me} when it runs. */
    MpiSimulation script(String... lines) {
        Path file = scene.beside("rank.sh");
        Scene.write(
                file,
                "#!/bin/sh\nnotes=" + shared + "\nme=$OMPI_COMM_WORLD_RANK\n: > $notes/up-$me\n"
                        + String.join("\n", lines) + "\n");
        file.toFile().setExecutable(true, false);
        return running(file.toString());
    }

    MpiSimulation start() {
        started = launch("simulated");
        return this;
    }

    /**
     * Starts one of several simulations.
     *
     * @param name of its directory
     */
    Launched launch(String name) {
        Invocation invocation = scene.muster("simulate", "--engine", "mpi")
                .with(
                        "--nodes",
                        Integer.toString(NODES),
                        "--cards",
                        Integer.toString(cards),
                        // The simulation delays nothing: the key of the nodes is there from the start.
                        "--late",
                        "5m",
                        "--log-dir",
                        shared.resolve(name).toString(),
                        "--")
                .with(command.toArray(String[]::new))
                .behind("setsid");
        if (!isRoots) {
            invocation.behind(TestHost.AS_USER);
        }
        invocation.set("HOME", isRoots ? "/root" : TestHost.USER_HOME);
        return host().here(invocation, TestHost.USER_HOME).start();
    }

    MpiSimulation awaitRanks() {
        scene.awaitFiles(Scene.each("notes/up-", NODES * cards));
        return this;
    }

    /** Signals only the launcher of the simulation. */
    void signal(String name) {
        signal(name, launcher());
    }

    /** Signals the launcher of one of several simulations. */
    void signal(String name, Launched simulation) {
        Processes.signal(name, Processes.inNamespaces(simulation.pid()));
    }

    /** Signals the process group of one of the simulations, as a terminal does at Ctrl-C. */
    void interruptGroup(Launched simulation) {
        long leader = Processes.inNamespaces(simulation.pid());
        scene.command("/bin/sh", "-c", "kill -s INT -- -$0", Long.toString(leader))
                .run()
                .endedWith(0);
    }

    /** Signals the launcher of a node: its outer, but for SIGKILL its JVM. Inner's environment shows which node it is. */
    void signalNode(int node, String name) {
        host().shell("for process in /proc/[0-9]*; do"
                + " case $(cat $process/comm 2>/dev/null) in java) ;; *) continue ;; esac;"
                + " jvm=${process#/proc/}; read -r _ _ _ inner _ <$process/stat; read -r _ _ _ outer _ </proc/$inner/stat;"
                + " ! tr '\\0' '\\n' </proc/$inner/environ | grep -qx -e VC_TASK_INDEX=" + node
                + " -e MUSTER_NODE_INDEX=" + node
                + " || kill -s " + name + (name.equals("KILL") ? " $jvm" : " $outer") + "; done");
    }

    /** Asserts an exit code, and that nothing is left on the machine. */
    Result end(int exitCode) {
        Result result = launcher().await().endedWith(exitCode);
        assertNothingIsLeft();
        return result;
    }

    /** Asserts that no process and no network interface is left, and no file but the logs. */
    void assertNothingIsLeft() {
        Await.until("all processes are gone", () -> host().processes().isEmpty());
        machine.assertNothingIsLeft();
        String links = host().shell("ip -o link | wc -l; ls /dev/shm").output();
        assertThat(links.strip()).as("lo and eth0 of the machine").isEqualTo("2");
    }

    /** The last line of the launcher. */
    static String verdict(Result result) {
        List<String> lines = result.messages().lines().toList();
        return lines.get(lines.size() - 1);
    }

    /** The launcher of the simulation that was started. */
    Launched launcher() {
        return Objects.requireNonNull(started, "start() comes first");
    }
}
