package dev.muster.runtime.supervise;

import dev.muster.runtime.files.Descriptors;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.output.StreamSpec;
import dev.muster.runtime.process.ProcessListener;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Starts the processes of an attempt.
 *
 * @param streams how the output of a process is shown and where it is logged
 */
record ProcessStarter(
        PreparedPlan plan,
        RunTools tools,
        OutputHub hub,
        Function<ProcessSpec, StreamSpec> streams,
        DebuggedRank debugged) {

    /** How the output of a process is shown and where it is logged. */
    StreamSpec stream(ProcessSpec process) {
        return streams.apply(process);
    }

    /**
     * Starts a process.
     *
     * @param listener told how it has ended
     * @throws IOException when the operating system refuses
     */
    StartedProcess start(ProcessSpec process, ProcessListener listener) throws IOException {
        if (debugged.is(process)) {
            return tools.supervisor().start(request(process, debugged.terminal()), listener);
        }
        ProcessOutput output = hub.open(streams.apply(process));
        List<ProcessOutput> ofRanks = new ArrayList<>();
        try {
            openForRanks(process, ofRanks);
            return tools.supervisor().start(request(process, output.target()), end -> {
                ofRanks.forEach(ProcessStarter::started);
                listener.ended(end);
            });
        } catch (IOException refused) {
            ofRanks.forEach(ProcessStarter::started);
            throw refused;
        } finally {
            output.started();
        }
    }

    /** Ranks that print through nobody find pipes of their own in the private directory. */
    private void openForRanks(ProcessSpec host, List<ProcessOutput> opened) throws IOException {
        if (!Files.exists(Descriptors.ALL)) {
            // Without /proc they print through their host.
            return;
        }
        for (int rank : host.hosted().map(HostedRanks::printing).orElse(Collections.emptySortedSet())) {
            ProcessOutput output = hub.open(streams.apply(RunEffects.rank(host, rank)));
            opened.add(output);
            Path link = tools.directory().path().resolve(HostedRanks.OUTPUT + rank);
            Files.deleteIfExists(link);
            Files.createSymbolicLink(
                    link,
                    Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/"
                            + output.target().write()));
        }
    }

    /** Nobody opens it any more. */
    private static void started(ProcessOutput output) {
        try {
            output.started();
        } catch (IOException isClosed) {
            // Then there is nothing to close.
        }
    }

    private ProcessRequest request(ProcessSpec process, OutputTarget output) {
        SortedMap<String, String> set = variables(process);
        SortedSet<String> remove = new TreeSet<>(tools.environment().removed());
        remove.addAll(process.launch().environment().remove());
        remove.removeAll(set.keySet());
        List<String> command = plan.command(process);
        boolean isReader = debugged.is(process) || tools.supervisor().caller().isInputForRanks();
        return new ProcessRequest(
                command,
                set,
                remove,
                Path.of(process.launch().workDirectory()),
                output,
                Optional.empty(),
                isReader ? ProcessRequest.CALLERS_INPUT : ProcessRequest.NO_INPUT,
                process.hosted().isEmpty() && WrapperCommands.contain(command),
                process.hosted().map(this::host));
    }

    /** What differs from the environment of the launcher's caller. */
    private SortedMap<String, String> variables(ProcessSpec process) {
        SortedMap<String, String> set = new TreeMap<>(tools.environment().set());
        set.keySet().removeAll(process.launch().environment().remove());
        set.putAll(plan.variables(process));
        set.put(RunMarker.VARIABLE, tools.marker());
        process.hosted().ifPresent(ranks -> set.put(HostedRanks.STOP_NOTE, note().toString()));
        return set;
    }

    private ProcessRequest.Host host(HostedRanks ranks) {
        boolean waitsForOthers = ranks.until().kind() != Condition.Kind.IMMEDIATELY;
        return new ProcessRequest.Host(waitsForOthers, Optional.of(note()));
    }

    private Path note() {
        return tools.directory().path().resolve(HostedRanks.STOPPING);
    }
}
