package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.plan.HostedEnds;
import dev.muster.spi.Condition;
import dev.muster.spi.LauncherNodes;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Lets hosts of ranks be stopped when, in a stop, the ranks of all nodes have ended: an mpirun that ends sooner would end those of other
 * nodes in a time of its own. Only the event loop touches it.
 */
final class HostedRankTracker {

    private final Optional<Condition> ofOthers;
    private final PeerNotifier peers;
    private final AttemptState state;
    private final Set<SupervisedProcess> withoutRanks = new HashSet<>();
    private final Set<SupervisedProcess> released = new HashSet<>();
    private boolean areOwnGone;
    private boolean areAllGone;

    HostedRankTracker(AttemptState state, PeerNotifier peers) {
        this.state = state;
        this.ofOthers = HostedEnds.ofOthers(state.processes().plan());
        this.peers = peers;
    }

    /** None of the ranks that a process hosts runs any more, in a stop. */
    void ended(long host) {
        state.processes().findStarted(host).ifPresent(withoutRanks::add);
    }

    /** Tells what is known now. */
    void look() {
        if (withoutRanks.isEmpty()) {
            return;
        }
        if (!areOwnGone && state.processes().hosts().stream().allMatch(this::isWithoutRanks)) {
            areOwnGone = true;
            peers.haveEnded(HostedEnds.OWN, "ended", state.now());
        }
        if (areOwnGone
                && !areAllGone
                && ofOthers.filter(state.conditions()::isMet).isPresent()) {
            areAllGone = true;
            peers.haveEnded(HostedEnds.ALL, "ended", state.now());
        }
        withoutRanks.stream()
                .filter(host -> host.isRunning() && mayEnd(host) && released.add(host))
                .forEach(host -> state.effects().release(host.processId()));
    }

    private boolean mayEnd(SupervisedProcess host) {
        return areAllGone
                || state.conditions().isMet(host.spec().hosted().orElseThrow().until());
    }

    private boolean isWithoutRanks(SupervisedProcess host) {
        return withoutRanks.contains(host) || !host.isRunning();
    }

    /** How the job ended: of a launcher that leads and is gone nobody hears that no rank runs. */
    void decided(JobEnd end) {
        if (end.kind() == JobEnd.Kind.LOST) {
            state.conditions().ended(LauncherNodes.processOf(HostedEnds.ALL, end.launcher()), state.now());
        }
    }
}
