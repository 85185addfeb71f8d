package dev.muster.runtime.plan;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import java.util.Optional;

/**
 * What a plan expects of other launchers can be had from them: they exist, and this one is none of them.
 *
 * @param launchers of the job; empty: this one is alone, or cannot speak with others
 */
record LauncherRules(Optional<LauncherNodes> launchers, Problems problems) {

    void check(LaunchPlan plan) {
        Conditions.elsewhere(plan).forEach(this::checkProcess);
        checkLeader(plan.outcome());
    }

    private void checkLeader(Outcome outcome) {
        if (outcome.followsLeader()) {
            problems.require(
                    launchers.filter(all -> !all.leads()).isPresent(),
                    "the outcome follows the launcher that leads, but "
                            + (launchers.isEmpty() ? "the job has no others" : "this one leads"));
        }
    }

    private void checkProcess(String id) {
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
