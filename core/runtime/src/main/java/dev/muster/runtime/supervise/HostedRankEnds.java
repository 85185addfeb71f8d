package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.plan.HostedEnds;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import jakarta.inject.Inject;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Lets hosts of ranks be stopped when, in a stop, the ranks of all nodes have ended: an mpirun that ends sooner would end those of other
 * nodes in a time of its own. Only the event loop touches it.
 */
final class HostedRankEnds {

    private final Optional<Condition> ofOthers;
    private final Roster roster;
    private final Company company;
    private final ConditionWatch conditions;
    private final Effects effects;
    private final Events clock;
    private final Set<Supervised> withoutRanks = new HashSet<>();
    private final Set<Supervised> released = new HashSet<>();
    private boolean areOwnGone;
    private boolean areAllGone;

    @Inject
    HostedRankEnds(
            LaunchPlan plan, Roster roster, Company company, ConditionWatch conditions, Effects effects, Events clock) {
        this.ofOthers = HostedEnds.ofOthers(plan);
        this.roster = roster;
        this.company = company;
        this.conditions = conditions;
        this.effects = effects;
        this.clock = clock;
    }

    /** None of the ranks that a process hosts runs any more, in a stop. */
    void ended(long host) {
        roster.findStarted(host).ifPresent(withoutRanks::add);
    }

    /** Tells what is known now. */
    void look() {
        if (withoutRanks.isEmpty()) {
            return;
        }
        if (!areOwnGone && roster.hosts().stream().allMatch(this::isWithoutRanks)) {
            areOwnGone = true;
            company.haveNoRank(HostedEnds.OWN, clock.now());
        }
        if (areOwnGone && !areAllGone && ofOthers.filter(conditions::isMet).isPresent()) {
            areAllGone = true;
            company.haveNoRank(HostedEnds.ALL, clock.now());
        }
        withoutRanks.stream()
                .filter(host -> host.isRunning() && mayEnd(host) && released.add(host))
                .forEach(host -> effects.release(host.processId()));
    }

    private boolean mayEnd(Supervised host) {
        return areAllGone || conditions.isMet(host.spec().hosted().orElseThrow().until());
    }

    private boolean isWithoutRanks(Supervised host) {
        return withoutRanks.contains(host) || !host.isRunning();
    }

    /** How the job ended: of a launcher that leads and is gone nobody hears that no rank runs. */
    void decided(JobEnd end) {
        if (end.kind() == JobEnd.Kind.LOST) {
            conditions.ended(LauncherNodes.processOf(HostedEnds.ALL, end.launcher()), clock.now());
        }
    }
}
