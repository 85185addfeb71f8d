package dev.muster.testkit;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.util.Set;
import java.util.TreeSet;

/** The processes that a plan waits for, its own and those of others. */
final class AwaitedProcesses {

    private AwaitedProcesses() {}

    /** Their ids, as far as the plan has conditions for them. */
    static Set<String> of(LaunchPlan plan) {
        Set<String> awaited = new TreeSet<>();
        for (ProcessSpec each : plan.processes()) {
            awaited.addAll(each.startWhen().ids());
            each.hosted().ifPresent(ranks -> awaited.addAll(ranks.until().ids()));
            if (each instanceof ProcessSpec.Service service) {
                awaited.addAll(service.readyWhen().ids());
                service.neededUntil().ifPresent(until -> awaited.addAll(until.ids()));
            }
        }
        plan.outcome().cases().forEach(each -> awaited.addAll(each.when().ids()));
        return awaited;
    }
}
