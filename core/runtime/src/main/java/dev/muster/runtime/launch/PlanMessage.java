package dev.muster.runtime.launch;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.plan.HostedRankEnds;
import dev.muster.runtime.plan.NodePlan;
import dev.muster.runtime.plan.ShellWords;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What the launchers of a job tell each other of their plans. */
final class PlanMessage {

    /** One value must fit into a line of the link, and a list of all addresses may be long. */
    private static final int LONGEST_VALUE = 500;

    private static final int LONGEST_COMMAND = 2000;

    private PlanMessage() {}

    /** @param engine the engine's id */
    static LocalEvent.Planned of(
            NodePlan planned, LauncherNodes launchers, String engine, Settings settings, UnaryOperator<String> mask) {
        LaunchPlan plan = planned.plan();
        String command = ShellWords.join(settings.secrets().show(planned.job().command()));
        return new LocalEvent.Planned(
                equal(plan, launchers, engine, settings),
                Shortened.to(LONGEST_COMMAND, Printable.escape(mask.apply(command))),
                plan.outcome().followsLeader(),
                watched(plan));
    }

    /** What must be the same on all nodes. */
    static SortedMap<String, String> equal(LaunchPlan plan, LauncherNodes launchers, String engine, Settings settings) {
        SortedMap<String, String> equal = new TreeMap<>(Restarts.equal(settings));
        plan.equal().forEach((what, here) -> equal.put(what, Shortened.to(LONGEST_VALUE, here)));
        equal.put("engine", engine);
        equal.put("number of nodes", Integer.toString(launchers.all().size()));
        plan.processes().stream()
                .flatMap(process -> process.placement().stream())
                .findFirst()
                .ifPresent(placement -> equal.put("world size", Integer.toString(placement.worldSize())));
        return equal;
    }

    /** The processes of other launchers that the plan waits for. */
    private static NavigableSet<String> watched(LaunchPlan plan) {
        NavigableSet<String> watched = Conditions.elsewhere(plan);
        watched.addAll(HostedRankEnds.watched(plan));
        return watched;
    }
}
