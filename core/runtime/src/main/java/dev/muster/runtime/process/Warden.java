package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
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

    /** It ends in a few milliseconds, unless it stands still. */
    private static final Duration TO_QUIT = Duration.ofMillis(100);

    /** By so many shells an order is tried. */
    private static final int ATTEMPTS = 2;

    private WardenSettings settings;
    private final Guard guard;
    private final LongSupplier nanoClock;
    private final Consumer<ProcessId> onStart;
    private final Consumer<String> warn;
    private final Wards wards = new Wards();
    private final TermTimes times;
    private @Nullable WardenShell shell;
    private boolean isMissing;
    private boolean wasAwaited;
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
        this.times = new TermTimes(nanoClock);
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

    /**
     * Returns when the shell has begun to read orders, or another one in its place. Until then it may still need another process, for
     * its lock, and could guard nobody where none can be made. Waits once only: where no shell answers, {@link #check} goes on trying.
     */
    public synchronized void awaitBegin() {
        if (!wasAwaited) {
            wasAwaited = true;
            order(WardenOrders.PING);
        }
    }

    /** The shell, while there is one. */
    public synchronized Optional<ProcessId> identity() {
        return Optional.ofNullable(shell).map(WardenShell::id);
    }

    /** Takes a process, and the group and session that it leads, under its care. */
    public synchronized void adopt(ProcessId leader) {
        requireForeign(leader.pid());
        if (wards.addLeader(leader)) {
            give(WardenOrders.adopt(leader));
        }
    }

    /** Tells of processes that are in its care too, though they may neither carry the marker nor be in a group of ours. */
    synchronized void know(Collection<ProcessId> processes) {
        tell("know", wards.add(processes));
    }

    /** Tells of forerunners, who may not be known by a variable later. */
    private synchronized void knowFirst(List<ProcessId> processes) {
        wards.addForerunners(processes);
        tell("first", processes);
    }

    /** Tells of processes that have ended. */
    synchronized void forget(Collection<ProcessId> processes) {
        List<ProcessId> ended = wards.remove(processes);
        times.forget(ended);
        tell("forget", ended);
    }

    /** Looks who descends from those in its care, and tells it of them. */
    public void lookAt(ProcessTable table) {
        table.look();
        Descendants.News news = table.news();
        know(news.born());
        knowFirst(table.newCarriers(news, settings.forerunners()));
        forget(news.ended());
    }

    /** From now on processes have so much time to end when the launcher has died; what they have had until now does not count. */
    public synchronized void setGrace(Duration length) {
        settings = settings.with(length);
        times.countAnew();
        order(WardenOrders.grace(length));
    }

    /** Sends a signal to every process of the groups that these lead; any but KILL is followed by CONT, for stopped ones. */
    public synchronized void signalGroups(String signal, Collection<ProcessId> groups) {
        signal(
                "groups",
                signal,
                groups,
                times.ofGroups(),
                (name, leaders) -> OwnSignals.toGroups(name, leaders, guard));
    }

    /** Tells of processes that have got TERM with their group, in case that they leave it. */
    public synchronized void haveHadTerm(Collection<ProcessId> processes) {
        times.remember("TERM", processes, times.ofProcesses());
        WardenOrders.parts(processes).forEach(some -> give(WardenOrders.warned("processes", some)));
    }

    /** Sends a signal to these processes only. */
    public synchronized void signalProcesses(String signal, Collection<ProcessId> processes) {
        signal("processes", signal, processes, times.ofProcesses(), OwnSignals::toProcesses);
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

    /** Whether the shell has died before a time was over. Nobody is waited for where there is none. */
    boolean dies(Duration within) {
        @Nullable WardenShell watched = current();
        return watched != null && watched.awaitEnd(within);
    }

    private synchronized @Nullable WardenShell current() {
        return shell;
    }

    /** Whether there may be somebody to guard. */
    public synchronized boolean isOn() {
        return !closed;
    }

    /** The run is over, and everything has ended; nothing is ended any more. */
    public synchronized void dismiss() {
        if (shell != null && !closed) {
            shell.write(WardenOrders.QUIT);
            // One that stands still would never read that, and stay.
            if (!shell.awaitEnd(TO_QUIT)) {
                shell.kill();
            }
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
            int done = carryOut(
                    WardenOrders.each(verb + " " + signal, some),
                    count -> times.remember(signal, some.subList(0, count), warned));
            List<ProcessId> rest = some.subList(done, some.size());
            if (!rest.isEmpty()) {
                byItself.send(signal, rest);
                times.remember(signal, rest, warned);
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
        return carryOut(List.of(order), done -> {}) == 1;
    }

    /**
     * Has orders carried out, in their order. When a shell dies in the middle, another one goes on behind what that one has done: nobody
     * hears twice.
     *
     * @param onDone told how many have been carried out, before another shell is told what has happened
     * @return how many
     */
    private int carryOut(List<String> orders, IntConsumer onDone) {
        int done = 0;
        for (int attempt = 1; attempt <= ATTEMPTS && done < orders.size(); attempt++) {
            if (closed || (shell == null && !replace()) || shell == null) {
                return done;
            }
            WardenShell current = shell;
            long before = current.sent();
            boolean isAll = current.order(orders.subList(done, orders.size()));
            String how = isAll ? "" : current.ailment();
            done += isAll ? orders.size() - done : current.end(before);
            onDone.accept(done);
            if (!isAll) {
                replaceLost(current, how);
            }
        }
        return done;
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
        wards.orders().forEach(started::give);
        times.orders().forEach(started::give);
    }

    private static void requireForeign(long pid) {
        if (pid <= 1 || pid == ProcessHandle.current().pid()) {
            throw new IllegalArgumentException("process " + pid + " is not ours to signal");
        }
    }
}
