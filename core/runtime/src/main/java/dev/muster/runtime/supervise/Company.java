package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.Said;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.ProcessSpec;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** Tells the other launchers how this node's part of the job goes. Only the event loop touches it. */
final class Company {

    private final Link link;
    private final boolean stopsAlone;
    private final boolean restarts;
    private final OwnEnd ends;
    private final Effects effects;
    private final Roster roster;
    private final ConditionWatch conditions;
    private boolean hasAnswered;
    private boolean hasSucceeded;

    @Inject
    Company(Others others, Roster roster, StopTimes times, Effects effects, ConditionWatch conditions) {
        this.link = others.link();
        this.stopsAlone = others.stopsAlone();
        this.restarts = others.restarts();
        this.ends = new OwnEnd(others, roster, times, effects);
        this.effects = effects;
        this.roster = roster;
        this.conditions = conditions;
    }

    void started(Supervised process) {
        if (link.isUsed() && process.wasStarted()) {
            link.say(new Said.Started(
                    process.id(),
                    process.pid(),
                    process.rank(),
                    effects.log(process.spec()).map(Path::toString),
                    process.startedAt()));
        }
    }

    void ready(Supervised process, long when) {
        if (link.isUsed()) {
            link.say(new Said.Ready(process.id(), when));
        }
        conditions.ready(process.id(), when);
    }

    void ended(Supervised process) {
        if (link.isUsed()) {
            Termination how = Objects.requireNonNull(process.termination());
            link.say(new Said.Ended(
                    process.id(),
                    how.exitCode(),
                    how.signal(),
                    effects.masked(how.describe()),
                    process.endedByUs(),
                    process.endedAt()));
        }
        conditions.ended(process.id(), process.endedAt());
    }

    /** What waits is never going to be started: it has ended for those that wait for its end, here and on other nodes. */
    void giveUpTheWaiting(long now) {
        for (Supervised process : roster.all()) {
            if (process.isWaiting() && !(process.spec() instanceof ProcessSpec.Hook)) {
                haveEnded(process.id(), "never started", now);
                conditions.ended(process.id(), now);
            }
        }
    }

    /** Ranks that processes host have ended, and they must not hear of it before those of all nodes have: see {@link HostedRankEnds}. */
    void haveNoRank(String which, long when) {
        haveEnded(which, "ended", when);
    }

    private void haveEnded(String which, String how, long when) {
        if (link.isUsed()) {
            link.say(new Said.Ended(which, 0, OptionalInt.empty(), how, true, when));
        }
    }

    /**
     * This node's part has an end; once it was a success, it may have another later.
     *
     * @param isConsequence whether it is a failure because another process was gone
     * @param isSearching whether one that failed before may still become known here
     */
    void ended(Ending ending, boolean isConsequence, boolean isSearching) {
        Cause cause = ending.cause();
        if (!link.isUsed() || (isOurMatterOnly(cause) && !restarts)) {
            return;
        }
        if (isOurMatterOnly(cause)) {
            hasAnswered = true;
            link.say(new Said.Over(ends.lost((Cause.Interrupted) cause, ending.since()), ending.since()));
        } else if (ending.isElsewhere()) {
            heedUnless(isSearching);
        } else if (ending.isSuccess()) {
            succeed(reason(cause));
        } else {
            hasAnswered = !isConsequence;
            link.say(new Said.Over(ends.of(cause, ending.since()), isConsequence, ending.since()));
            heedUnless(isSearching);
        }
    }

    private void heedUnless(boolean isSearching) {
        if (!isSearching) {
            heed();
        }
    }

    /** Only a plan says it in words that serve other nodes, too. */
    private Optional<String> reason(Cause success) {
        return success instanceof Cause.Decided decided
                ? Optional.of(effects.masked(decided.reason()))
                : Optional.empty();
    }

    /** The others want this node to stop; told once, unless they know already that it does. */
    void heed() {
        if (!hasAnswered && link.isUsed()) {
            hasAnswered = true;
            link.say(new Said.Heeded());
        }
    }

    /**
     * Nothing of this node runs any more, and the others go on without it.
     *
     * @return whether it need not wait for them
     */
    boolean leavesAlone() {
        if (!hasAnswered) {
            succeed(Optional.empty());
        }
        return !restarts;
    }

    private void succeed(Optional<String> reason) {
        if (!hasSucceeded) {
            hasSucceeded = true;
            link.say(new Said.Succeeded(reason));
        }
    }

    /** The user has asked to end this node, and not the job. */
    boolean isOurMatterOnly(Cause cause) {
        return stopsAlone && cause instanceof Cause.Interrupted;
    }
}
