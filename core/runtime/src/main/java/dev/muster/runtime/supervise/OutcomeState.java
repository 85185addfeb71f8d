package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.ProcessSpec;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cause that ended this node's part of the job. Only the event loop uses it. */
final class OutcomeState {

    private @Nullable Cause cause;
    private long since;
    private long knownSince;
    private boolean isDoubtful;

    /** Whether nothing has ended it yet. */
    boolean isOpen() {
        return cause == null;
    }

    /** Must not be called while it is open. */
    Cause cause() {
        return Objects.requireNonNull(cause, "nothing has ended the node's part");
    }

    /** When the cause happened, on the clock of all events. */
    long since() {
        return since;
    }

    /** When this launcher learned of the cause. */
    long knownSince() {
        return knownSince;
    }

    /** @param now when this launcher learned of the cause */
    void setCause(Cause decided, long when, long now) {
        cause = decided;
        since = when;
        knownSince = now;
    }

    /** Whether an earlier failure, here or on another node, may replace the cause. */
    boolean isDoubtful() {
        return isDoubtful;
    }

    void markDoubtful() {
        isDoubtful = true;
    }

    /** Replaces the cause of the same end by a better one. */
    void replaceCause(Cause known) {
        cause = known;
    }

    boolean isSuccess() {
        return cause instanceof Cause.Success
                || (cause instanceof Cause.Decided decided && decided.exitCode() == 0)
                || (isElsewhere() && kind() == JobEnd.Kind.SUCCESS);
    }

    boolean isElsewhere() {
        return cause instanceof Cause.Elsewhere;
    }

    /** The card faults that ended the job, if they did. */
    Optional<Cause.Decided> fault() {
        return cause instanceof Cause.Decided decided && decided.isFault() ? Optional.of(decided) : Optional.empty();
    }

    /** Whether the cause lies outside this node's processes. */
    boolean isStop() {
        return !isSuccess() && cause != null && !(cause instanceof Cause.ProcessFailed);
    }

    /** Whether the job was stopped on request and did not fail. */
    boolean isAskedFor() {
        return cause instanceof Cause.Interrupted
                || isStoppedFromOutside()
                || (isElsewhere() && kind() == JobEnd.Kind.STOPPED);
    }

    /** Whether a SIGTERM that Muster did not send ended a process, on this node or another. */
    boolean isStoppedFromOutside() {
        return cause instanceof Cause.StoppedFromOutside
                || (isElsewhere() && kind() == JobEnd.Kind.STOPPED_FROM_OUTSIDE);
    }

    /** Whether its end is no failure: the job had ended without a failure. After a stop from outside only an end by SIGTERM counts. */
    boolean isHarmless(SupervisedProcess process) {
        boolean isFailure = cause instanceof Cause.ProcessFailed
                || fault().isPresent()
                || (isElsewhere() && (kind() == JobEnd.Kind.FAILED || kind() == JobEnd.Kind.LOST));
        return !isFailure
                && !(process.spec() instanceof ProcessSpec.Hook)
                && (!isStoppedFromOutside() || process.endedBySigterm());
    }

    private JobEnd.Kind kind() {
        return ((Cause.Elsewhere) cause()).end().kind();
    }
}
