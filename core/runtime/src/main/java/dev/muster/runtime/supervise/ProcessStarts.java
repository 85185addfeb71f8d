package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.OutputPipe;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.output.StreamSpec;
import dev.muster.runtime.process.ProcessListener;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Starts the processes of an attempt, and takes over what an earlier one has kept. */
final class ProcessStarts {

    /** What a kept service may take to end that the attempt wants otherwise. */
    private static final Duration ENDING = Duration.ofSeconds(2);

    private final PreparedPlan plan;
    private final RunTools tools;
    private final RunScope scope;
    private final OutputHub hub;
    private final Function<ProcessSpec, StreamSpec> streams;
    private final boolean mayKeep;

    /**
     * @param streams how the output of a process is shown and where it is logged
     * @param mayKeep whether another attempt may follow, so that services are kept
     */
    ProcessStarts(
            PreparedPlan plan,
            RunTools tools,
            RunScope scope,
            OutputHub hub,
            Function<ProcessSpec, StreamSpec> streams,
            boolean mayKeep) {
        this.plan = plan;
        this.tools = tools;
        this.scope = scope;
        this.hub = hub;
        this.streams = streams;
        this.mayKeep = mayKeep;
    }

    /** How the output of a process is shown and where it is logged. */
    StreamSpec stream(ProcessSpec process) {
        return streams.apply(process);
    }

    /**
     * Starts a process, or takes it over where an earlier attempt has kept it.
     *
     * @param listener told how it has ended
     * @throws IOException when the operating system refuses
     */
    StartedProcess start(ProcessSpec process, ProcessListener listener) throws IOException {
        ProcessOutput output = hub.open(streams.apply(process));
        try {
            Optional<KeptService> there = scope.services().find(process.id());
            if (there.isPresent()) {
                there.get().belongsTo(output, listener);
                return there.get().process();
            }
            if (process.hosted().isPresent()) {
                // Those of an earlier attempt.
                Files.deleteIfExists(note());
                Files.deleteIfExists(scope.directory().path().resolve(HostedRanks.STOP_WANTED));
            }
            return mayKeep && process.keptFiles().isPresent()
                    ? startKept(process, output, listener)
                    : startNew(process, output, listener);
        } catch (IOException refused) {
            output.started();
            throw refused;
        }
    }

    private StartedProcess startNew(ProcessSpec process, ProcessOutput output, ProcessListener listener)
            throws IOException {
        boolean hasInput = !supervisor().caller().isInputTerminal();
        StartedProcess started = supervisor().start(request(process, output.target(), hasInput), listener);
        output.started();
        return started;
    }

    private StartedProcess startKept(ProcessSpec process, ProcessOutput output, ProcessListener listener)
            throws IOException {
        KeptService service = new KeptService(request(process, OutputTarget.NOWHERE, false), content(process));
        OutputPipe pipe = OutputPipe.open();
        StartedProcess started;
        try {
            started = supervisor().start(request(process, pipe.target(), false), service::ended);
        } catch (IOException refused) {
            pipe.close();
            throw refused;
        }
        pipe.started();
        scope.services().add(process, service);
        try {
            // What it says first would be nobody's, were it read before.
            service.belongsTo(output, listener);
        } finally {
            service.started(started, pipe);
        }
        return started;
    }

    private ProcessSupervisor supervisor() {
        return tools.supervisor();
    }

    /** Whether a service goes on when this attempt ends, if another one follows. */
    boolean isKept(ProcessSpec process) {
        return mayKeep && scope.services().find(process.id()).isPresent();
    }

    /** Ends what an earlier attempt has kept of a service where that would not be what is started now; true where it did. */
    boolean makeWay(ProcessSpec process) {
        Optional<KeptService> there = scope.services().find(process.id());
        if (there.isEmpty() || there.get().isLike(content(process))) {
            return false;
        }
        tools.orders().stop(Set.of(there.get().process().id()), Set.of(), ENDING);
        there.get().end(ENDING.multipliedBy(2));
        return true;
    }

    private ProcessRequest request(ProcessSpec process, OutputTarget output, boolean hasInput) {
        Environment environment = tools.environment();
        Set<String> gone = process.launch().environment().remove();
        SortedMap<String, String> set = new TreeMap<>(environment.set());
        set.keySet().removeAll(gone);
        set.putAll(plan.variables(process));
        set.put(RunMarker.VARIABLE, scope.marker());
        process.hosted().ifPresent(ranks -> set.put(HostedRanks.STOP_NOTE, note().toString()));
        SortedSet<String> remove = new TreeSet<>(environment.removed());
        remove.addAll(gone);
        remove.removeAll(set.keySet());
        List<String> command = plan.command(process);
        return new ProcessRequest(
                process.id(),
                command,
                set,
                remove,
                Path.of(process.launch().workDirectory()),
                output,
                Optional.empty(),
                hasInput,
                process.hosted().isEmpty() && WrapperCommands.contain(command),
                process.hosted().map(this::host));
    }

    private ProcessRequest.Host host(HostedRanks ranks) {
        boolean waitsForOthers = ranks.until().kind() != Condition.Kind.IMMEDIATELY;
        return new ProcessRequest.Host(ranks.passed(), ranks.left(), waitsForOthers, Optional.of(note()));
    }

    private Path note() {
        return scope.directory().path().resolve(HostedRanks.STOPPING);
    }

    /** What decides whether it is the same; the number of the attempt, which is in its environment, does not. */
    private String content(ProcessSpec process) {
        String files = KeptServices.content(
                process.keptFiles().orElseThrow(), scope.directory().path());
        return plan.command(process) + "\n" + plan.variables(process) + "\n" + process.launch() + "\n" + files;
    }
}
