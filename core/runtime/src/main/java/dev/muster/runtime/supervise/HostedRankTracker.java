package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.plan.HostedRankEnds;
import dev.muster.spi.Condition;
import dev.muster.spi.LauncherNodes;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Lets hosts of ranks be stopped, in a stop, after the ranks of all nodes have ended. An mpirun that ends sooner would end the ranks of
 * other nodes after a delay of its own. Only the event loop uses it.
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
        this.ofOthers = HostedRankEnds.othersEnded(state.processes().plan());
        this.peers = peers;
    }

    /** In a stop, all ranks of this host have ended. */
    void onEnded(long host) {
        state.processes().findStarted(host).ifPresent(withoutRanks::add);
    }

    /** Tells the other launchers which ranks have ended, and releases the hosts that may end. */
    void update() {
        if (withoutRanks.isEmpty()) {
            return;
        }
        if (!areOwnGone && state.processes().hosts().stream().allMatch(this::isWithoutRanks)) {
            areOwnGone = true;
            peers.reportEndToPeers(HostedRankEnds.OWN_RANKS, "ended", state.now());
        }
        if (areOwnGone
                && !areAllGone
                && ofOthers.filter(state.conditions()::isMet).isPresent()) {
            areAllGone = true;
            peers.reportEndToPeers(HostedRankEnds.ALL_RANKS, "ended", state.now());
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

    /** The job has ended. A leader that is lost cannot tell that its ranks have ended, so they count as ended. */
    void onDecided(JobEnd end) {
        if (end.kind() == JobEnd.Kind.LOST) {
            state.conditions().ended(LauncherNodes.processOf(HostedRankEnds.ALL_RANKS, end.launcher()), state.now());
        }
    }
}
