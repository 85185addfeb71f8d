package dev.muster.runtime.launch;

import dev.muster.runtime.link.LinkKey;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.SimulatedHosts;
import dev.muster.runtime.platform.Site;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.OptionalInt;

/** Meets the other launchers of the job, as soon as somebody knows them: the platform, or only the plan. */
final class LinkSetup {

    private final LaunchContext context;
    private final Site site;
    private final String engine;
    private final Secrets secrets;
    private final JobLink link;
    private Optional<LinkDecider.Decision> decision = Optional.empty();
    private boolean isOfPlan;

    /** @param link not open yet */
    @Inject
    LinkSetup(LaunchContext context, LaunchRequest request, JobLink link) {
        this.context = context;
        this.site = request.site();
        this.engine = request.invocation().engine().descriptor().id();
        this.secrets = request.invocation().settings().secrets();
        this.link = link;
    }

    /** Whether it is known if and how others are met. */
    boolean isDecided() {
        return decision.isPresent();
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
                && nodes.orElse(site.node().count().orElse(1)) == 1;
        if (decision.isEmpty() ? !isAlone : areOthers(planned.plan().launchers())) {
            isOfPlan = true;
            decide(planned.plan().launchers(), nodes);
        }
        decision.flatMap(LinkDecider.Decision::settings)
                .ifPresent(settings -> link.say(PlanMessage.of(
                        planned, settings.launchers(), engine, site.settings(), secrets, context.console()::masked)));
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

    /** What the others call this host. */
    Optional<String> host() {
        return decision.flatMap(LinkDecider.Decision::settings)
                .flatMap(settings -> settings.launchers().self().host())
                .map(Host::name);
    }

    private void decide(Optional<LauncherNodes> launchers, OptionalInt nodes) {
        LinkDecider.Decision made = new LinkDecider(site, engine, context.processInfo(), context.console()::warn)
                .decide(launchers.map(this::reachable), nodes);
        decision = Optional.of(made);
        made.settings().ifPresentOrElse(link::open, link::part);
    }
}
