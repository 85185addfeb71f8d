package dev.muster.runtime.supervise;

import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.output.StreamSpec;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessLauncher;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.process.Warden;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/** Starts the processes of a run, and takes over what an earlier one has kept. */
final class ProcessStarts {

    /** What a kept service may take to end that the run wants otherwise. */
    private static final Duration ENDING = Duration.ofSeconds(2);

    private final PreparedPlan plan;
    private final ProcessLauncher launcher;
    private final Household household;
    private final Warden warden;
    private final OutputHub hub;
    private final Function<ProcessSpec, StreamSpec> streams;
    private final boolean mayKeep;

    /**
     * @param streams how the output of a process is shown and where it is logged
     * @param mayKeep whether another run may follow, so that services are kept
     */
    ProcessStarts(
            PreparedPlan plan,
            ProcessLauncher launcher,
            Household household,
            Warden warden,
            OutputHub hub,
            Function<ProcessSpec, StreamSpec> streams,
            boolean mayKeep) {
        this.plan = plan;
        this.launcher = launcher;
        this.household = household;
        this.warden = warden;
        this.hub = hub;
        this.streams = streams;
        this.mayKeep = mayKeep;
    }

    /** How the output of a process is shown and where it is logged. */
    StreamSpec stream(ProcessSpec process) {
        return streams.apply(process);
    }

    /**
     * Starts a process, or takes it over where an earlier run has kept it.
     *
     * @param onStart told of it at once
     * @param onEnd called once, on another thread, when it has ended
     * @return its pid
     * @throws IOException when the operating system refuses
     */
    long start(ProcessSpec process, Consumer<ProcessId> onStart, Consumer<Termination> onEnd) throws IOException {
        warden.awaitBegin();
        ProcessOutput output = hub.open(streams.apply(process));
        try {
            Optional<KeptService> there = household.services().find(process.id());
            if (there.isPresent()) {
                there.get().belongsTo(output, onEnd);
                onStart.accept(there.get().id());
                return there.get().id().pid();
            }
            return mayKeep && process.kept().isPresent()
                    ? startKept(process, output, onStart, onEnd)
                    : start(request(process, output.target()), output, onStart, onEnd);
        } catch (IOException refused) {
            output.failedToStart();
            throw refused;
        }
    }

    private long start(
            ProcessRequest request, ProcessOutput output, Consumer<ProcessId> onStart, Consumer<Termination> onEnd)
            throws IOException {
        ProcessLauncher.StartedProcess started = launcher.start(request, onEnd);
        ProcessTable.identify(started.pid()).ifPresent(onStart);
        output.started(started.output());
        return started.pid();
    }

    private long startKept(
            ProcessSpec process, ProcessOutput output, Consumer<ProcessId> onStart, Consumer<Termination> onEnd)
            throws IOException {
        ProcessRequest request = request(process, Optional.empty());
        KeptService service = new KeptService(request, content(process));
        ProcessLauncher.StartedProcess started = launcher.startWithoutInput(request, service::ended);
        ProcessId id = ProcessTable.identify(started.pid()).orElse(new ProcessId(started.pid(), 0));
        onStart.accept(id);
        household.services().add(process, service);
        try {
            // What it says first would be nobody's, were it read before.
            service.belongsTo(output, onEnd);
        } finally {
            service.started(id, started.output());
        }
        return started.pid();
    }

    /** Whether a service goes on when this run ends, if another one follows. */
    boolean isKept(ProcessSpec process) {
        return mayKeep && household.services().find(process.id()).isPresent();
    }

    /** Ends what an earlier run has kept of a service where that would not be what is started now; true where it did. */
    boolean makeWay(ProcessSpec process) {
        Optional<KeptService> there = household.services().find(process.id());
        if (there.isEmpty() || there.get().isLike(request(process, Optional.empty()), content(process))) {
            return false;
        }
        List<ProcessId> leader = List.of(there.get().id());
        warden.signalGroups("TERM", leader);
        if (there.get().end(ENDING).isEmpty()) {
            warden.signalGroups("KILL", leader);
            there.get().end(ENDING);
        }
        return true;
    }

    private ProcessRequest request(ProcessSpec process, Optional<Path> output) {
        return new ProcessRequest(
                process.id(),
                plan.command(process),
                plan.variables(process),
                new TreeSet<>(process.launch().environment().remove()),
                Path.of(process.launch().workDirectory()),
                output);
    }

    private String content(ProcessSpec process) {
        return KeptServices.content(
                process.kept().orElseThrow(), household.directory().path());
    }
}
