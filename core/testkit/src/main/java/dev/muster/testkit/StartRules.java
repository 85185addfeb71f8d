package dev.muster.testkit;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.ProcessSpec;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A part of R7: every process can start. No process waits for itself through other processes of this node or other nodes. */
final class StartRules {

    private final Map<String, LaunchPlan> plans;
    private final Set<String> all = new TreeSet<>();
    private final Set<String> started = new HashSet<>();
    private final Set<String> ready = new HashSet<>();

    /** @param plans by the names of their launchers */
    StartRules(Map<String, LaunchPlan> plans) {
        this.plans = plans;
        plans.forEach((launcher, plan) ->
                plan.processes().forEach(process -> all.add(LauncherNodes.processOf(process.id(), launcher))));
    }

    void check(String where) {
        int before;
        do {
            before = started.size() + ready.size();
            plans.forEach((launcher, plan) -> plan.processes().forEach(process -> advance(process, launcher)));
        } while (started.size() + ready.size() > before);
        Set<String> waiting = new TreeSet<>(all);
        waiting.removeAll(ready);
        Rule.OUTCOME.require(
                waiting.isEmpty(),
                where,
                "these never start, or are never ready, for they wait for each other: " + waiting,
                "break the cycle");
    }

    private void advance(ProcessSpec process, String launcher) {
        String id = LauncherNodes.processOf(process.id(), launcher);
        if (comesTrue(process.startWhen(), launcher)) {
            started.add(id);
        }
        Condition serves = process instanceof ProcessSpec.Service service ? service.readyWhen() : Condition.IMMEDIATELY;
        if (started.contains(id) && comesTrue(serves, launcher)) {
            ready.add(id);
        }
    }

    /** Assumes that ports open, and that started processes end. Another rule checks ids that are in no plan. */
    private boolean comesTrue(Condition condition, String launcher) {
        Set<String> met = condition.kind() == Condition.Kind.READY ? ready : started;
        return condition.ids().stream()
                .map(id -> LauncherNodes.isElsewhere(id) ? id : LauncherNodes.processOf(id, launcher))
                .filter(all::contains)
                .allMatch(met::contains);
    }
}
