package dev.muster.runtime.plan;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Conditions name what exists, every process can start, and something ends the node. */
final class ConditionRules {

    private final LaunchPlan plan;
    private final Problems problems;
    private final Set<String> ids = new HashSet<>();
    private final Set<String> tasks = new HashSet<>();

    ConditionRules(LaunchPlan plan, Problems problems) {
        this.plan = plan;
        this.problems = problems;
        for (ProcessSpec process : plan.processes()) {
            ids.add(process.id());
            if (process instanceof ProcessSpec.Task) {
                tasks.add(process.id());
            }
        }
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
        if (plan.outcome() instanceof Outcome.FirstOf firstOf) {
            firstOf.cases().forEach(this::check);
        }
        plan.outcome().fold(new Endless()).ifPresent(problem -> problems.require(false, problem));
    }

    private void check(Outcome.Case one) {
        String what = "outcome " + Printable.quote(one.reason());
        check(one.when(), what);
        problems.require(isExitCode(one.exitCode()), what + " has exit code " + one.exitCode());
    }

    private static boolean isExitCode(int code) {
        return code >= 0 && code <= 255;
    }

    private void check(Condition condition, String what) {
        condition.fold(new Wrong()).ifPresent(wrong -> problems.require(false, what + ": " + wrong));
    }

    /** Why an outcome never comes. */
    private final class Endless implements Outcome.Cases<Optional<String>> {

        @Override
        public Optional<String> allTasks(Outcome.AllTasks all) {
            return unless(!tasks.isEmpty(), "nothing ends the node: the plan has no task");
        }

        @Override
        public Optional<String> firstOf(Outcome.FirstOf firstOf) {
            return unless(!firstOf.cases().isEmpty(), "nothing ends the node: the outcome has no case");
        }

        /** The others' launchers end it. */
        @Override
        public Optional<String> followsLeader(Outcome.FollowsLeader follows) {
            int code = follows.exitCode().orElse(0);
            return unless(isExitCode(code), "the outcome follows the launcher that leads with exit code " + code);
        }
    }

    /** What is wrong with a condition, as the end of a sentence. */
    private final class Wrong implements Condition.Cases<Optional<String>> {

        @Override
        public Optional<String> immediately(Condition.Immediately immediately) {
            return Optional.empty();
        }

        @Override
        public Optional<String> portOpen(Condition.PortOpen port) {
            return port.host().isEmpty()
                    ? Optional.of("a port without a host")
                    : unless(
                            port.port() >= 1 && port.port() <= OptionTable.HIGHEST_PORT,
                            "port " + port.port() + " is none of 1.." + OptionTable.HIGHEST_PORT);
        }

        @Override
        public Optional<String> ready(Condition.Ready ready) {
            return unknown(ready.ids(), "waits for the readiness of ");
        }

        @Override
        public Optional<String> exited(Condition.Exited exited) {
            return unknown(exited.ids(), "waits for the end of ");
        }

        /** Nobody here knows what the plans of other launchers start. */
        private Optional<String> unknown(Set<String> waitedFor, String what) {
            return waitedFor.stream()
                    .filter(id -> !ids.contains(id) && !LauncherNodes.isElsewhere(id))
                    .findFirst()
                    .map(id -> what + Printable.quote(id) + ", which the plan does not start");
        }
    }

    private static Optional<String> unless(boolean holds, String problem) {
        return holds ? Optional.empty() : Optional.of(problem);
    }
}
