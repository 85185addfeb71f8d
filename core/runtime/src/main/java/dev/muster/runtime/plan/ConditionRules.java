package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Launchers;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Conditions name what exists, every process can start, and something ends the node. */
final class ConditionRules {

    private final LaunchPlan plan;
    private final Problems problems;
    private final ValueRules values;
    private final Set<String> ids = new HashSet<>();
    private final Set<String> tasks = new HashSet<>();

    /** @param values checks the words of commands that ask */
    ConditionRules(LaunchPlan plan, ValueRules values, Problems problems) {
        this.values = values;
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
                check(service.stopWhen(), what + ", stop");
            }
            process.hosted().ifPresent(ranks -> check(ranks.until(), what + ", after its ranks"));
        }
        StartOrder order = StartOrder.of(plan.processes());
        for (ProcessSpec process : plan.processes()) {
            problems.require(
                    order.starts(process.id()),
                    "process " + Printable.quote(process.id())
                            + " can never start: it waits, perhaps through others, for itself "
                            + "or for what never happens");
            problems.require(
                    !order.starts(process.id()) || order.canBeReady(process.id()),
                    "process " + Printable.quote(process.id())
                            + " can never be ready: that depends, perhaps through others, on itself "
                            + "or on what never happens");
        }
        checkOutcome(order);
    }

    private void checkOutcome(StartOrder order) {
        if (plan.outcome() instanceof Outcome.FirstOf firstOf) {
            firstOf.cases().forEach(this::check);
        }
        plan.outcome().fold(new Endless(order)).ifPresent(problem -> problems.require(false, problem));
    }

    private void check(Outcome.Case one) {
        String what = "outcome " + Printable.quote(one.reason());
        check(one.when(), what);
        one.missing().ifPresent(missing -> check(missing, what + ", what is missing"));
        one.codeFile()
                .ifPresent(
                        name -> PlaceRules.checkName(name, what + " takes its code from the private file", problems));
        problems.require(isExitCode(one.exitCode()), what + " has exit code " + one.exitCode());
    }

    private static boolean isExitCode(int code) {
        return code >= 0 && code <= 255;
    }

    private void check(Condition condition, String what) {
        if (condition instanceof Condition.PortOpen port) {
            checkPort(port.host(), port.port(), what);
        } else if (condition instanceof Condition.PortClosed port) {
            checkPort(port.host(), port.port(), what);
            problems.require(!port.lasting().isNegative(), what + ": a port is closed for a negative time");
            problems.require(
                    port.silent().isEmpty() || !port.silent().get().isNegative(),
                    what + ": a port is silent for a negative time");
        } else if (condition instanceof Condition.Elapsed elapsed) {
            problems.require(!elapsed.time().isNegative(), what + ": a negative time has passed");
        } else if (condition instanceof Condition.Exited exited) {
            checkIds(exited.ids(), what + ": waits for the end of ");
        } else if (condition instanceof Condition.Ready ready) {
            checkIds(ready.ids(), what + ": waits for the readiness of ");
        } else if (condition instanceof Condition.CommandEnds question) {
            checkQuestion(question, what);
        } else {
            checkFile(condition, what);
        }
        Conditions.parts(condition).forEach(part -> check(part, what));
    }

    private void checkQuestion(Condition.CommandEnds question, String what) {
        question.after().ifPresent(port -> checkPort(port.host(), port.port(), what));
        problems.require(!question.host().isEmpty(), what + ": a command that asks no host");
        values.checkQuestion(question.command(), what);
        problems.require(
                isExitCode(question.exitCode()), what + ": waits for a command that ends with " + question.exitCode());
    }

    private void checkFile(Condition condition, String what) {
        if (condition instanceof Condition.FileReady file) {
            problems.require(
                    PlaceRules.isAbsolute(file.path()),
                    what + ": file " + Printable.quote(file.path()) + " is not absolute");
        } else if (condition instanceof Condition.PrivateFileReady file) {
            PlaceRules.checkName(file.name(), what + ": waits for the private file", problems);
        }
    }

    /** Nobody here knows what the plans of other launchers start. */
    private void checkIds(Set<String> waitedFor, String what) {
        for (String id : waitedFor) {
            problems.require(
                    ids.contains(id) || Launchers.isElsewhere(id),
                    what + Printable.quote(id) + ", which the plan does not start");
        }
    }

    private void checkPort(String host, int port, String what) {
        problems.require(!host.isEmpty(), what + ": a port without a host");
        problems.require(port >= 1 && port <= 65535, what + ": port " + port + " is none of 1..65535");
    }

    /** Why an outcome never comes. */
    private final class Endless implements Outcome.Cases<Optional<String>> {

        private final StartOrder order;

        Endless(StartOrder order) {
            this.order = order;
        }

        @Override
        public Optional<String> allTasks(Outcome.AllTasks all) {
            return unless(!tasks.isEmpty(), "nothing ends the node: the plan has no task");
        }

        @Override
        public Optional<String> decidedBy(Outcome.DecidedBy decided) {
            return unless(
                    tasks.contains(decided.taskId()),
                    "the outcome is decided by " + Printable.quote(decided.taskId())
                            + ", which is no task of the plan");
        }

        @Override
        public Optional<String> firstOf(Outcome.FirstOf firstOf) {
            return unless(
                    firstOf.cases().stream().anyMatch(one -> order.canHold(one.when())),
                    "nothing ends the node: no case of the outcome can come true");
        }

        /** The others' launchers end it. */
        @Override
        public Optional<String> followsLeader(Outcome.FollowsLeader follows) {
            int code = follows.exitCode().orElse(0);
            return unless(isExitCode(code), "the outcome follows the launcher that leads with exit code " + code);
        }

        private Optional<String> unless(boolean isPossible, String problem) {
            return isPossible ? Optional.empty() : Optional.of(problem);
        }
    }
}
