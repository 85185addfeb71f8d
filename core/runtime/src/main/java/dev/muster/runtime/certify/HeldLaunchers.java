package dev.muster.runtime.certify;

import dev.muster.runtime.commands.CommandContext;
import dev.muster.runtime.commands.SupervisedCommand;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.process.ByteText;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.Termination;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The launchers of a trial, one for each node, from their start to the end of all their processes. All descendants of the supervisor
 * count: it also adopts orphans.
 */
final class HeldLaunchers implements AutoCloseable {

    /** The most bytes kept of each stream. */
    private static final int LIMIT = 1024 * 1024;

    private static final Duration LOOK = Duration.ofMillis(20);

    private final ProcessSupervisor supervisor;
    private final Signals signals;
    private final LongSupplier nanoClock;
    private final List<SupervisedCommand> launchers = new ArrayList<>();
    /** The output of all launchers, stream by stream. */
    private final List<CompletableFuture<String>> streams = new ArrayList<>();

    private final ProcessHandle root;
    /** The processes that ran before, among them this JVM. */
    private final Set<ProcessHandle> earlier;

    HeldLaunchers(ProcessSupervisor supervisor, Signals signals, LongSupplier nanoClock) {
        this.supervisor = supervisor;
        this.signals = signals;
        this.nanoClock = nanoClock;
        ProcessHandle self = ProcessHandle.current();
        root = ProcessInfo.isStartedBySupervisor() ? self.parent().orElse(self) : self;
        earlier = root.descendants().collect(Collectors.toSet());
    }

    /** Starts a launcher. */
    void start(List<String> command, Environment environment, Path directory) {
        CommandContext context = new CommandContext(environment, directory, signals::isStopRequested, nanoClock);
        try {
            SupervisedCommand started = new SupervisedCommand(supervisor, context);
            started.start(command);
            launchers.add(started);
            streams.add(started.output(HeldLaunchers::read));
            streams.add(started.errors(HeldLaunchers::read));
        } catch (IOException refused) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE, "the launcher cannot be started: " + refused.getMessage(), refused);
        }
    }

    /** Sends a signal to the launcher of node 0. */
    void signal(int number) {
        launchers.get(0).signal(number);
    }

    boolean hasAnyEnded() {
        return launchers.stream().anyMatch(SupervisedCommand::hasEnded);
    }

    /** How each launcher ends; empty for one that runs longer than the limit. */
    List<Optional<Termination>> awaitEnds(Duration limit) throws InterruptedException {
        await(() -> launchers.stream().allMatch(SupervisedCommand::hasEnded), limit);
        List<Optional<Termination>> ends = new ArrayList<>();
        for (SupervisedCommand launcher : launchers) {
            ends.add(launcher.await(Duration.ZERO));
        }
        return ends;
    }

    /** The processes that remain after a while: names with pids. All running processes are killed then. */
    List<String> killRemaining(Duration patience) {
        await(() -> processes().isEmpty(), patience);
        List<String> left = processes().stream()
                .map(process -> name(process) + " (" + process.pid() + ")")
                .toList();
        killAll();
        return left;
    }

    /** All output of the launchers. */
    String printed() {
        return streams.stream()
                .map(stream -> SupervisedCommand.last(stream, "") + "\n")
                .collect(Collectors.joining());
    }

    /** Waits for a condition; false if that takes too long. */
    boolean await(BooleanSupplier condition, Duration limit) {
        long begin = nanoClock.getAsLong();
        while (!condition.getAsBoolean()) {
            if (nanoClock.getAsLong() - begin > limit.toNanos()) {
                return false;
            }
            if (!signals.sleep(LOOK)) {
                throw new StoppedException();
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        killAll();
        for (SupervisedCommand launcher : launchers) {
            launcher.close();
        }
    }

    private void killAll() {
        launchers.forEach(SupervisedCommand::kill);
        processes().forEach(ProcessHandle::destroyForcibly);
    }

    /** The running processes. A dead process has no program any more. */
    private List<ProcessHandle> processes() {
        return root.descendants()
                .filter(process -> !earlier.contains(process) && !name(process).isEmpty())
                .toList();
    }

    private static String name(ProcessHandle process) {
        String path = process.info().command().orElse("");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String read(InputStream stream) {
        try (stream) {
            byte[] kept = stream.readNBytes(LIMIT);
            stream.transferTo(OutputStream.nullOutputStream());
            return ByteText.decode(kept);
        } catch (IOException closed) {
            return "";
        }
    }
}
