package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What has ended this node's part of the job, and what follows from it. Only the event loop touches it. */
final class Ending {

    private final Outcome outcome;
    private final StopTimes times;
    private final Roster roster;
    private final Events clock;
    private @Nullable Cause cause;
    private long since;
    private long knownSince;
    private boolean isDoubtful;
    private OptionalLong respiteEnd = OptionalLong.empty();
    private boolean isPatience;

    /** @param outcome what the plan says of it */
    @Inject
    Ending(Outcome outcome, StopTimes times, Roster roster, Events clock) {
        this.outcome = outcome;
        this.times = times;
        this.roster = roster;
        this.clock = clock;
    }

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

    void begin(Cause decided, long when) {
        begin(decided, when, when);
    }

    /** @param now the end may have happened some time ago */
    void begin(Cause decided, long when, long now) {
        cause = decided;
        since = when;
        knownSince = now;
        if (decided instanceof Cause.StoppedFromOutside) {
            respiteEnd = OptionalLong.of(when + times.respite().toNanos());
        } else if (decided instanceof Cause.ProcessFailed && !times.patience().isZero()) {
            isPatience = true;
            respiteEnd = OptionalLong.of(when + times.patience().toNanos());
        }
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

    /** The end of the job, seen from a node where it did not begin. */
    Cause elsewhere(JobEnd end) {
        return new Cause.Elsewhere(end);
    }

    /** This node ends when the others' launchers say that the job has. */
    boolean isToldByOthers() {
        return outcome.followsLeader();
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

    /** Whether the job may start again after it, as far as this node knows: what it takes for a stop may turn out to be a loss. */
    boolean mayBeFollowed() {
        return !isSuccess()
                && !(cause instanceof Cause.Interrupted)
                && (!isElsewhere() || kind() == JobEnd.Kind.FAILED || kind() == JobEnd.Kind.LOST);
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
    boolean forgives(Supervised process) {
        boolean isFailure = cause instanceof Cause.ProcessFailed
                || fault().isPresent()
                || (isElsewhere() && (kind() == JobEnd.Kind.FAILED || kind() == JobEnd.Kind.LOST));
        return !isFailure
                && !(process.spec() instanceof ProcessSpec.Hook)
                && (!isStoppedFromOutside() || process.endedBySigterm());
    }

    // --- the time in which nobody is signalled. After a process has ended by a SIGTERM that we had not sent, the
    // others have most likely
    // got it as well and put things away: a program that takes a second SIGTERM for "now" would lose its checkpoint.
    // And some attempts
    // are patient when a task has failed, because the others learn of it by themselves.

    /** Who is told to stop has no patience left. */
    void signalled() {
        if (isPatience) {
            respiteEnd = OptionalLong.of(clock.now());
        }
    }

    /** It has begun, is not over, and somebody runs whom it is for. */
    boolean leavesInPeace() {
        return respiteEnd.isPresent()
                && clock.now() < respiteEnd.getAsLong()
                && roster.all().stream().anyMatch(process -> process.isRunning() && isFor(process.spec()));
    }

    /** When it is over; empty when it has not begun. */
    OptionalLong endOfRespite() {
        return respiteEnd;
    }

    /** Steps are the engine's own, and a service that hosts ranks only carries what another process has started. */
    private boolean isFor(ProcessSpec process) {
        return process instanceof ProcessSpec.Task
                || (process instanceof ProcessSpec.Service service
                        && service.hosted().isEmpty()
                        && !isPatience);
    }

    private JobEnd.Kind kind() {
        return ((Cause.Elsewhere) cause()).end().kind();
    }
}
