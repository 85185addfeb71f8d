package dev.muster.runtime.report;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;

/** What ended a node's job. */
public sealed interface Cause {

    /** What produced the exit code. */
    String source();

    /** The kind of the end, in a word. */
    String kind();

    /** The cause for a signal to the launcher. SIGKILL means that the supervisor, which gets the signals, was killed. */
    static Cause of(ReceivedSignal signal) {
        return signal.name().equals(Signals.KILL) ? Decided.KILLED : new Interrupted(signal);
    }

    /** Whether the launcher was killed. The other launchers then count it as lost, whatever it can still send. */
    default boolean isLauncherKilled() {
        return equals(Decided.KILLED);
    }

    /** Everything the plan asks for succeeded. */
    record Success() implements Cause {

        @Override
        public String source() {
            return "all tasks";
        }

        @Override
        public String kind() {
            return "success";
        }
    }

    /** The end of one process ended the job. */
    sealed interface OfProcess extends Cause {

        ProcessSpec process();

        long pid();

        Termination termination();

        /** What the process itself said about its end, if anything. */
        Optional<String> reason();

        @Override
        default String source() {
            return process().id();
        }

        /** Whether the process is a step that the launcher killed because it took longer than its plan allows. */
        default boolean isOverdue() {
            return false;
        }
    }

    /**
     * A process failed before anything told it to stop.
     *
     * @param reason what the process itself said about its end, if anything
     */
    record ProcessFailed(
            ProcessSpec process, long pid, Termination termination, Optional<String> reason, boolean isOverdue)
            implements OfProcess {

        /** The process ended by itself. */
        public ProcessFailed(ProcessSpec process, long pid, Termination termination, Optional<String> reason) {
            this(process, pid, termination, reason, false);
        }

        /** A step that the launcher killed because it took longer than its plan allows. */
        public static ProcessFailed overdue(ProcessSpec.Hook hook, long pid, Termination termination) {
            return new ProcessFailed(
                    hook,
                    pid,
                    termination,
                    Optional.of("it " + ProcessNames.overdue(hook) + ", and was killed by this launcher"),
                    true);
        }

        @Override
        public String kind() {
            return "failure";
        }
    }

    /**
     * A task or service ended by a SIGTERM that the launcher had not sent. The launcher itself was not told to stop before. So the
     * platform stops the job, and has begun with the processes. MindX DL does ({@code pre_stop.sh} signals every Python process of a
     * pod).
     *
     * @param reason what the process itself said about its end, if anything
     */
    record StoppedFromOutside(ProcessSpec process, long pid, Termination termination, Optional<String> reason)
            implements OfProcess {
        @Override
        public String kind() {
            return "stop";
        }
    }

    /** The launcher was told to stop by a signal, or the job's time limit is over. */
    record Interrupted(ReceivedSignal signal) implements Cause {

        @Override
        public String source() {
            return signal.isTimeLimit() ? "time limit" : signal.title();
        }

        @Override
        public String kind() {
            return "stop";
        }
    }

    /** An end that states its own exit code and reason. */
    sealed interface Stated extends Cause {

        /** The exit code in the standard style, {@link ExitCodes#STANDARD}. */
        int exitCode();

        String reason();
    }

    /**
     * A case of the plan's outcome came true, or the platform reported faulty cards.
     *
     * @param faulty the ranks of this node with faulty cards; empty: the outcome decided
     */
    record Decided(int exitCode, String reason, SortedSet<Integer> faulty) implements Stated {

        /** The launcher's supervisor was killed. */
        public static final Decided KILLED = new Decided(
                ExitCode.TEMPORARY.code(), "its launcher was killed (the supervisor of bin/muster is gone)");

        /** The outcome of a plan. */
        public Decided(int exitCode, String reason) {
            this(exitCode, reason, Collections.emptySortedSet());
        }

        /** Whether cards have faults. */
        public boolean isFault() {
            return !faulty.isEmpty();
        }

        @Override
        public String source() {
            return isFault() ? "reset file" : "outcome";
        }

        @Override
        public String kind() {
            return isFault() ? "failure" : exitCode == 0 ? "success" : "outcome";
        }
    }

    /**
     * The job hangs: no rank makes progress.
     *
     * @param isToRestart whether the job may start again
     */
    record Hung(String reason, boolean isToRestart) implements Stated {
        @Override
        public int exitCode() {
            return ExitCode.TEMPORARY.code();
        }

        @Override
        public String source() {
            return "hang";
        }

        @Override
        public String kind() {
            return isToRestart ? "failure" : "outcome";
        }
    }

    /**
     * The job ended because of another node.
     *
     * @param end where and why
     */
    record Elsewhere(JobEnd end) implements Cause {

        @Override
        public String source() {
            return ResultDocument.source(end);
        }

        @Override
        public String kind() {
            return switch (end.kind()) {
                case FAILED -> "failure";
                case STOPPED, STOPPED_FROM_OUTSIDE -> "stop";
                case SUCCESS, OUTCOME, REFUSED, LOST -> end.kind().name().toLowerCase(Locale.ROOT);
            };
        }
    }

    /** A later attempt could not begin: its plan could not be made or prepared. */
    record Refused(int exitCode, String reason) implements Stated {
        @Override
        public String source() {
            return "muster";
        }

        @Override
        public String kind() {
            return "refused";
        }
    }
}
