package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.process.SupervisorEvent;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.Condition;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Something that happened outside the event loop.
 */
sealed interface Event {

    /** When it happened, on the clock of {@link System#nanoTime()}. */
    long nanoTime();

    /**
     * A process that was started has ended.
     *
     * @param use what it has used, where it has run
     */
    record Ended(String id, Termination termination, long nanoTime, Optional<ResourceUse> use) implements Event {

        Ended(String id, Termination termination, long nanoTime) {
            this(id, termination, nanoTime, Optional.empty());
        }
    }

    /** What the supervisor tells beside ends of processes. */
    record OfSupervisor(SupervisorEvent event, long nanoTime) implements Event {}

    /**
     * The launcher received a signal.
     *
     * @param taken told when the event loop has come to it
     */
    record SignalReceived(ReceivedSignal signal, long nanoTime, Runnable taken) implements Event {}

    /** Another launcher has said something. */
    record OfPeer(LinkEvent heard, long nanoTime) implements Event {}

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

    /** The job hangs, and is to end. */
    record Hangs(String reason, boolean isToRestart, long nanoTime) implements Asked {}

    /** A condition of the plan has come true. */
    record ConditionMet(Condition condition, long nanoTime) implements Event {}
}
