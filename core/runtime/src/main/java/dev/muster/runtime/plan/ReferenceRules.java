package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks that values and conditions name what exists, that values are known in time, and that something ends the node. */
final class ReferenceRules {

    private final LaunchPlan plan;
    private final Problems problems;
    private final Set<String> processes = new HashSet<>();
    private final Set<String> files = new HashSet<>();

    ReferenceRules(LaunchPlan plan, Problems problems) {
        this.plan = plan;
        this.problems = problems;
        plan.processes().forEach(process -> processes.add(process.id()));
        plan.files().forEach(file -> files.add(file.id()));
    }

    void check() {
        plan.processes().forEach(process -> checkValues(process.launch(), what(process)));
        for (GeneratedFile file : plan.files()) {
            checkInFile(file.text(), "file " + Printable.quote(file.id()));
        }
        plan.processes().forEach(process -> checkConditions(process, what(process)));
        checkOutcome(plan.outcome());
    }

    private static String what(ProcessSpec process) {
        return "process " + Printable.quote(process.id());
    }

    private void checkValues(Launch launch, String what) {
        for (Value argument : launch.command()) {
            check(argument, what + ", an argument");
        }
        for (Map.Entry<String, Value> variable : launch.environment().set().entrySet()) {
            check(variable.getValue(), what + ", variable " + Printable.escape(variable.getKey()));
        }
    }

    /** A file may have any character. */
    private void checkInFile(Value text, String what) {
        for (Value part : text.leaves()) {
            if (!part.isKnown()) {
                checkPart(part, what);
            }
        }
    }

    /** Every part by itself. */
    private void check(Value value, String what) {
        for (Value part : value.leaves()) {
            checkPart(part, what);
        }
    }

    private void checkPart(Value part, String what) {
        String text = part.text();
        switch (part.kind()) {
            case LITERAL -> problems.require(text.indexOf('\0') < 0, what + " has a NUL character");
            case PATH_OF ->
                problems.require(
                        files.contains(text),
                        what + " names the file " + Printable.quote(text) + ", which the plan does not write");
            case FREE_PORT ->
                problems.require(
                        SafeName.matches(text),
                        what + " wants a free port called " + Printable.quote(text) + "; allowed: " + SafeName.FORM);
            case PRIVATE_DIRECTORY, SUPERVISOR, RESOURCE, JOINED -> {}
        }
    }

    private void checkConditions(ProcessSpec process, String what) {
        check(process.startWhen(), what + ", start");
        if (process instanceof ProcessSpec.Service service) {
            check(service.readyWhen(), what + ", ready");
            service.neededUntil().ifPresent(condition -> check(condition, what + ", needed"));
        }
        process.hosted().ifPresent(ranks -> check(ranks.until(), what + ", after its ranks"));
    }

    private void checkOutcome(Outcome outcome) {
        for (Outcome.Case one : outcome.cases()) {
            String what = "outcome " + Printable.quote(one.reason());
            check(one.when(), what);
            problems.require(one.exitCode() >= 0 && one.exitCode() <= 255, what + " has exit code " + one.exitCode());
        }
        boolean hasTask = plan.processes().stream().anyMatch(ProcessSpec.Task.class::isInstance);
        problems.require(
                outcome.followsLeader() || !outcome.cases().isEmpty() || hasTask,
                "nothing ends the node: the plan has no task, and its outcome no case");
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

    /** Processes of other launchers are checked in {@link #checkOthers}. */
    private void checkKnown(Set<String> waitedFor, String what) {
        waitedFor.stream()
                .filter(id -> !processes.contains(id) && !LauncherNodes.isElsewhere(id))
                .findFirst()
                .ifPresent(id -> problems.invalid(what + Printable.quote(id) + ", which the plan does not start"));
    }

    /**
     * Checks that the launchers in the plan's conditions exist, and that none of them is this launcher.
     *
     * @param launchers of the job; empty: there is only this launcher, or no link
     */
    void checkOthers(Optional<LauncherNodes> launchers) {
        Conditions.elsewhere(plan).forEach(id -> checkElsewhere(id, launchers));
        if (plan.outcome().followsLeader()) {
            problems.require(
                    launchers.filter(all -> !all.leads()).isPresent(),
                    "the outcome follows the launcher that leads, but "
                            + (launchers.isEmpty() ? "the job has no others" : "this one leads"));
        }
    }

    private void checkElsewhere(String id, Optional<LauncherNodes> launchers) {
        String what = "a condition waits for " + Printable.quote(id) + ", but ";
        String name = LauncherNodes.launcherOf(id);
        if (launchers.isEmpty()) {
            problems.invalid(what + "the job has no other launchers");
        } else if (name.equals(launchers.get().own())) {
            problems.invalid(what + "that is this launcher: its own processes go by their ids alone");
        } else {
            boolean isThere =
                    launchers.get().all().stream().anyMatch(peer -> peer.name().equals(name));
            problems.require(isThere, what + "no launcher has that name");
        }
    }
}
