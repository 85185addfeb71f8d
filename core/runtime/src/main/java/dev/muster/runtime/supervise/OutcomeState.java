package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.ProcessSpec;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What has ended this node's part of the job, and what follows from it. Only the event loop touches it. */
final class OutcomeState {

    private @Nullable Cause cause;
    private long since;
    private long knownSince;
    private boolean isDoubtful;

    /** Nothing has ended it. */
    boolean isOpen() {
        return cause == null;
    }

    /** Not while it is open. */
    Cause cause() {
        return Objects.requireNonNull(cause, "nothing has ended the node's part");
    }

    /** When that happened, on the clock of all events. */
    long since() {
        return since;
    }

    /** When this launcher learned of it. */
    long knownSince() {
        return knownSince;
    }

    /** @param now the end may have happened some time ago */
    void begin(Cause decided, long when, long now) {
        cause = decided;
        since = when;
        knownSince = now;
    }

    /** Whether another failure, here or elsewhere, may turn out to be the end. */
    boolean isDoubtful() {
        return isDoubtful;
    }

    void becomeDoubtful() {
        isDoubtful = true;
    }

    /** The same end, known better. */
    void turnOutToBe(Cause known) {
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

    /** The cards of some ranks have faults. */
    Optional<Cause.Decided> fault() {
        return cause instanceof Cause.Decided decided && decided.isFault() ? Optional.of(decided) : Optional.empty();
    }

    /** The job ends for a reason that lies outside this node's processes. */
    boolean isStop() {
        return !isSuccess() && cause != null && !(cause instanceof Cause.ProcessFailed);
    }

    /** The job was stopped, and did not fail. */
    boolean isAskedFor() {
        return cause instanceof Cause.Interrupted
                || isStoppedFromOutside()
                || (isElsewhere() && kind() == JobEnd.Kind.STOPPED);
    }

    /** Processes have been told to stop by somebody else, on this node or on another. */
    boolean isStoppedFromOutside() {
        return cause instanceof Cause.StoppedFromOutside
                || (isElsewhere() && kind() == JobEnd.Kind.STOPPED_FROM_OUTSIDE);
    }

    /** It ended by itself when the job had an end already, and that was no failure, or it was told to from outside. */
    boolean forgives(SupervisedProcess process) {
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
