package dev.muster.runtime.control;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.Ancestry;
import dev.muster.runtime.process.ProcessSurvey;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Where a launcher is told to stop, and asked what it runs, by other processes of its user's or by root: a Unix socket in its private
 * directory. A caller says one line:
 *
 * <pre>
 * stop GRACE PID   GRACE in milliseconds, or - for the launcher's own; PID is the caller
 * ps
 * </pre>
 *
 * <p>{@code stop} is answered by {@code stopping GRACE} at once, with {@code own} behind it where nobody has set it, and whenever the
 * grace changes, and by {@code ended CODE HOW} when
 * nothing is left to be done; where HOW is {@code leave} the launcher ends only after the caller, whom its end would kill. {@code ps} is
 * answered by a line of JSON.
 */
public final class StopDesk {

    /** What a caller may take to end once it has had its answer. */
    private static final long FOR_CALLERS = Duration.ofSeconds(3).toNanos();

    /** Commands that were started within a second were given at once. In hundredths, as the kernel tells when processes were started. */
    private static final long AT_ONCE = 100;

    /** Said of the launcher's own grace. */
    static final String OWN = "own";

    /** Also of a launcher whose processes were stopped, and not itself, as a simulation. */
    private static final int TERMINATED = ExitCode.ofSignal(SignalNames.TERM);

    private static final long LOOK = Duration.ofMillis(5).toNanos();

    /** More, and those who come are sent away. */
    private static final int MOST_CALLERS = 64;

    private final Signals signals;
    private final LongSupplier nanoClock;
    private final List<Caller> callers = new CopyOnWriteArrayList<>();
    /** Only the desk's thread touches it. */
    private Optional<Asked> asked = Optional.empty();

    /**
     * A grace that a caller wants.
     *
     * @param when the caller was started
     */
    private record Asked(Duration grace, OptionalLong when) {

        boolean isAtOnceWith(Asked other) {
            return when.isPresent()
                    && other.when.isPresent()
                    && Math.abs(when.getAsLong() - other.when.getAsLong()) <= AT_ONCE;
        }
    }

    /** @param signals gets SIGTERM for each stop */
    public StopDesk(Signals signals, LongSupplier nanoClock) {
        this.signals = signals;
        this.nanoClock = nanoClock;
    }

    /** Whose desk it is. Called on the desk's thread; returns at once. */
    public interface Owner {

        /**
         * From now on, this long between TERM and KILL.
         *
         * @param grace empty: as long as it is now
         * @param then gets it once that is so, also for whoever ends the processes when the launcher dies
         */
        void sets(Optional<Duration> grace, Consumer<Duration> then);

        /** @param answer takes JSON in one line */
        void lists(Consumer<String> answer);
    }

    /** An open desk. */
    public interface Door extends AutoCloseable {

        /** Nobody comes any more; who has come is told of the launcher's end. */
        @Override
        void close();
    }

    /** Opens the desk. Where that cannot be, signals must do. */
    public Door open(Path directory, Owner owner) {
        try {
            return DeskDoor.open(directory, callers, MOST_CALLERS, (caller, line) -> obey(caller, line, owner));
        } catch (IOException | UnsupportedOperationException noSocket) {
            return () -> {};
        } catch (OutOfMemoryError | LinkageError noThread) {
            // Also a Java runtime that was made without the module jdk.net.
            return () -> {};
        }
    }

    /** @throws IOException nothing that is known here */
    private void obey(Caller caller, String line, Owner owner) throws IOException {
        String[] words = line.split(" ", -1);
        try {
            if (words[0].equals("stop") && words.length == 3) {
                caller.awaitsTheEnd(Long.parseLong(words[2]));
                if (words[1].equals("-")) {
                    signals.deliver("TERM", SignalNames.TERM);
                    String whose = asked.isPresent() ? "" : " " + OWN;
                    owner.sets(Optional.empty(), grace -> caller.tell(stopping(grace) + whose));
                } else {
                    asks(new Asked(Duration.ofMillis(Long.parseUnsignedLong(words[1])), caller.startedAt()));
                    owner.sets(asked.map(Asked::grace), this::stop);
                }
            } else if (line.equals("ps")) {
                owner.lists(caller::tell);
            } else {
                throw new IOException("nobody understands " + words[0]);
            }
        } catch (NumberFormatException garbage) {
            throw new IOException(garbage);
        }
    }

    /** The later one holds; of those that were given at once, whichever comes first here, the longest. */
    private void asks(Asked next) {
        if (asked.filter(before -> before.isAtOnceWith(next) && before.grace().compareTo(next.grace()) > 0)
                .isEmpty()) {
            asked = Optional.of(next);
        }
    }

    private void stop(Duration grace) {
        signals.deliver("TERM", SignalNames.TERM);
        callers.stream().filter(caller -> caller.stopper().isPresent()).forEach(caller -> caller.tell(stopping(grace)));
    }

    private static String stopping(Duration grace) {
        return "stopping " + grace.toMillis();
    }

    /**
     * The launcher has done all it had to. Tells those who wait for that, and waits for those whom its end would kill: what the
     * kubelet runs in a container before it stops it must have ended by itself when the container's first process does.
     */
    public void end(int code) {
        boolean isStopped = !callers.isEmpty() || signals.areToStop() || code == TERMINATED;
        boolean isContainers =
                isStopped && Ancestry.of(ProcessHandle.current().pid()).isContainers();
        for (Caller caller : callers) {
            caller.stopper()
                    .ifPresent(from ->
                            caller.tell("ended " + code + (isContainers && from.isFromOutside() ? " leave" : " stay")));
        }
        List<Ancestry> awaited = isContainers ? hooks() : List.of();
        long begin = nanoClock.getAsLong();
        while (awaited.stream().anyMatch(hook -> !hook.haveEnded()) && nanoClock.getAsLong() - begin < FOR_CALLERS) {
            LockSupport.parkNanos(LOOK);
        }
        callers.forEach(Caller::close);
    }

    /** Also those that could only signal, since there was no desk yet: they end as soon as they have. */
    private List<Ancestry> hooks() {
        Stream<Ancestry> withoutCall = ProcessSurvey.all().stream()
                .filter(process -> CommandWords.isStop(ProcessSurvey.arguments(process.pid())))
                .map(process -> Ancestry.of(process.pid()));
        return Stream.concat(callers.stream().flatMap(caller -> caller.stopper().stream()), withoutCall)
                .filter(Ancestry::isFromOutside)
                .toList();
    }
}
