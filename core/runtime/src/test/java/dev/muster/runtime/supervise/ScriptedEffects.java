package dev.muster.runtime.supervise;

import dev.muster.runtime.memory.MemoryKills;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.SignalScope;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.process.SupervisorEvent;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Simulated processes that do what the test says. A stop works as in the native supervisor. */
class ScriptedEffects implements Effects {

    private final Events events;
    private final Map<String, Consumer<String>> whenStarted = new HashMap<>();
    private final Map<String, Consumer<String>> whenTerminated = new HashMap<>();
    private final Set<String> ignoringTerm = new HashSet<>();
    private final Map<Long, String> running = new TreeMap<>();
    private final Map<Long, Stop> stops = new TreeMap<>();
    private final Set<String> consequences = new HashSet<>();
    private long nextPid = 100;
    private long lastStop;

    final List<String> log = new CopyOnWriteArrayList<>();
    final Map<String, String> privateTexts = new HashMap<>();
    /** Ports that other processes hold. */
    final Map<Integer, String> takenPorts = new HashMap<>();
    /** Ids of the processes that have printed a traceback. */
    final Set<String> tracebacks = new HashSet<>();

    /** Called with each line for the user. */
    Consumer<String> whenSaid = line -> {};

    MemoryKills memoryKills = MemoryKills.NONE;

    /** A stop of some processes, with the time of SIGKILL. An empty set means all. */
    private record Stop(Set<Long> only, long deadline) {

        boolean isFor(long pid) {
            return only.isEmpty() || only.contains(pid);
        }
    }

    ScriptedEffects(Events events) {
        this.events = events;
    }

    /** The process ends with this code as soon as it runs. */
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

    /** Runs {@code action} when the process gets SIGTERM. Then it ends, unless it ignores SIGTERM. */
    ScriptedEffects onTerm(String id, Consumer<String> action) {
        whenTerminated.put(id, action);
        return this;
    }

    synchronized void end(String id, int code) {
        running.values().removeIf(id::equals);
        events.post(new Event.Ended(id, Termination.exited(code), events.now()));
        look();
    }

    /** A process gets SIGTERM, but not from the launcher, and ends. */
    synchronized void terminate(String id) {
        deliver(SignalNames.TERM, id);
        look();
    }

    void signalLauncher(String name, int number) {
        events.post(new Event.SignalReceived(new ReceivedSignal(name, number), events.now(), () -> {}));
    }

    synchronized boolean isRunning(String id) {
        return running.containsValue(id);
    }

    synchronized long pid(String id) {
        return running.entrySet().stream()
                .filter(process -> process.getValue().equals(id))
                .mapToLong(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public synchronized StartedProcess start(ProcessSpec process) {
        long pid = nextPid++;
        log.add("start " + process.id());
        running.put(pid, process.id());
        whenStarted.getOrDefault(process.id(), id -> {}).accept(process.id());
        return new StartedProcess(pid, pid);
    }

    @Override
    public synchronized void signal(long id, int number, SignalScope scope) {
        log.add(SignalNames.of(number).substring(3) + " " + running.getOrDefault(id, "process " + id)
                + (scope == SignalScope.LEADER ? "" : " " + scope));
    }

    @Override
    public synchronized long stop(Set<Long> only, Duration grace) {
        long sequence = ++lastStop;
        Stop stop = new Stop(only, events.now() + grace.toNanos());
        stops.put(sequence, stop);
        if (grace.isZero()) {
            look();
            return sequence;
        }
        CompletableFuture.delayedExecutor(grace.toNanos(), TimeUnit.NANOSECONDS).execute(this::look);
        for (String id : meant(stop)) {
            log.add("TERM " + id);
            deliver(SignalNames.TERM, id);
        }
        look();
        return sequence;
    }

    private List<String> meant(Stop stop) {
        return running.entrySet().stream()
                .filter(process -> stop.isFor(process.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private void deliver(int signal, String id) {
        if (signal == SignalNames.TERM) {
            whenTerminated.getOrDefault(id, ignored -> {}).accept(id);
        }
        if (running.containsValue(id) && (signal == SignalNames.KILL || !ignoringTerm.contains(id))) {
            running.values().removeIf(id::equals);
            events.post(new Event.Ended(id, Termination.signalled(signal), events.now()));
        }
    }

    /** Kills the processes whose grace is over, and reports the stops that are complete. */
    synchronized void look() {
        for (Map.Entry<Long, Stop> stop : List.copyOf(stops.entrySet())) {
            if (events.now() >= stop.getValue().deadline()) {
                kill(stop.getKey(), meant(stop.getValue()));
            }
            if (meant(stop.getValue()).isEmpty() && stops.remove(stop.getKey()) != null) {
                events.post(new Event.OfSupervisor(new SupervisorEvent.Stopped(stop.getKey()), events.now()));
            }
        }
    }

    private void kill(long sequence, List<String> ids) {
        for (String id : ids) {
            SupervisorEvent killing = new SupervisorEvent.Killing(sequence, ids.size(), pid(id));
            events.post(new Event.OfSupervisor(killing, events.now()));
        }
        for (String id : ids) {
            log.add("KILL " + id);
            deliver(SignalNames.KILL, id);
        }
    }

    @Override
    public void release(long id) {
        log.add("release " + running.get(id));
    }

    @Override
    public void setGrace(Duration grace) {
        log.add("grace " + grace.toMillis());
    }

    @Override
    public void markStop() {
        log.add("note of the stop");
    }

    @Override
    public boolean isConsequence(ProcessSpec process, Termination how) {
        return consequences.contains(process.id());
    }

    /** The output of this process says that it failed because another process was gone. */
    void failsBecauseOfAnother(String id) {
        consequences.add(id);
    }

    @Override
    public boolean hasOwnTraceback(ProcessSpec process) {
        return tracebacks.contains(process.id());
    }

    @Override
    public String privateText(String name) {
        return privateTexts.getOrDefault(name, "");
    }

    @Override
    public Optional<String> refusal(RequiredPort port) {
        return Optional.ofNullable(takenPorts.get(port.port()));
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
    public void say(String line) {
        log.add("say: " + line);
        whenSaid.accept(line);
    }
}
