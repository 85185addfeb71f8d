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

/** Connects to the other launchers as soon as the platform or the plan names them. */
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

    /** Connects to the launchers that are known before the plan, if any. */
    void connectTo(Optional<LauncherNodes> launchers) {
        if (launchers.isPresent()) {
            decide(launchers, OptionalInt.empty());
        }
    }

    /** Connects to the launchers of the plan, if there is no link yet, and tells them about the plan. */
    void connectByPlan(NodePlan planned) {
        OptionalInt nodes = planned.plan().nodes();
        boolean isAlone = planned.plan().launchers().isEmpty()
                && nodes.orElse(resolved.node().count().orElse(1)) == 1;
        if (decision.isEmpty() ? !isAlone : haveChanged(planned.plan().launchers())) {
            isOfPlan = true;
            decide(planned.plan().launchers(), nodes);
        }
        decision.flatMap(LinkDecider.Decision::settings)
                .ifPresent(settings -> link.send(PlanMessage.of(
                        planned, settings.launchers(), engine, resolved.settings(), context.console()::masked)));
    }

    /**
     * Tells the others that this launcher refuses the job. Without a link it connects if leader and key are known, or if a plan is possible
     * without waiting. What it knows of the job may be wrong, so this link serves only the refusal.
     */
    void reportRefusal(JobContext jobContext) {
        boolean isUnlinked = resolved.settings().text(OptionTable.LINK).equals(Optional.of(LinkDecider.OFF));
        try {
            if (decision.isEmpty() && !isUnlinked) {
                connectToKnown(jobContext);
            }
        } catch (MusterException unknown) {
            // Without leader or key, the others notice only that this launcher is missing.
        }
    }

    private void connectToKnown(JobContext jobContext) {
        Node node = resolved.node();
        boolean isPlaced = node.index().isPresent();
        List<Node> all = new AllNodes(node, "nobody").withoutRoles(node.hosts());
        ResolvedJob likely = isPlaced ? resolved : resolved.withNode(all.get(all.size() - 1));
        Planning planning = new Planning(
                jobContext, invocation, likely, Restarts.first(resolved.settings()), Optional.empty(), what -> {});
        Optional<LauncherNodes> launchers = planning.launchers(likely.node());
        connectTo(isPlaced ? launchers : launchers.map(LinkSetup::unplaced));
        if (launchers.isEmpty()) {
            planning.planThisNode(Duration.ZERO).ifPresent(this::connectByPlan);
        }
    }

    /** The leader does not know this name, and so ends the job. */
    private static LauncherNodes unplaced(LauncherNodes launchers) {
        List<LauncherNodes.Peer> all = new ArrayList<>(launchers.all());
        all.add(new LauncherNodes.Peer(LinkSettings.UNKNOWN_NODE, Optional.empty()));
        return new LauncherNodes(
                LinkSettings.UNKNOWN_NODE, launchers.leader(), all, launchers.required(), launchers.keyFile());
    }

    /** Where only the plan knows the nodes, a later attempt may have other nodes. */
    private boolean haveChanged(Optional<LauncherNodes> planned) {
        Optional<LauncherNodes> met =
                decision.flatMap(LinkDecider.Decision::settings).map(LinkSettings::launchers);
        return isOfPlan && !met.equals(planned.map(this::reachable));
    }

    private LauncherNodes reachable(LauncherNodes launchers) {
        return SimulatedHosts.reachable(launchers, context.processInfo().environment());
    }

    /** Whether the key does not exist yet: a hook of the plan makes it. */
    boolean isKeyMissing() {
        return decision.flatMap(LinkDecider.Decision::settings)
                .map(LinkSettings::key)
                .filter(LinkKey::isAwaited)
                .isPresent();
    }

    /** What the user should know of the link. */
    Optional<String> note() {
        return decision.flatMap(LinkDecider.Decision::note);
    }

    private void decide(Optional<LauncherNodes> launchers, OptionalInt nodes) {
        LinkDecider.Decision made = new LinkDecider(resolved, engine, context.processInfo(), context.console()::warn)
                .decide(launchers.map(this::reachable), nodes);
        decision = Optional.of(made);
        made.settings().ifPresentOrElse(link::open, link::closeUnused);
    }
}
