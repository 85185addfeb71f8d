package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** If the platform runs sshd and the command on each node, only node 0 starts the ranks. */
class WaitingNodeTest {

    @Test
    void nodeZeroStartsTheRanksAndLeads() {
        LaunchPlan plan = TestJob.onServed("worker", 0).plan();

        assertThat(Plans.ids(plan)).containsExactly("hosts", "mpirun", "stop");
        assertThat(plan.launchers()).hasValueSatisfying(launchers -> {
            assertThat(launchers.leads()).isTrue();
            assertThat(launchers.required()).isTrue();
            assertThat(launchers.all())
                    .extracting(peer -> peer.host().orElseThrow().name())
                    .containsExactly("worker-0", "worker-1", "ps-0");
        });
        assertThat(plan.outcome()).isEqualTo(Outcome.ALL_TASKS);
    }

    @ParameterizedTest
    @CsvSource({"worker, 1, node-1", "ps, 0, node-2"})
    void theOthersStartNothingAndWait(String role, int index, String own) {
        LaunchPlan plan = TestJob.onServed(role, index).plan();

        assertThat(plan.processes()).isEmpty();
        assertThat(plan.launchers().orElseThrow().own()).isEqualTo(own);
        assertThat(plan.outcome()).isEqualTo(Outcome.FOLLOWS_LEADER);
        assertThat(plan.nodes()).hasValue(2);
        assertThat(Plans.notes(plan)).first().asString().contains(role + "-" + index, "worker-0 starts the ranks");
    }

    @Test
    void hostsMayBeGivenByTheUser() {
        LaunchPlan plan = new TestJob()
                .option("sshd", "platform")
                .hosts("a", "b")
                .nodes(2)
                .index(1)
                .plan();

        assertThat(plan.launchers().orElseThrow().leading().host().orElseThrow().name())
                .isEqualTo("a");
    }

    @Test
    void aSingleLauncherIsStillTheWholeJob() {
        LaunchPlan plan = TestJob.onServed("worker", 1).option("sshd", "none").plan();

        assertThat(Plans.ids(plan)).containsExactly("hosts", "mpirun", "stop");
        assertThat(plan.launchers()).isEmpty();
    }

    @Test
    void whoCannotFindTheOthersIsRefused() {
        TestJob job = new TestJob().option("sshd", "platform").nodes(2).index(1);
        job.assertRefused(Kind.CONFIGURATION, "nobody says where node 0 is", "--hosts A,B,...", "sshd=none");
        TestJob.onServed("ps", 0).ownId().assertRefused(Kind.CONFIGURATION, "by its id", "--job-id");
        TestJob.onServed("master", 7).assertRefused(Kind.CONFIGURATION, "nobody says which of the job's 3 containers");
    }
}
