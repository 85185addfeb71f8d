package dev.muster.runtime.control;

import dev.muster.runtime.process.Ancestry;
import dev.muster.runtime.process.ProcessSurvey;
import dev.muster.runtime.process.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
 * <p>{@code stop} is answered by {@code stopping} at once, and by {@code ended CODE HOW} when nothing is left to be done; where HOW is
 * {@code leave} the launcher ends only after the caller, whom its end would kill. {@code ps} is answered by a line of JSON.
 */
public final class StopDesk {

    /** What a caller may take to end once it has had its answer. */
    private static final long FOR_CALLERS = Duration.ofSeconds(3).toNanos();

    private static final int SIGTERM = 15;
    private static final long LOOK = Duration.ofMillis(5).toNanos();

    /** More, and those who come are sent away. */
    private static final int MOST_CALLERS = 64;

    private final Signals signals;
    private final LongSupplier nanoClock;
    private final List<Caller> callers = new CopyOnWriteArrayList<>();

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
         * @param then called once that is so, also for whoever ends the processes when the launcher dies
         */
        void sets(Duration grace, Runnable then);

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
                    stop(caller);
                } else {
                    owner.sets(Duration.ofMillis(Long.parseUnsignedLong(words[1])), () -> stop(caller));
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

    private void stop(Caller caller) {
        signals.deliver("TERM", SIGTERM);
        caller.tell("stopping");
    }

    /**
     * The launcher has done all it had to. Tells those who wait for that, and waits for those whom its end would kill: what the
     * kubelet runs in a container before it stops it must have ended by itself when the container's first process does.
     */
    public void end(int code) {
        boolean isContainers = (!callers.isEmpty() || signals.areToStop())
                && Ancestry.of(ProcessHandle.current().pid()).isContainers();
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
