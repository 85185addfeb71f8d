package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of tests, and wardens that have them in their care. */
@Timeout(60)
abstract class WardedProcesses {

    static final String LOOP = "while :; do sleep 0.05; done";
    static final String OBEDIENT = "sleep 600 & wait";
    static final String STUBBORN = "trap '' TERM; sleep 600 & echo up; wait; sleep 600";

    @TempDir
    Path directory;

    final RunMarker marker = RunMarker.random();
    final ProcessTable table = ProcessTable.ofThisLauncher(marker);
    final List<String> warnings = new CopyOnWriteArrayList<>();
    final List<ProcessId> shells = new CopyOnWriteArrayList<>();
    final List<Long> started = new ArrayList<>();
    Path output = Path.of("/dev/null");

    @AfterEach
    void leaveNothing() {
        table.find(started)
                .forEach(process -> ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly));
    }

    Warden warden(Duration grace) {
        return warden(grace, Set.of(), Optional.empty());
    }

    Warden warden(Duration grace, Set<String> forerunners, Optional<Path> run) {
        Warden warden =
                new Warden(marker, grace, forerunners, run, Guard.none(), System::nanoTime, shells::add, warnings::add);
        warden.start();
        return warden;
    }

    static ProcessHandle shell(Warden warden) {
        return ProcessHandle.of(warden.identity().orElseThrow().pid()).orElseThrow();
    }

    static void signal(String name, ProcessHandle process) throws Exception {
        List<String> command = List.of("sh", "-c", "kill -s " + name + " " + process.pid());
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    List<ProcessId> ids() {
        return started.stream().map(WardedProcesses::id).toList();
    }

    static ProcessId id(long pid) {
        return ProcessTable.identify(pid).orElseThrow();
    }

    void adopt(Warden warden, String script) throws IOException {
        assertThat(start(warden, script)).isNotCompletedExceptionally();
    }

    CompletableFuture<Termination> start(Warden warden, String script) throws IOException {
        CompletableFuture<Termination> end = new CompletableFuture<>();
        ProcessId id = id(start(script, end));
        warden.adopt(id);
        table.adopt(id);
        return end;
    }

    long start(String script, CompletableFuture<Termination> end) throws IOException {
        ProcessLauncher launcher = new ProcessLauncher(
                new InheritedEnvironment(new TreeMap<>(), new TreeSet<>()),
                marker,
                IgnoredSignals.none(),
                new OpenFiles(Path.of("/")),
                table::ended);
        long pid = launcher.start(
                        new ProcessRequest(
                                "test",
                                List.of("/bin/sh", "-c", script),
                                new TreeMap<>(),
                                new TreeSet<>(),
                                directory,
                                Optional.of(output)),
                        end::complete)
                .pid();
        started.add(pid);
        return pid;
    }

    int count(String prefix) {
        return Objects.requireNonNull(directory.toFile().list((folder, name) -> name.startsWith(prefix))).length;
    }

    /** A process has the name of its shell until its program has been loaded. */
    void awaitPrograms(String name, int count) throws InterruptedException {
        await(() -> table.find(started).stream()
                        .filter(process -> process.name().equals(name))
                        .count()
                == count);
    }

    void awaitProcesses(int count) throws InterruptedException {
        await(() -> table.find(started).size() == count);
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
