package dev.muster.runtime.link;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a launcher says of itself, in the order in which it happened. Times are on the launcher's own {@link System#nanoTime()}.
 * Nothing of it holds a secret or the value of a variable; output only {@link Answered}, when the job's user asks for it.
 */
public sealed interface LocalEvent {

    /** It waits for something before it can make its plan; empty: it does no more. */
    record Awaiting(Optional<String> what) implements LocalEvent {}

    /**
     * It has a plan.
     *
     * @param equal what must be equal on all nodes, with the value here
     * @param command the user's command, for a terminal, secrets masked; at most 2,000 characters
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
     * It is ready to start its processes, and waits until all are: where the job may restart in place. Said again when it has
     * made its plan anew.
     *
     * @param digest of what all launchers must have read alike; empty: nothing
     */
    record Here(String digest) implements LocalEvent {}

    /** A process has been started. */
    record Started(String id, long pid, OptionalInt rank, Optional<String> log, long nanoTime) implements LocalEvent {}

    /** A process serves: see {@link dev.muster.spi.Condition.Kind#READY}. */
    record Ready(String process, long nanoTime) implements LocalEvent {}

    /**
     * A process has ended.
     *
     * @param exitCode as a shell would give it
     * @param ended for users: {@code exit code 3}, {@code signal 9 (SIGKILL)}
     * @param stoppedByMuster it ended after its launcher had told it to stop
     * @param peakMemoryBytes the most that it has used, where it has run
     * @param userCpuMs CPU time in its own code, likewise
     * @param systemCpuMs the same in the kernel
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
     * This launcher's part has ended otherwise than with success; it is stopping its processes already.
     *
     * @param isConsequence whether a process failed because another was gone, so that what failed before may become known later, here
     *     or on another node. Then this is no answer yet: {@link Heeded} follows, or this once more, of the earlier failure
     * @param nanoTime when the cause happened
     */
    record Over(JobEnd end, boolean isConsequence, long nanoTime) implements LocalEvent {

        public Over {
            Objects.requireNonNull(end);
        }

        /** One that is known for good. */
        public Over(JobEnd end, long nanoTime) {
            this(end, false, nanoTime);
        }
    }

    /**
     * The order to stop has been heard, and nothing had ended this launcher's part before: the answer to {@link LinkEvent.Stop}
     * where there was no {@link Over}, or none for good. It comes later where a process of this node may have failed first.
     */
    record Heeded() implements LocalEvent {}

    /**
     * Everything that decides this launcher's part has ended with success: it would like to go.
     *
     * @param reason in the user's words; when the leader says it, those who follow it tell their users
     */
    record Succeeded(Optional<String> reason) implements LocalEvent {}

    /**
     * Its user asks all other launchers.
     *
     * @param id tells the questions of this launcher apart
     * @param kind what is asked for
     * @param question JSON
     */
    record Asked(String id, String kind, String question) implements LocalEvent, OfQuestion {}

    /**
     * It answers another one's {@link Asked}: one piece of the answer.
     *
     * @param asker the name of the launcher that has asked
     */
    record Answered(String asker, String id, String piece, boolean isLast) implements LocalEvent, OfQuestion {}

    /** What is said for users who ask, and is no part of the job's course. */
    interface OfQuestion {}

    /**
     * The last word: nothing of this launcher's is left.
     *
     * @param exitCode what it ends with
     */
    record Left(int exitCode) implements LocalEvent {}
}
