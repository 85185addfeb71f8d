package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.output.StreamSpec;
import dev.muster.runtime.process.LiveProcess;
import dev.muster.runtime.process.ProcessLauncher;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.process.Warden;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** The real world: processes, signals, output. */
final class RunEffects implements Effects {

    private final PreparedPlan plan;
    private final Events events;
    private final ProcessLauncher launcher;
    private final Warden warden;
    private final ProcessTable table;
    private final OutputHub hub;
    private final Console console;
    private final Function<ProcessSpec, StreamSpec> streams;

    /** @param streams how the output of a process is shown and where it is logged */
    RunEffects(
            PreparedPlan plan,
            Events events,
            ProcessLauncher launcher,
            Warden warden,
            ProcessTable table,
            OutputHub hub,
            Console console,
            Function<ProcessSpec, StreamSpec> streams) {
        this.plan = plan;
        this.events = events;
        this.launcher = launcher;
        this.warden = warden;
        this.table = table;
        this.hub = hub;
        this.console = console;
        this.streams = streams;
    }

    @Override
    public long start(ProcessSpec process) {
        try {
            ProcessOutput output = hub.open(streams.apply(process));
            try {
                return start(process, output);
            } catch (IOException refused) {
                output.failedToStart();
                throw refused;
            }
        } catch (IOException refused) {
            String problem = Reasons.of(refused);
            ended(process, Termination.notStarted(ExitCode.NOT_EXECUTABLE, problem));
            return 0;
        }
    }

    private long start(ProcessSpec process, ProcessOutput output) throws IOException {
        ProcessRequest request = new ProcessRequest(
                process.id(),
                plan.command(process),
                plan.variables(process),
                new TreeSet<>(process.launch().environment().remove()),
                Path.of(process.launch().workDirectory()),
                output.target());
        ProcessLauncher.StartedProcess started = launcher.start(request, how -> ended(process, how));
        warden.adopt(started.pid());
        output.started(started.output());
        return started.pid();
    }

    private void ended(ProcessSpec process, Termination how) {
        events.post(new Event.Ended(process.id(), how, events.now()));
    }

    @Override
    public void signalGroups(String signal, Collection<Long> groups) {
        warden.signalGroups(signal, groups);
    }

    @Override
    public void signalProcesses(String signal, Collection<Long> pids) {
        warden.signalProcesses(signal, pids);
    }

    @Override
    public List<Survivor> survivors(Collection<Long> groups) {
        List<Survivor> survivors = new ArrayList<>();
        for (LiveProcess process : table.find(groups)) {
            survivors.add(
                    new Survivor(process.pid(), process.group(), process.session(), process.name(), process.age()));
        }
        return survivors;
    }

    @Override
    public void say(String line) {
        console.say(line);
    }

    /** For messages about output: how the process is called. */
    static StreamSpec stream(ProcessSpec process, String prefix, Optional<Path> logDirectory) {
        return new StreamSpec(
                process.id(),
                ProcessNames.of(process),
                prefix,
                logDirectory.map(directory -> directory.resolve(process.launch().logFile())));
    }
}
