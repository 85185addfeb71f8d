package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.plan.LinkPlan;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.platform.Site;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.util.Optional;

/** What a plan shows of the link between the launchers. */
final class LinkDisplay {

    private final Site site;
    private final String engine;
    private final LinkDecider decider;

    /** @param engine its id */
    LinkDisplay(Site site, String engine, Surroundings surroundings) {
        this.site = site;
        this.engine = engine;
        this.decider = new LinkDecider(site, engine, surroundings.world(), surroundings.console()::warn);
    }

    /** @param launchers as the engine knows them before the plan */
    NodePlan with(NodePlan planned, Optional<LauncherNodes> launchers) {
        LinkDecision decision = decider.decide(
                launchers.or(planned.plan()::launchers), planned.plan().nodes());
        return decision.isOfOne()
                ? planned
                : new NodePlan(planned.job(), planned.node(), planned.plan(), Optional.of(shown(decision, planned)));
    }

    private LinkPlan shown(LinkDecision decision, NodePlan planned) {
        return new LinkPlan(
                decision.mode(),
                decision.origin(),
                decision.why(),
                decision.settings().map(settings -> meeting(settings, planned)));
    }

    private LinkPlan.Meeting meeting(LinkSettings settings, NodePlan planned) {
        LauncherNodes launchers = settings.launchers();
        return new LinkPlan.Meeting(
                launchers.own(),
                launchers.leader(),
                launchers.leading().host().map(LinkDisplay::place),
                settings.ports(),
                site.settings()
                        .given(OptionTable.LINK_PORT)
                        .map(Setting::origin)
                        .orElse("of the job's id; the first that is free"),
                settings.key().origin(),
                settings.required(),
                PlanWords.equal(planned.plan(), launchers, engine, site.settings()));
    }

    private static String place(Host host) {
        return host.name()
                + host.address()
                        .filter(address -> !address.equals(host.name()))
                        .map(address -> " (" + address + ")")
                        .orElse("");
    }
}
