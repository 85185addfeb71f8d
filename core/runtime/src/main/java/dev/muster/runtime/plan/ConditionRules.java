package dev.muster.runtime.plan;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.HashSet;
import java.util.Set;

/** Conditions name what exists, and something ends the node. */
final class ConditionRules {

    private final LaunchPlan plan;
    private final Problems problems;
    private final Set<String> ids = new HashSet<>();

    ConditionRules(LaunchPlan plan, Problems problems) {
        this.plan = plan;
        this.problems = problems;
        plan.processes().forEach(process -> ids.add(process.id()));
    }

    void check() {
        for (ProcessSpec process : plan.processes()) {
            String what = "process " + Printable.quote(process.id());
            check(process.startWhen(), what + ", start");
            if (process instanceof ProcessSpec.Service service) {
                check(service.readyWhen(), what + ", ready");
                service.neededUntil().ifPresent(condition -> check(condition, what + ", needed"));
            }
            process.hosted().ifPresent(ranks -> check(ranks.until(), what + ", after its ranks"));
        }
        Outcome outcome = plan.outcome();
        outcome.cases().forEach(this::check);
        boolean hasTask = plan.processes().stream().anyMatch(ProcessSpec.Task.class::isInstance);
        problems.require(
                outcome.followsLeader() || !outcome.cases().isEmpty() || hasTask,
                "nothing ends the node: the plan has no task, and its outcome no case");
    }

    private void check(Outcome.Case one) {
        String what = "outcome " + Printable.quote(one.reason());
        check(one.when(), what);
        problems.require(one.exitCode() >= 0 && one.exitCode() <= 255, what + " has exit code " + one.exitCode());
    }

    private void check(Condition condition, String what) {
        switch (condition.kind()) {
            case IMMEDIATELY -> {}
            case PORT_OPEN -> checkPort(condition.host(), condition.port(), what);
            case READY -> checkKnown(condition.ids(), what + ": waits for the readiness of ");
            case EXITED -> checkKnown(condition.ids(), what + ": waits for the end of ");
        }
    }

    private void checkPort(String host, int port, String what) {
        boolean isPort = port >= 1 && port <= OptionTable.HIGHEST_PORT;
        problems.require(!host.isEmpty(), what + ": a port without a host");
        problems.require(
                isPort || host.isEmpty(), what + ": port " + port + " is none of 1.." + OptionTable.HIGHEST_PORT);
    }

    /** Nobody here knows what the plans of other launchers start. */
    private void checkKnown(Set<String> waitedFor, String what) {
        waitedFor.stream()
                .filter(id -> !ids.contains(id) && !LauncherNodes.isElsewhere(id))
                .findFirst()
                .ifPresent(id -> problems.invalid(what + Printable.quote(id) + ", which the plan does not start"));
    }
}
