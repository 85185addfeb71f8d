package dev.muster.runtime.plan;

import static dev.muster.runtime.plan.PlanProblems.message;
import static dev.muster.runtime.plan.Plans.exited;
import static dev.muster.runtime.plan.Plans.launch;
import static dev.muster.runtime.plan.Plans.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Processes may wait only for processes that exist, and for conditions that can come true. */
class ReferenceRulesTest {

    /** The plan of this launcher does not list the processes of other launchers. */
    @Test
    void conditionsMayNameProcessesOfOtherLaunchers() {
        for (Condition elsewhere : List.of(exited("worker-1@node-1"), ready("sshd@node-2", "a"))) {
            ProcessSpec waiting = task("b", elsewhere);

            assertThatCode(() -> PlanValidator.validate("ascend", Plans.job(), Plans.of(task("a"), waiting)))
                    .doesNotThrowAnyException();
        }
        assertThat(message(Plans.of(task("a", ready("b")))))
                .contains("process \"a\", start: waits for the readiness of \"b\", which the plan does not start");
    }

    @Test
    void otherLaunchersExist() {
        LauncherNodes launchers = LauncherNodes.of(
                "node-0",
                "node-0",
                List.of(
                        new LauncherNodes.Peer("node-0", Optional.empty()),
                        new LauncherNodes.Peer("node-1", Optional.empty())));
        LaunchPlan follows = LaunchPlan.builder(Outcome.FOLLOWS_LEADER).build();

        assertThatCode(() -> PlanValidator.validateTogether(
                        "x", Optional.of(launchers), Plans.of(task("a", exited("w@node-1")))))
                .doesNotThrowAnyException();
        assertThat(together(Optional.of(launchers), Plans.of(task("a", exited("w@node-2")))))
                .contains("a condition waits for \"w@node-2\", but no launcher has that name");
        assertThat(together(Optional.of(launchers), Plans.of(task("a", ready("w@node-0")))))
                .contains("but that is this launcher: its own processes go by their ids alone");
        assertThat(together(Optional.empty(), Plans.of(task("a", ready("w@node-0")))))
                .contains("but the job has no other launchers");
        assertThat(together(Optional.empty(), follows)).contains("but the job has no others");
        assertThat(together(Optional.of(launchers), follows)).contains("but this one leads");
    }

    private static String together(Optional<LauncherNodes> launchers, LaunchPlan plan) {
        return String.valueOf(
                catchThrowableOfType(MusterException.class, () -> PlanValidator.validateTogether("x", launchers, plan))
                        .getMessage());
    }

    @Test
    void aNodeThatFollowsNeedsNothingOfItsOwn() {
        LaunchPlan plan = LaunchPlan.builder(Outcome.FOLLOWS_LEADER).build();

        assertThatCode(() -> PlanValidator.validate("mpi", Plans.job(), plan)).doesNotThrowAnyException();
    }

    private static Condition ready(String... ids) {
        return Condition.ready(List.of(ids));
    }

    @Test
    void conditionsNameProcessesOfThePlan() {
        assertThat(message(Plans.of(task("a", exited("b")))))
                .contains("process \"a\", start: waits for the end of \"b\", which the plan does not start");
        ProcessSpec service = ProcessSpec.service("s", launch("s.txt")).withReadyWhen(exited("gone"));
        assertThat(message(Plans.of(task("a"), service)))
                .contains("process \"s\", ready: waits for the end of \"gone\"");
    }

    @Test
    void conditionsAreMeaningful() {
        assertThat(message(Plans.of(
                        task("a", Condition.portOpen("", 22)),
                        task("b", Condition.portOpen("h", 0)),
                        task("c", Condition.portOpen("h", 65536)))))
                .contains("process \"a\", start: a port without a host")
                .contains("port 0 is none of 1..65535")
                .contains("port 65536 is none of");
    }
}
