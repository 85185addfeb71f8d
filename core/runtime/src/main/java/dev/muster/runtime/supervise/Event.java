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
     * @param use its use of resources; empty: it never ran
     */
    record Ended(String id, Termination termination, long nanoTime, Optional<ResourceUse> use) implements Event {

        Ended(String id, Termination termination, long nanoTime) {
            this(id, termination, nanoTime, Optional.empty());
        }
    }

    /** An event of the native supervisor other than the end of a process. */
    record OfSupervisor(SupervisorEvent event, long nanoTime) implements Event {}

    /**
     * The launcher received a signal.
     *
     * @param taken called when the event loop handles the signal
     */
    record SignalReceived(ReceivedSignal signal, long nanoTime, Runnable taken) implements Event {}

    /** A message of another launcher. */
    record OfPeer(LinkEvent heard, long nanoTime) implements Event {}

    /**
     * A thread of the launcher ended with an exception. Its work will not be done.
     *
     * @param thrown the uncaught exception
     */
    record Broken(String thread, Throwable thrown, long nanoTime) implements Event {}

    /** A request to this launcher from outside the event loop. */
    sealed interface Asked extends Event {}

    /**
     * Sets the grace of the stop.
     *
     * @param grace empty: do not change it
     * @param then gets the grace that holds now
     */
    record GraceSet(Optional<Duration> grace, Consumer<Duration> then, long nanoTime) implements Asked {}

    /** Asks what runs here; the answer is a JSON object. */
    record ListAsked(Consumer<Map<String, Object>> answer, long nanoTime) implements Asked {}
    /** The platform's list of card faults has changed. */
    record FaultsSeen(ResetFile.Seen seen, long nanoTime) implements Event {}

    /** The job hangs and must end. */
    record Hangs(String reason, boolean isToRestart, long nanoTime) implements Asked {}

    /** A condition of the plan has come true. */
    record ConditionMet(Condition condition, long nanoTime) implements Event {}
}
