package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.Condition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Something that happened outside the event loop.
 */
sealed interface Event {

    /** When it happened, on the clock of {@link System#nanoTime()}. */
    long nanoTime();

    /** A process that was started has ended. */
    record Ended(String id, Termination termination, long nanoTime) implements Event {}

    /** What the supervisor tells beside ends of processes. */
    sealed interface OfSupervisor extends Event {}

    /**
     * A process is being stopped that its leader has left behind.
     *
     * @param owner which process had started it; 0: nobody knows
     */
    record LeftBehind(long pid, String name, long owner, long nanoTime) implements OfSupervisor {}

    /** The grace of a stop is over, and these get SIGKILL, or what they have started does. */
    record Killing(long sequence, int count, List<Long> ids, long nanoTime) implements OfSupervisor {}

    /** A process is still there ten seconds after SIGKILL. */
    record Remains(long sequence, long pid, String name, long nanoTime) implements OfSupervisor {}

    /** Nothing is left of what an order to stop meant. */
    record Stopped(long sequence, long nanoTime) implements OfSupervisor {}

    /** In a stop, none of the ranks that a process hosts runs any more. */
    record HostedRanksEnded(long id, long nanoTime) implements OfSupervisor {}

    /** The supervisor is gone: nothing can be started or signalled any more. */
    record Lost(long nanoTime) implements OfSupervisor {}

    /**
     * The launcher received a signal; the name is without SIG.
     *
     * @param taken told when the event loop has come to it
     */
    record SignalReceived(String signal, int number, long nanoTime, Runnable taken) implements Event {

        /** Nobody is told. */
        SignalReceived(String signal, int number, long nanoTime) {
            this(signal, number, nanoTime, () -> {});
        }
    }

    /** Another launcher has said something. */
    record Told(LinkEvent heard, long nanoTime) implements Event {}

    /**
     * A thread of the launcher has broken down, and what it was to do nobody does any more.
     *
     * @param thrown what it did not expect
     */
    record Broken(String thread, Throwable thrown, long nanoTime) implements Event {}

    /** Somebody outside wants something of this launcher. */
    sealed interface Asked extends Event {}

    /**
     * Time between TERM and KILL, from now on.
     *
     * @param grace empty: as much as it is
     * @param then gets what it is now
     */
    record GraceSet(Optional<Duration> grace, Consumer<Duration> then, long nanoTime) implements Asked {}

    /** To know what runs; the answer is an object of JSON. */
    record ListAsked(Consumer<Map<String, Object>> answer, long nanoTime) implements Asked {}
    /** The platform's list of faults says something else than before. */
    record FaultsSeen(ResetFile.Seen seen, long nanoTime) implements Event {}

    /** A condition of the plan has come true. */
    record ConditionMet(Condition condition, long nanoTime) implements Event {}
}
