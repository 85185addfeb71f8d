package dev.muster.runtime.supervise;

import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.files.RunRecord;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.EndOfOutput;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.output.StreamSpec;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.LiveProcess;
import dev.muster.runtime.process.MemoryKills;
import dev.muster.runtime.process.MemoryMeter;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.process.Warden;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.words.Consequence;
import dev.muster.runtime.words.LastWords;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The real world: processes, signals, output. */
final class RunEffects implements Effects {

    /** Bytes of a file that tells how the job ended. */
    private static final int LONGEST_TEXT = 4096;

    private static final int TERM = 15;

    /** Bytes of an output that several ranks share. */
    private static final int KEPT_OF_SEVERAL = 64 * 1024;

    private final Events events;
    private final ProcessStarts starts;
    private final Warden warden;
    private final ProcessTable table;
    private final OutputHub hub;
    private final Console console;
    private final RunDirectory runDirectory;
    private final UnaryOperator<String> mask;
    private final MemoryMeter memory;
    private final Waits waits;
    private final FaultTimer faults;
    /** Everybody who may be signalled, by pid. */
    private final Map<Long, ProcessId> known = new HashMap<>();
    /** Made when the first process runs that hosts ranks. */
    private @Nullable RankNoteFiles rankNotes;

    /**
     * @param mask takes the values of secrets out of a text
     * @param memory was made before the run
     * @param waits on the same console
     * @param faults told who runs
     */
    RunEffects(
            Events events,
            ProcessStarts starts,
            Warden warden,
            ProcessTable table,
            OutputHub hub,
            Console console,
            RunDirectory runDirectory,
            UnaryOperator<String> mask,
            MemoryMeter memory,
            Waits waits,
            FaultTimer faults) {
        this.events = events;
        this.starts = starts;
        this.warden = warden;
        this.table = table;
        this.hub = hub;
        this.console = console;
        this.runDirectory = runDirectory;
        this.mask = mask;
        this.memory = memory;
        this.waits = waits;
        this.faults = faults;
    }

    @Override
    public long start(ProcessSpec process) {
        try {
            return starts.start(process, leader -> adopt(process, leader), how -> ended(process, how));
        } catch (IOException refused) {
            ended(process, Refusals.of(refused));
            return 0;
        } catch (OutOfMemoryError noThread) {
            // The JVM has memory for this; it calls it so when the system gives it no thread.
            ended(process, Refusals.of(noThread));
            return 0;
        }
    }

    @Override
    public boolean makeWay(ProcessSpec process) {
        return process.kept().isPresent() && starts.makeWay(process);
    }

    @Override
    public boolean isKept(ProcessSpec process) {
        return starts.isKept(process);
    }

    private void adopt(ProcessSpec process, ProcessId leader) {
        runDirectory.recordLeader(new RunRecord.Owner(leader.pid(), leader.start()));
        warden.adopt(leader);
        table.adopt(leader);
        known.put(leader.pid(), leader);
        faults.started(name(process), Optional.of(leader));
    }

    private void ended(ProcessSpec process, Termination how) {
        events.post(new Event.Ended(process.id(), how, events.now()));
    }

    @Override
    public List<Survivor> signalGroups(String signal, Collection<Long> groups) {
        if (!signal.equals("TERM")) {
            warden.signalGroups(signal, identify(groups));
            return List.of();
        }
        // The last moment to see who descends from whom; and this launcher may be killed the moment after.
        warden.lookAt(table);
        List<LiveProcess> members = table.members(groups).stream()
                .filter(member -> member.age().toNanos() >= StopSignals.BIRTH)
                .toList();
        warden.signalGroups(signal, identify(groups));
        // Whoever leaves its group now has had it all the same.
        warden.haveHadTerm(members.stream().map(LiveProcess::id).toList());
        return members.stream().map(Sightings::survivor).toList();
    }

    @Override
    public void signalProcesses(String signal, Collection<Long> pids) {
        warden.signalProcesses(signal, identify(pids));
    }

    @Override
    public void setGrace(Duration grace) {
        warden.setGrace(grace);
        runDirectory.recordGrace(grace);
    }

    /** As they were when somebody decided to signal them: their numbers may be others' by now. */
    private List<ProcessId> identify(Collection<Long> pids) {
        return pids.stream().flatMap(pid -> Stream.ofNullable(known.get(pid))).toList();
    }

    @Override
    public List<Survivor> survivors(Collection<Long> groups) {
        List<Survivor> survivors = new ArrayList<>();
        for (LiveProcess process : table.find(groups)) {
            known.put(process.pid(), process.id());
            survivors.add(Sightings.survivor(process));
        }
        return survivors;
    }

    @Override
    public boolean hasMissedSurvivors() {
        return table.hasMissedSome();
    }

    @Override
    public void leaveAllToWarden() {
        if (warden.isOn()) {
            console.warn("no more files can be opened here, a limit is reached (ulimit -n): "
                    + (warden.identity().isPresent()
                            ? "the warden ends what is left"
                            : "what is left, if anything, stays, since there is no warden"));
            warden.close();
        }
    }

    @Override
    public List<Carrier> carriers(Collection<String> variables) {
        List<ProcessTable.Carrier> carriers = table.findCarriers(variables);
        carriers.forEach(
                found -> known.put(found.process().pid(), found.process().id()));
        return carriers.stream().map(Sightings::carrier).toList();
    }

    @Override
    public void noteStop() {
        hub.stopBegins();
        runDirectory.note(HostedRanks.STOPPING);
    }

    @Override
    public void keepEnds() {
        runDirectory.hold(HostedRanks.KEPT);
    }

    @Override
    public void releaseEnds() {
        runDirectory.release();
    }

    @Override
    public RankNotes rankNotes() {
        if (rankNotes == null) {
            rankNotes = new RankNoteFiles(runDirectory.path(), events::now);
        }
        RankNotes notes = rankNotes.read();
        notes.started()
                .forEach(rank -> faults.started(
                        Integer.toString(rank.rank()), Optional.of(new ProcessId(rank.pid(), rank.ticks()))));
        return notes;
    }

    /** Its rank, else its id. */
    private static String name(ProcessSpec process) {
        return process.placement()
                .map(placement -> Integer.toString(placement.rank()))
                .orElse(process.id());
    }

    @Override
    public boolean hasEnded(long pid) {
        return ProcessTable.hasEnded(pid);
    }

    @Override
    public boolean catchesTerm(long pid) {
        return ProcessTable.catches(TERM, pid);
    }

    @Override
    public boolean endsByTerm(long pid) {
        return ProcessTable.endsBy(TERM, pid);
    }

    @Override
    public Optional<EndOfOutput> endOfOutput(ProcessSpec process) {
        return hub.end(process.id());
    }

    @Override
    public boolean isConsequence(ProcessSpec process, Termination how) {
        return Consequence.isOne(LastWords.of(hub.last(process.id()).text(), mask, true), how.signal());
    }

    @Override
    public boolean isThere(RankNotes.Started rank) {
        return ProcessTable.isThere(rank.pid(), rank.ticks());
    }

    private Path privateFile(String name) {
        return runDirectory.path().resolve(name);
    }

    @Override
    public String privateText(String name) {
        try (InputStream file = Files.newInputStream(privateFile(name))) {
            return new String(file.readNBytes(LONGEST_TEXT), StandardCharsets.UTF_8);
        } catch (NoSuchFileException nobodyHasWritten) {
            return "";
        } catch (IOException unreadable) {
            console.warn("cannot read " + privateFile(name) + ": " + Reasons.of(unreadable));
            return "";
        }
    }

    @Override
    public MemoryKills memoryKills() {
        return memory.sinceTheStart();
    }

    @Override
    public Optional<Path> log(ProcessSpec process) {
        return starts.stream(process).logFile();
    }

    @Override
    public String masked(String text) {
        return mask.apply(text);
    }

    @Override
    public void say(String line) {
        console.say(line);
    }

    @Override
    public Waits waits() {
        return waits;
    }

    /** For messages about output: how the process is called. */
    static StreamSpec stream(ProcessSpec process, String prefix, Optional<Path> logDirectory) {
        return new StreamSpec(
                process.id(),
                ProcessNames.of(process),
                prefix,
                logDirectory.map(directory -> directory.resolve(process.launch().logFile())),
                process.rankLines().isPresent() ? KEPT_OF_SEVERAL : StreamSpec.USUALLY_KEPT);
    }
}
