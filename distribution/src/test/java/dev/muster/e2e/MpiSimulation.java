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
 * A simulation of two nodes with two ranks each, or as many as one says, on a machine of its own: one of the {@link TestHosts}, where whatever it leaves
 * behind is found.
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

    /** Of somebody who is not root. */
    static MpiSimulation ofUser(Scene scene) {
        return in(scene, false);
    }

    private static MpiSimulation in(Scene scene, boolean isRoots) {
        Components.requireMpi();
        TestHosts machine = TestHosts.in(scene, 1);
        try {
            Path shared = Files.createDirectory(scene.beside("notes"));
            // As /tmp: for keys the launcher takes no directory in which others could exchange files.
            Files.setAttribute(shared, "unix:mode", 01777);
            return new MpiSimulation(scene, isRoots, machine, shared);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    TestHost host() {
        return machine.get(0);
    }

    /** Decides how many ranks each node has. */
    MpiSimulation cards(int number) {
        cards = number;
        return this;
    }

    /** Decides the training command. */
    MpiSimulation running(String... words) {
        command.clear();
        command.addAll(List.of(words));
        return this;
    }

    /** The same with a shell script, in which {@code $me} is the rank; that it runs, it notes in {@code $notes/up-$me}. */
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
                        // Nothing waits for it: the key of the nodes is never late.
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

    /** To the launcher of the simulation alone. */
    void signal(String name) {
        signal(name, launcher());
    }

    /** To that of one of several simulations. */
    void signal(String name, Launched simulation) {
        Processes.signal(name, Processes.inNamespaces(simulation.pid()));
    }

    /** What a terminal does at Ctrl-C, to one of the simulations. */
    void interruptGroup(Launched simulation) {
        long leader = Processes.inNamespaces(simulation.pid());
        scene.command("/bin/sh", "-c", "kill -s INT -- -$0", Long.toString(leader))
                .run()
                .endedWith(0);
    }

    /** To the launcher of a node; SIGKILL to its JVM, which has none of the node's variables. */
    void signalNode(int node, String name) {
        host().shell("for process in /proc/[0-9]*; do"
                + " case $(cat $process/comm 2>/dev/null) in java) ;; *) continue ;; esac;"
                + " jvm=${process#/proc/}; read -r _ _ _ inner _ <$process/stat; read -r _ _ _ outer _ </proc/$inner/stat;"
                + " ! tr '\\0' '\\n' </proc/$inner/environ | grep -qx -e VC_TASK_INDEX=" + node
                + " -e MUSTER_NODE_INDEX=" + node
                + " || kill -s " + name + (name.equals("KILL") ? " $jvm" : " $outer") + "; done");
    }

    /** Demands an exit code, and that nothing is left on the machine. */
    Result end(int exitCode) {
        Result result = launcher().await().endedWith(exitCode);
        assertNothingIsLeft();
        return result;
    }

    /** No process, no namespace, no link, no file but those that a simulation is there to make, and no key among them. */
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

    /** That which was started. */
    Launched launcher() {
        return Objects.requireNonNull(started, "start() comes first");
    }
}
