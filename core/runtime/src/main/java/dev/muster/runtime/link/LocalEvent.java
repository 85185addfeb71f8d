package dev.muster.runtime.link;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Events that a launcher reports about itself, in order. Times are on the launcher's own {@link System#nanoTime()}. No event holds a secret
 * or the value of a variable. Only {@link Answered} holds output, when the job's user asks for it.
 */
public sealed interface LocalEvent {

    /** It waits for something before it can plan; empty: the wait is over. */
    record Awaiting(Optional<String> what) implements LocalEvent {}

    /**
     * It has a plan.
     *
     * @param equal the values of this node that must be equal on all nodes
     * @param command the user's command, printable, with secrets masked; at most 2,000 characters
     * @param follows whether this launcher's part ends with the leader's
     * @param watched the processes of other launchers ({@code id@launcher}) that the plan waits for
     */
    record Planned(SortedMap<String, String> equal, String command, boolean follows, SortedSet<String> watched)
            implements LocalEvent {

        public Planned {
            Objects.requireNonNull(equal);
            watched = Objects.requireNonNullElse(watched, new TreeSet<>());
        }
    }

    /**
     * It is ready to start its processes and waits for the others, in a job that may restart in place. Sent again after it planned again.
     *
     * @param digest of the inputs that all launchers must have in common; empty: there are none
     */
    record Here(String digest) implements LocalEvent {}

    /** A process has been started. */
    record Started(String id, long pid, OptionalInt rank, Optional<String> log, long nanoTime) implements LocalEvent {}

    /** A process is ready: see {@link dev.muster.spi.Condition.Kind#READY}. */
    record Ready(String process, long nanoTime) implements LocalEvent {}

    /**
     * A process has ended.
     *
     * @param exitCode as a shell reports it
     * @param ended for users: {@code exit code 3}, {@code signal 9 (SIGKILL)}
     * @param stoppedByMuster whether it ended after its launcher had told it to stop
     * @param peakMemoryBytes its peak memory; empty: it never ran
     * @param userCpuMs CPU time in user mode
     * @param systemCpuMs CPU time in the kernel
     */
    record Ended(
            String id,
            int exitCode,
            OptionalInt signal,
            String ended,
            boolean stoppedByMuster,
            long nanoTime,
            OptionalLong peakMemoryBytes,
            OptionalLong userCpuMs,
            OptionalLong systemCpuMs)
            implements LocalEvent {}

    /**
     * This launcher's part has ended without success. It is already stopping its processes.
     *
     * @param isConsequence whether a process failed because another was gone. An earlier failure may then become known, here or on another
     *     node. This event is then no answer yet: {@link Heeded} follows, or this again for the earlier failure
     * @param nanoTime when the cause happened
     */
    record Over(JobEnd end, boolean isConsequence, long nanoTime) implements LocalEvent {

        public Over {
            Objects.requireNonNull(end);
        }

        /** An end whose cause is final. */
        public Over(JobEnd end, long nanoTime) {
            this(end, false, nanoTime);
        }
    }

    /**
     * This launcher obeys the stop, and nothing had ended its part before. It is the answer to {@link LinkEvent.Stop} if there was no final
     * {@link Over}. It comes later if a process of this node may have failed first.
     */
    record Heeded() implements LocalEvent {}

    /**
     * This launcher's part has succeeded: it asks to leave.
     *
     * @param reason from the plan; when the leader sends it, the launchers that follow it show it
     */
    record Succeeded(Optional<String> reason) implements LocalEvent {}

    /**
     * Its user asks all other launchers a question.
     *
     * @param id unique among the questions of this launcher
     * @param kind of question
     * @param question JSON
     */
    record Asked(String id, String kind, String question) implements LocalEvent, OfQuestion {}

    /**
     * One piece of the answer to another launcher's {@link Asked}.
     *
     * @param asker the name of the launcher that has asked
     */
    record Answered(String asker, String id, String piece, boolean isLast) implements LocalEvent, OfQuestion {}

    /** Events for users' questions that do not affect the job. */
    interface OfQuestion {}

    /**
     * The last event: no process of this launcher is left.
     *
     * @param exitCode of this launcher
     */
    record Left(int exitCode) implements LocalEvent {}
}
