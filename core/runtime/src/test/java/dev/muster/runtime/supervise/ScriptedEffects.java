package dev.muster.runtime.supervise;

import dev.muster.runtime.output.EndOfOutput;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.MemoryKills;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A world of processes that do what the test says. All calls come from the event loop's thread. */
class ScriptedEffects implements Effects {

    private static final int SIGTERM = 15;
    private static final int SIGKILL = 9;
    /** What everybody is at first. */
    static final long PROGRAM = 1;

    private final Events events;
    private final Map<String, Consumer<String>> whenStarted = new HashMap<>();
    private final Map<String, Consumer<String>> whenTerminated = new HashMap<>();
    private final Set<String> ignoringTerm = new HashSet<>();
    private final Map<Long, String> running = new HashMap<>();
    private final List<Survivor> survivors = new CopyOnWriteArrayList<>();
    private final Set<Long> stubborn = new HashSet<>();
    /** How often the machine was searched for ranks. */
    int searches;

    private final Set<String> consequences = new HashSet<>();
    private long nextPid = 100;

    final List<String> log = new ArrayList<>();
    final List<Long> killedGroups = new ArrayList<>();
    final Map<String, String> privateTexts = new HashMap<>();
    /** Processes that carry variables, by their pids. */
    final Map<Long, Set<String>> carriers = new TreeMap<>();

    final Map<Long, Long> parents = new HashMap<>();
    /** Of those who have a variable; else they are old. */
    final Map<Long, Duration> ages = new HashMap<>();
    /** Notes that nobody has read yet. */
    final List<RankNotes.Started> startedRanks = new ArrayList<>();

    boolean catchingTerm = true;
    /** Whether no file can be opened. */
    boolean isBlind;

    /** Pids of those that SIGTERM would end. */
    final Set<Long> endingByTerm = new HashSet<>();

    /** Pids of processes that have ended before anybody hears of it. */
    final Set<Long> endedUnheard = new HashSet<>();

    final Map<String, EndOfOutput> ends = new HashMap<>();
    final List<RankNotes.Failed> failedRanks = new ArrayList<>();
    final Set<Integer> goneRanks = new HashSet<>();

    MemoryKills memoryKills = MemoryKills.NONE;

    ScriptedEffects(Events events) {
        this.events = events;
    }

    /** As soon as it runs, the process ends with this code. */
    ScriptedEffects ends(String id, int code) {
        return onStart(id, started -> end(started, code));
    }

    ScriptedEffects onStart(String id, Consumer<String> action) {
        whenStarted.put(id, action);
        return this;
    }

    ScriptedEffects ignoresTerm(String id) {
        ignoringTerm.add(id);
        return this;
    }

    /** What happens when it gets SIGTERM. */
    ScriptedEffects onTerm(String id, Consumer<String> action) {
        whenTerminated.put(id, action);
        return this;
    }

    void end(String id, int code) {
        running.values().removeIf(id::equals);
        events.post(new Event.Ended(id, Termination.exited(code), events.now()));
    }

    /** Somebody else sends SIGTERM to a process, which ends by it. */
    void terminate(String id) {
        deliver("TERM", id);
    }

    void signalLauncher(String name, int number) {
        events.post(new Event.SignalReceived(name, number, events.now()));
    }

    void leaveBehind(long pid, long group, boolean ignoresTerm) {
        leaveBehind(pid, group, ignoresTerm, Duration.ofHours(1));
    }

    void leaveBehind(long pid, long group, boolean ignoresTerm, Duration age) {
        survivors.add(survivor(pid, group, age, PROGRAM));
        if (ignoresTerm) {
            stubborn.add(pid);
        }
    }

    private Survivor survivor(long pid, long group, Duration age, long program) {
        return new Survivor(pid, parents.getOrDefault(pid, 1L), group, group, "child" + pid, age, program);
    }

    /** It goes on as another program, perhaps in another group. */
    void becomesAnother(long pid, long group, long program) {
        survivors.replaceAll(
                survivor -> survivor.pid() == pid ? survivor(pid, group, survivor.age(), program) : survivor);
    }

    boolean isRunning(String id) {
        return running.containsValue(id);
    }

    @Override
    public long start(ProcessSpec process) {
        long pid = nextPid++;
        log.add("start " + process.id());
        running.put(pid, process.id());
        whenStarted.getOrDefault(process.id(), id -> {}).accept(process.id());
        return pid;
    }

    @Override
    public List<Survivor> signalGroups(String signal, Collection<Long> groups) {
        List<Survivor> members = survivors.stream()
                .filter(survivor ->
                        groups.contains(survivor.group()) && survivor.age().toNanos() >= StopSignals.BIRTH)
                .toList();
        for (long group : groups) {
            String id = running.get(group);
            if (id != null) {
                log.add(signal + " " + id);
                deliver(signal, id);
            }
            if (signal.equals("KILL")) {
                killedGroups.add(group);
                survivors.removeIf(survivor -> survivor.group() == group);
            }
        }
        return members;
    }

    private void deliver(String signal, String id) {
        if (signal.equals("TERM")) {
            whenTerminated.getOrDefault(id, ignored -> {}).accept(id);
        }
        if (signal.equals("KILL") || !ignoringTerm.contains(id)) {
            running.values().removeIf(id::equals);
            int number = signal.equals("KILL") ? SIGKILL : SIGTERM;
            events.post(new Event.Ended(id, Termination.signalled(number), events.now()));
        }
    }

    @Override
    public void signalProcesses(String signal, Collection<Long> pids) {
        for (long pid : pids) {
            log.add(signal + " " + running.getOrDefault(pid, "process " + pid));
        }
        survivors.removeIf(survivor ->
                pids.contains(survivor.pid()) && (signal.equals("KILL") || !stubborn.contains(survivor.pid())));
    }

    @Override
    public void setGrace(Duration grace) {
        log.add("grace " + grace.toMillis());
    }

    @Override
    public List<Survivor> survivors(Collection<Long> groups) {
        return List.copyOf(survivors);
    }

    @Override
    public boolean hasMissedSurvivors() {
        return isBlind;
    }

    @Override
    public void leaveAllToWarden() {
        log.add("all left to the warden");
    }

    @Override
    public List<Carrier> carriers(Collection<String> variables) {
        searches++;
        return carriers.entrySet().stream()
                .filter(entry -> entry.getValue().stream().anyMatch(variables::contains))
                .map(entry -> carrier(entry.getKey()))
                .toList();
    }

    private Carrier carrier(long pid) {
        long parent = parents.getOrDefault(pid, 1L);
        return new Carrier(
                pid,
                parent,
                "child" + pid,
                running.containsKey(parent),
                ages.getOrDefault(pid, Duration.ofHours(1)),
                PROGRAM);
    }

    @Override
    public void noteStop() {
        log.add("note of the stop");
    }

    @Override
    public void keepEnds() {
        log.add("ends are kept");
    }

    @Override
    public void releaseEnds() {
        log.add("ends are released");
    }

    @Override
    public RankNotes rankNotes() {
        RankNotes noted = new RankNotes(startedRanks, failedRanks, goneRanks);
        startedRanks.clear();
        failedRanks.clear();
        goneRanks.clear();
        return noted;
    }

    @Override
    public boolean hasEnded(long pid) {
        return endedUnheard.contains(pid);
    }

    @Override
    public boolean catchesTerm(long pid) {
        return catchingTerm;
    }

    @Override
    public boolean endsByTerm(long pid) {
        return endingByTerm.contains(pid);
    }

    @Override
    public Optional<EndOfOutput> endOfOutput(ProcessSpec process) {
        return Optional.ofNullable(ends.get(process.id()));
    }

    @Override
    public boolean isConsequence(ProcessSpec process, Termination how) {
        return consequences.contains(process.id());
    }

    /** What it says, when it fails, is that another was gone. */
    void failsBecauseOfAnother(String id) {
        consequences.add(id);
    }

    @Override
    public boolean isThere(RankNotes.Started rank) {
        return carriers.containsKey(rank.pid());
    }

    @Override
    public String privateText(String name) {
        return privateTexts.getOrDefault(name, "");
    }

    @Override
    public MemoryKills memoryKills() {
        return memoryKills;
    }

    @Override
    public Optional<Path> log(ProcessSpec process) {
        return Optional.of(Path.of("/logs").resolve(process.id() + ".log"));
    }

    @Override
    public String masked(String text) {
        return text.replace("secret-value", "******");
    }

    @Override
    public Waits waits() {
        return Waits.inLines(this::say, events::now);
    }

    @Override
    public void say(String line) {
        log.add("say: " + line);
    }
}
