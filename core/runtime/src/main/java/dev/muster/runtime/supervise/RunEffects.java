package dev.muster.runtime.supervise;

import dev.muster.runtime.diagnostics.LastWords;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.NoThread;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.memory.MemoryKills;
import dev.muster.runtime.memory.MemoryMeter;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.ports.PortClaims;
import dev.muster.runtime.process.ProcessEnd;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.SignalScope;
import dev.muster.runtime.process.StartLimits;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredPort;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The real side effects: processes, signals, output.
 *
 * @param memory made before the attempt, so that it counts from there
 * @param faults learns which ranks run
 */
record RunEffects(
        RunTools tools,
        RunSettings settings,
        Events events,
        ProcessStarter starts,
        OutputHub hub,
        MemoryMeter memory,
        FaultTimer faults)
        implements Effects {

    /** The most bytes to read of a private file. */
    private static final int LONGEST_TEXT = 4096;

    @Override
    public StartedProcess start(ProcessSpec process) {
        try {
            StartedProcess started = starts.start(process, end -> ended(process, end));
            faults.onStarted(name(process), started);
            return started;
        } catch (IOException refused) {
            notStarted(process, refusal(IoReasons.of(refused)));
        } catch (OutOfMemoryError noThread) {
            if (!NoThread.isIn(noThread)) {
                throw noThread;
            }
            notStarted(process, refusal("no more threads can be made"));
        }
        return NOT_STARTED;
    }

    private void ended(ProcessSpec process, ProcessEnd end) {
        faults.onEnded(name(process));
        events.post(new Event.Ended(process.id(), end.termination(), end.nanoTime(), end.use()));
    }

    private void notStarted(ProcessSpec process, Termination how) {
        events.post(new Event.Ended(process.id(), how, events.now()));
    }

    /** A failed start whose reason is a limit of the machine, not the program. */
    private static Termination refusal(String what) {
        String limits = new StartLimits(Path.of("/")).text();
        return Termination.notStarted(
                ExitCode.TEMPORARY, what + " (" + (limits.isEmpty() ? "no limit can be seen from here" : limits) + ")");
    }

    /** The rank of a process, or else its id. */
    private static String name(ProcessSpec process) {
        return process.placement()
                .map(placement -> Integer.toString(placement.rank()))
                .orElse(process.id());
    }

    @Override
    public void signal(long id, int number, SignalScope scope) {
        tools.supervisor().signal(id, number, scope);
    }

    @Override
    public long stop(Set<Long> only, Duration grace) {
        return tools.supervisor().stop(only, grace, settings.stop().toAll());
    }

    @Override
    public void release(long id) {
        tools.supervisor().release(id);
    }

    @Override
    public void setGrace(Duration grace) {
        tools.supervisor()
                .configure(
                        grace,
                        settings.stop().toAll(),
                        settings.stop().codes().afterTerm(),
                        settings.stop().codes().of(ExitCode.TEMPORARY.code()),
                        tools.directory().madePath(),
                        settings.stop().terminationLog());
    }

    @Override
    public void markStop() {
        hub.markStop();
    }

    @Override
    public boolean isRead(ProcessSpec process) {
        return hub.hasEnded(process.id());
    }

    @Override
    public boolean isConsequence(ProcessSpec process, Termination how) {
        try {
            List<String> words = new EvidenceCollector(starts.plan(), settings, hub).words(process);
            return LastWords.isConsequence(words, how.signal());
        } catch (RuntimeException | StackOverflowError unreadable) {
            // The engine's pattern failed on this output. The evidence tells the user.
            return false;
        }
    }

    @Override
    public boolean hasOwnTraceback(ProcessSpec process) {
        return LastWords.hasOwnFailure(hub.last(process.id()));
    }

    @Override
    public String privateText(String name) {
        Path path = tools.directory().path().resolve(name);
        try (InputStream file = Files.newInputStream(path)) {
            return new String(file.readNBytes(LONGEST_TEXT), StandardCharsets.UTF_8);
        } catch (NoSuchFileException nobodyHasWritten) {
            return "";
        } catch (IOException unreadable) {
            tools.console().warn("cannot read " + path + ": " + IoReasons.of(unreadable));
            return "";
        }
    }

    @Override
    public Optional<String> refusal(RequiredPort port) {
        return PortClaims.refusal(port);
    }

    @Override
    public boolean isElsewhere(String words) {
        return settings.job().otherHost(words).isPresent();
    }

    @Override
    public MemoryKills memoryKills() {
        return memory.sinceTheStart();
    }

    @Override
    public Optional<ResetFile> resetFile() {
        return settings.resets();
    }

    @Override
    public boolean isDebugged(ProcessSpec process) {
        return settings.output().debugged().is(process);
    }

    @Override
    public Optional<Path> log(ProcessSpec process) {
        return starts.stream(process).logFile();
    }

    @Override
    public void onRunning(int processes) {
        settings.owner().ifPresent(owner -> owner.running().accept(processes));
    }

    @Override
    public String masked(String text) {
        return settings.masked(text);
    }

    @Override
    public void say(String line) {
        tools.console().say(line);
    }
}
