package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A shell that stands beside the launcher. It sends the signals, since Java cannot signal process groups, and it is a dead
 * man's switch: when the launcher ends without {@link #dismiss}, it ends the processes as the launcher would have done. It is
 * replaced when it dies itself, or does not answer.
 */
public final class Warden implements AutoCloseable {

    /** The variable that a warden is known by: the grace period in hundredths of a second, and the marker of its processes. */
    public static final String SETTINGS = WardenSettings.GRACE_AND_MARKER;

    /** The variable with the private directory of its run, where there is one. */
    public static final String DIRECTORY = WardenSettings.DIRECTORY;

    /** A killed process that is still there then hangs in the kernel. */
    private static final Duration AFTER_KILL = Duration.ofSeconds(10);

    private WardenSettings settings;
    private final Guard guard;
    private final LongSupplier nanoClock;
    private final Consumer<ProcessId> onStart;
    private final Consumer<String> warn;
    private final Map<Long, ProcessId> leaders = new LinkedHashMap<>();
    private final Set<ProcessId> known = new LinkedHashSet<>();
    /** When they got TERM: another shell must not send it again. */
    private final Map<ProcessId, Long> warnedGroups = new LinkedHashMap<>();

    private final Map<ProcessId, Long> warnedProcesses = new LinkedHashMap<>();
    private @Nullable WardenShell shell;
    private boolean isMissing;
    private boolean closed;

    /**
     * @param grace between TERM and KILL when the launcher has died
     * @param forerunners variables by which those are known who get TERM, and the grace period, before all others when the
     *     launcher has died
     * @param directory removed with its content when the launcher has died and all processes have ended
     * @param guard waits for the shell's end when the launcher dies
     * @param onStart told of every new shell
     * @param warn told when the shell had to be replaced
     */
    public Warden(
            RunMarker marker,
            Duration grace,
            Set<String> forerunners,
            Optional<Path> directory,
            Guard guard,
            LongSupplier nanoClock,
            Consumer<ProcessId> onStart,
            Consumer<String> warn) {
        this.settings = new WardenSettings(marker, grace, forerunners, directory);
        this.guard = guard;
        this.nanoClock = nanoClock;
        this.onStart = onStart;
        this.warn = warn;
    }

    /**
     * Starts the shell, before there is anybody to guard.
     *
     * @throws MusterException when there is none on this machine, or it cannot be started
     */
    public synchronized void start() {
        try {
            WardenShell.bash();
        } catch (IOException missing) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE,
                    "bash is missing: it ends the ranks when the launcher is killed. Install bash",
                    missing);
        }
        if (!replace()) {
            throw new MusterException(
                    ExitCode.TEMPORARY,
                    "cannot start the process that ends the ranks when the launcher is killed: the system refuses"
                            + " another process");
        }
    }

    /** The shell, while there is one. */
    public synchronized Optional<ProcessId> identity() {
        return Optional.ofNullable(shell).map(WardenShell::id);
    }

    /** Takes a process, and the group and session that it leads, under its care. */
    public synchronized void adopt(ProcessId leader) {
        requireForeign(leader.pid());
        if (!leader.equals(leaders.put(leader.pid(), leader))) {
            give(WardenOrders.adopt(leader));
        }
    }

    /** Tells of processes that are in its care too, though they may neither carry the marker nor be in a group of ours. */
    synchronized void know(Collection<ProcessId> processes) {
        List<ProcessId> news = processes.stream().filter(known::add).toList();
        tell("know", news);
    }

    /** Tells of processes that have ended. */
    synchronized void forget(Collection<ProcessId> processes) {
        List<ProcessId> ended = processes.stream().filter(known::remove).toList();
        warnedProcesses.keySet().removeAll(ended);
        tell("forget", ended);
    }

    /** Looks who descends from those in its care, and tells it of them. */
    public void lookAt(ProcessTable table) {
        table.look();
        Descendants.News news = table.news();
        know(news.born());
        forget(news.ended());
    }

    /** From now on processes have so much time to end when the launcher has died; what they have had until now does not count. */
    public synchronized void setGrace(Duration length) {
        settings = settings.with(length);
        warnedGroups.replaceAll((group, when) -> nanoClock.getAsLong());
        warnedProcesses.replaceAll((process, when) -> nanoClock.getAsLong());
        order(WardenOrders.grace(length));
    }

    /** Sends a signal to every process of the groups that these lead; any but KILL is followed by CONT, for stopped ones. */
    public synchronized void signalGroups(String signal, Collection<ProcessId> groups) {
        signal("groups", signal, groups, warnedGroups, OwnSignals::toGroups);
    }

    /** Sends a signal to these processes only. */
    public synchronized void signalProcesses(String signal, Collection<ProcessId> processes) {
        signal("processes", signal, processes, warnedProcesses, OwnSignals::toProcesses);
    }

    /** To be called several times a second: a shell that has died, or does not answer, is replaced. */
    synchronized void check() {
        if (closed) {
            return;
        }
        if (shell == null) {
            if (isMissing && replace()) {
                warn.accept("there is a warden again");
            }
        } else if (!shell.isAlive()) {
            replaceLost(shell, "was killed");
        } else if (shell.isSilent()) {
            replaceLost(shell, WardenShell.SILENT);
        }
    }

    /** Whether there may be somebody to guard. */
    synchronized boolean isOn() {
        return !closed;
    }

    /** The run is over, and everything has ended; nothing is ended any more. */
    public synchronized void dismiss() {
        if (shell != null && !closed) {
            shell.write(WardenOrders.QUIT);
        }
        closed = true;
    }

    /** Without {@link #dismiss} this is the launcher's death: returns when everything in its care has been ended. */
    @Override
    public synchronized void close() {
        if (shell != null && !closed) {
            shell.hangUp();
            shell.awaitEnd(settings.grace().plus(AFTER_KILL));
        }
        closed = true;
    }

    private void signal(
            String verb,
            String signal,
            Collection<ProcessId> all,
            Map<ProcessId, Long> warned,
            OwnSignals.Sending byItself) {
        if (!SignalNames.isName(signal)) {
            throw new IllegalArgumentException("no signal is called " + signal);
        }
        all.forEach(process -> requireForeign(process.pid()));
        for (List<ProcessId> some : WardenOrders.parts(all)) {
            if (!order(WardenOrders.about(verb + " " + signal, some))) {
                byItself.send(signal, some);
            }
            if (signal.equals("TERM")) {
                some.forEach(process -> warned.put(process, nanoClock.getAsLong()));
            }
        }
    }

    private void tell(String verb, List<ProcessId> processes) {
        for (List<ProcessId> some : WardenOrders.parts(processes)) {
            order(WardenOrders.about(verb, some));
        }
    }

    private void give(String order) {
        if (shell != null && !closed && !shell.give(order)) {
            replaceLost(shell, shell.ailment());
        }
    }

    /** Whether an order was carried out, by another shell if need be. */
    private boolean order(String order) {
        if (closed || (shell == null && !replace())) {
            return false;
        }
        WardenShell first = shell;
        if (first == null || first.order(order)) {
            return first != null;
        }
        replaceLost(first, first.ailment());
        WardenShell second = shell;
        if (second == null || second.order(order)) {
            return second != null;
        }
        second.kill();
        shell = null;
        isMissing = true;
        return false;
    }

    private void replaceLost(WardenShell lost, String how) {
        lost.kill();
        warn.accept("the warden (pid " + lost.id().pid() + ") " + how
                + (replace()
                        ? "; another one has taken over"
                        : " and cannot be replaced; if Muster is killed now, ranks stay behind"));
    }

    private boolean replace() {
        try {
            WardenShell started = WardenShell.start(settings.variables(), guard, nanoClock);
            shell = started;
            isMissing = false;
            guard.isBackedBy(started.id());
            onStart.accept(started.id());
            brief(started);
            return true;
        } catch (IOException refused) {
            shell = null;
            isMissing = true;
            return false;
        }
    }

    /** All that the one before knew. */
    private void brief(WardenShell started) {
        started.give(WardenOrders.PING);
        leaders.values().forEach(leader -> started.give(WardenOrders.adopt(leader)));
        WardenOrders.parts(known).forEach(some -> started.give(WardenOrders.about("know", some)));
        briefWarned(started, "groups", warnedGroups);
        briefWarned(started, "processes", warnedProcesses);
    }

    private void briefWarned(WardenShell started, String kind, Map<ProcessId, Long> warned) {
        warned.forEach(
                (process, when) -> started.give(WardenOrders.warned(kind, process, nanoClock.getAsLong() - when)));
    }

    private static void requireForeign(long pid) {
        if (pid <= 1 || pid == ProcessHandle.current().pid()) {
            throw new IllegalArgumentException("process " + pid + " is not ours to signal");
        }
    }
}
