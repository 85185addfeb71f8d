package dev.muster.runtime.launch;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.link.LinkKey;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.platform.SimulatedHosts;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Meets the other launchers of the job, as soon as somebody knows them: the platform, or only the plan. */
final class LinkSetup {

    private final LaunchContext context;
    private final Invocation invocation;
    private final ResolvedJob resolved;
    private final String engine;
    private final JobLink link;
    private Optional<LinkDecider.Decision> decision = Optional.empty();
    private boolean isOfPlan;

    /** @param link not open yet */
    @Inject
    LinkSetup(LaunchContext context, LaunchRequest request, JobLink link) {
        this.context = context;
        this.resolved = request.resolved();
        this.invocation = request.invocation();
        this.engine = invocation.engine().descriptor().id();
        this.link = link;
    }

    /** Meets those that are known before there is a plan, if any are. */
    void withThese(Optional<LauncherNodes> launchers) {
        if (launchers.isPresent()) {
            decide(launchers, OptionalInt.empty());
        }
    }

    /** Meets those of the plan, if nobody is met yet, and tells them about it. */
    void withThoseOf(NodePlan planned) {
        OptionalInt nodes = planned.plan().nodes();
        boolean isAlone = planned.plan().launchers().isEmpty()
                && nodes.orElse(resolved.node().count().orElse(1)) == 1;
        if (decision.isEmpty() ? !isAlone : areOthers(planned.plan().launchers())) {
            isOfPlan = true;
            decide(planned.plan().launchers(), nodes);
        }
        decision.flatMap(LinkDecider.Decision::settings)
                .ifPresent(settings -> link.say(PlanMessage.of(
                        planned, settings.launchers(), engine, resolved.settings(), context.console()::masked)));
    }

    /**
     * The job is refused here, and the others must hear of it. Where nobody was met before, it meets them if leader and key are known;
     * those of the plan if it can be made without waiting. What is known of the job may be wrong, so it serves for nothing else.
     */
    void refused(JobContext around) {
        boolean isUnlinked = resolved.settings().text(OptionTable.LINK).equals(Optional.of(LinkDecider.OFF));
        try {
            if (decision.isEmpty() && !isUnlinked) {
                meetThoseWhoAreKnown(around);
            }
        } catch (MusterException unknown) {
            // There is no leader or no key: the others learn of it when this launcher is missed.
        }
    }

    private void meetThoseWhoAreKnown(JobContext around) {
        Node node = resolved.node();
        boolean isPlaced = node.index().isPresent();
        List<Node> all = new AllNodes(node, "nobody").named(node.hosts());
        ResolvedJob likely = isPlaced ? resolved : resolved.withNode(all.get(all.size() - 1));
        Planning planning = new Planning(
                around, invocation, likely, Restarts.first(resolved.settings()), Optional.empty(), what -> {});
        Optional<LauncherNodes> launchers = planning.launchers(likely.node());
        withThese(isPlaced ? launchers : launchers.map(LinkSetup::unplaced));
        if (launchers.isEmpty()) {
            planning.thisNode(Duration.ZERO).ifPresent(this::withThoseOf);
        }
    }

    /** Its leader knows nobody of this name, and ends the job. */
    private static LauncherNodes unplaced(LauncherNodes launchers) {
        List<LauncherNodes.Peer> all = new ArrayList<>(launchers.all());
        all.add(new LauncherNodes.Peer(LinkSettings.UNPLACED, Optional.empty()));
        return new LauncherNodes(
                LinkSettings.UNPLACED, launchers.leader(), all, launchers.required(), launchers.keyFile());
    }

    /** A later run may have other nodes, where only the plan knows them. */
    private boolean areOthers(Optional<LauncherNodes> planned) {
        Optional<LauncherNodes> met =
                decision.flatMap(LinkDecider.Decision::settings).map(LinkSettings::launchers);
        return isOfPlan && !met.equals(planned.map(this::reachable));
    }

    private LauncherNodes reachable(LauncherNodes launchers) {
        return SimulatedHosts.reachable(launchers, context.processInfo().environment());
    }

    /** Whether nobody can be met before a step of the plan has made the key that the launchers meet with. */
    boolean awaitsItsKey() {
        return decision.flatMap(LinkDecider.Decision::settings)
                .map(LinkSettings::key)
                .filter(LinkKey::isAwaited)
                .isPresent();
    }

    /** What the user should know of it. */
    Optional<String> note() {
        return decision.flatMap(LinkDecider.Decision::note);
    }

    private void decide(Optional<LauncherNodes> launchers, OptionalInt nodes) {
        LinkDecider.Decision made = new LinkDecider(resolved, engine, context.processInfo(), context.console()::warn)
                .decide(launchers.map(this::reachable), nodes);
        decision = Optional.of(made);
        made.settings().ifPresentOrElse(link::open, link::part);
    }
}
