package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.plan.HostedEnds;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Launchers;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Keeps it from an mpirun that ranks of this node have ended, until those of all nodes have: it would end the others, in a time of its own,
 * when the last one of a host has ended without {@code MPI_Finalize}. Only the event loop touches it.
 */
final class KeptEnds {

    private static final long PAUSE = Duration.ofMillis(30).toNanos();

    private final Optional<Condition> ofOthers;
    private final RankWatch ranks;
    private final Company company;
    private final ConditionWatch conditions;
    private final Effects effects;
    private final Events clock;
    private boolean isKeeping;
    private boolean areOwnGone;
    private long nextLook;

    KeptEnds(
            LaunchPlan plan,
            RankWatch ranks,
            Company company,
            ConditionWatch conditions,
            Effects effects,
            Events clock) {
        this.ofOthers = HostedEnds.ofOthers(plan);
        this.ranks = ranks;
        this.company = company;
        this.conditions = conditions;
        this.effects = effects;
        this.clock = clock;
    }

    /** Ranks of this node are going to be told to end, and nobody has been told that yet. */
    void begin() {
        if (ofOthers.isPresent()) {
            isKeeping = true;
            nextLook = clock.now();
            effects.keepEnds();
        }
    }

    /** Ends it where no rank runs any more. */
    void look() {
        if (!isKeeping || clock.now() < nextLook) {
            return;
        }
        nextLook = clock.now() + PAUSE;
        if (!areOwnGone && ranks.areGone()) {
            areOwnGone = true;
            company.haveNoRank(HostedEnds.OWN, clock.now());
        }
        if (areOwnGone && conditions.isMet(ofOthers.orElseThrow())) {
            company.haveNoRank(HostedEnds.ALL, clock.now());
            end();
        }
    }

    /** How the job ended: of a launcher that leads and is gone nobody hears that no rank runs. */
    void decided(JobEnd end) {
        if (end.kind() == JobEnd.Kind.LOST) {
            conditions.ended(Launchers.processOf(HostedEnds.ALL, end.launcher()), clock.now());
        }
    }

    /** When {@link #look} must be called again even if nothing happens. */
    OptionalLong nextLook() {
        return isKeeping ? OptionalLong.of(nextLook) : OptionalLong.empty();
    }

    /** Nobody has to wait any more. */
    void end() {
        if (isKeeping) {
            isKeeping = false;
            effects.releaseEnds();
        }
    }
}
