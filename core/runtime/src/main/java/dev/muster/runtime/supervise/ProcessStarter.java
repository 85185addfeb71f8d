package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.files.Descriptors;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.output.StreamSpec;
import dev.muster.runtime.process.ProcessEnd;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Launch;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
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
import java.util.function.Consumer;

/**
 * Starts the processes of an attempt.
 *
 * @param logs the directory of the logs; empty: there are no logs
 */
record ProcessStarter(PreparedPlan plan, RunTools tools, OutputHub hub, RunSettings settings, Optional<Path> logs) {

    /** How many bytes to keep of an output that several ranks share. */
    private static final int KEPT_OF_SEVERAL = 64 * 1024;

    /** How the output of a process is shown and where it is logged. */
    StreamSpec stream(ProcessSpec process) {
        boolean isLogged = !isDebugged(process);
        return new StreamSpec(
                process.id(),
                ProcessNames.of(process),
                process.placement().stream().mapToInt(RankInfo::rank).findFirst(),
                settings.output().prefix().apply(process),
                logs.filter(any -> isLogged)
                        .map(directory -> directory.resolve(process.launch().logFile())),
                process.rankLines().isPresent() ? KEPT_OF_SEVERAL : StreamSpec.USUALLY_KEPT);
    }

    /** A hosted rank as a process, as if it were in the plan. */
    private static ProcessSpec rank(ProcessSpec host, int rank) {
        Launch launch = host.launch();
        String log = launch.logFile().replaceFirst("(\\.[a-z]+)?$", "-rank-" + rank + "$1");
        return ProcessSpec.task(
                        StreamSpec.idOfRank(rank),
                        new Launch(launch.command(), launch.environment(), launch.workDirectory(), log))
                .withPlacement(new RankInfo(rank, rank, rank + 1));
    }

    /**
     * Starts a process.
     *
     * @param listener gets the end of the process
     * @throws IOException when the operating system refuses
     */
    StartedProcess start(ProcessSpec process, Consumer<ProcessEnd> listener) throws IOException {
        if (isDebugged(process)) {
            OutputTarget terminal = settings.output().debugged().terminal();
            return tools.supervisor().start(request(process, terminal), listener);
        }
        ProcessOutput opened = hub.open(stream(process));
        List<ProcessOutput> ofRanks = new ArrayList<>();
        try {
            openForRanks(process, ofRanks);
            return tools.supervisor().start(request(process, opened.pipe().target()), end -> {
                ofRanks.forEach(ProcessStarter::closeWriteEnd);
                listener.accept(end);
            });
        } catch (IOException refused) {
            ofRanks.forEach(ProcessStarter::closeWriteEnd);
            throw refused;
        } finally {
            opened.pipe().closeWriteEnd();
        }
    }

    /** Opens pipes for hosted ranks that do not print through their host. Links to the pipes lie in the private directory. */
    private void openForRanks(ProcessSpec host, List<ProcessOutput> opened) throws IOException {
        if (!Files.exists(Descriptors.ALL)) {
            // Without /proc these ranks print through their host.
            return;
        }
        for (int rank : host.hosted().map(HostedRanks::printing).orElse(Collections.emptySortedSet())) {
            ProcessOutput ofRank = hub.open(stream(rank(host, rank)));
            opened.add(ofRank);
            Path link = tools.directory().path().resolve(HostedRanks.OUTPUT + rank);
            Files.deleteIfExists(link);
            Files.createSymbolicLink(
                    link,
                    Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/"
                            + ofRank.pipe().target().write()));
        }
    }

    /** Closes the pipe's write end: no rank opens it any more. */
    private static void closeWriteEnd(ProcessOutput ofRank) {
        try {
            ofRank.pipe().closeWriteEnd();
        } catch (IOException isClosed) {
            // There is nothing to close.
        }
    }

    private boolean isDebugged(ProcessSpec process) {
        return settings.output().debugged().is(process);
    }

    private Environment environment() {
        return settings.job().environment();
    }

    private ProcessRequest request(ProcessSpec process, OutputTarget target) {
        SortedMap<String, String> set = variables(process);
        SortedSet<String> remove = new TreeSet<>(environment().removed());
        remove.addAll(process.launch().environment().remove());
        remove.removeAll(set.keySet());
        List<String> command = plan.command(process);
        boolean isReader = isDebugged(process) || tools.supervisor().caller().isInputForRanks();
        return new ProcessRequest(
                command,
                set,
                remove,
                Path.of(process.launch().workDirectory()),
                target,
                Optional.empty(),
                isReader ? ProcessRequest.CALLERS_INPUT : ProcessRequest.NO_INPUT,
                process.hosted().isEmpty() ? WrapperCommands.nameIn(command) : "",
                process.hosted().map(this::host));
    }

    /** The variables that differ from the environment of the launcher's caller. */
    private SortedMap<String, String> variables(ProcessSpec process) {
        SortedMap<String, String> set = new TreeMap<>(environment().set());
        set.keySet().removeAll(process.launch().environment().remove());
        set.putAll(plan.variables(process));
        set.put(RunMarker.VARIABLE, tools.marker());
        process.hosted().ifPresent(ranks -> set.put(HostedRanks.STOP_NOTE, note().toString()));
        return set;
    }

    private ProcessRequest.Host host(HostedRanks ranks) {
        boolean waitsForOthers = ranks.until().kind() != Condition.Kind.IMMEDIATELY;
        return new ProcessRequest.Host(waitsForOthers, note());
    }

    private Path note() {
        return tools.directory().path().resolve(HostedRanks.STOPPING);
    }
}
