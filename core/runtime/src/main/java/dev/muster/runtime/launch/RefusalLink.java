package dev.muster.runtime.launch;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.platform.Site;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Meets the other launchers of a job that is refused here before anybody was met: they must hear of it. What is known of the job may
 * be wrong, so it serves for nothing else.
 */
record RefusalLink(LaunchRequest request, LinkSetup linkSetup) {

    /** Meets them if leader and key are known; those of the plan if it can be made without waiting. */
    void meet(JobContext around) {
        try {
            if (!linkSetup.isDecided()) {
                meetThoseWhoAreKnown(around);
            }
        } catch (MusterException unknown) {
            // There is no leader or no key: the others learn of it when this launcher is missed.
        }
    }

    private void meetThoseWhoAreKnown(JobContext around) {
        Site site = request.site();
        Node node = site.node();
        boolean isPlaced = node.index().isPresent();
        List<Node> all = new AllNodes(node, "nobody").named(node.hosts());
        Site likely = isPlaced ? site : site.withNode(all.get(all.size() - 1));
        Planning planning = around.planning(
                request.invocation(), likely, Restarts.first(site.settings()), Optional.empty(), what -> {});
        Optional<LauncherNodes> launchers = planning.launchers(likely.node());
        linkSetup.withThese(isPlaced ? launchers : launchers.map(RefusalLink::unplaced));
        if (launchers.isEmpty()) {
            planning.thisNode(Duration.ZERO).ifPresent(linkSetup::withThoseOf);
        }
    }

    /** Its leader knows nobody of this name, and ends the job. */
    private static LauncherNodes unplaced(LauncherNodes launchers) {
        List<LauncherNodes.Peer> all = new ArrayList<>(launchers.all());
        all.add(new LauncherNodes.Peer(LinkSettings.UNPLACED, Optional.empty()));
        return new LauncherNodes(
                LinkSettings.UNPLACED, launchers.leader(), all, launchers.required(), launchers.keyFile());
    }
}
