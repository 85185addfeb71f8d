package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import org.junit.jupiter.api.Test;

class SeatsTest {

    @Test
    void modelArtsNamesItsHostsByJobTaskAndIndex() {
        LaunchPlan plan = TestJob.onModelArts(0, 3).plan();

        assertThat(Plans.file(plan, "hostfile")).isEqualTo("""
                        <address of vj-worker-0.vj> slots=1
                        <address of vj-worker-1.vj> slots=1
                        <address of vj-worker-2.vj> slots=1
                        """);
    }

    /** Volcano's list may be there beside, and mean the same. */
    @Test
    void modelArtsOwnNamesHoldBesideVolcanosList() {
        LaunchPlan plan = TestJob.onModelArts(0, 2)
                .variable("VC_WORKER_HOSTS", "a,b")
                .hosts("a", "b")
                .plan();

        assertThat(Plans.file(plan, "hostfile")).contains("vj-worker-1.vj");
    }

    @Test
    void hostsThatTheUserNamesHoldOnModelArts() {
        LaunchPlan plan = TestJob.onModelArts(0, 2).hosts("a", "b").plan();

        assertThat(Plans.file(plan, "hostfile")).contains("<address of b>");
    }

    @Test
    void theTaskOfModelArtsIsCalledWorkerUnlessSaidOtherwise() {
        LaunchPlan plan = new TestJob()
                .modelArts()
                .variable("MA_VJ_NAME", "vj")
                .nodes(2)
                .index(0)
                .plan();

        assertThat(Plans.file(plan, "hostfile")).contains("vj-worker-1.vj");
    }

    @Test
    void aNameThatIsNoDnsLabelIsRefused() {
        for (String name : new String[] {"a_b", "-a", "a-", "a.b", "x".repeat(64)}) {
            TestJob.onModelArts(0, 2)
                    .variable("MA_VJ_NAME", name)
                    .assertRefused(
                            Kind.CONFIGURATION, "MA_VJ_NAME", name.substring(0, 2), "63 letters, digits and dashes");
        }
        TestJob.onModelArts(0, 2)
                .variable("MA_VJ_NAME", "x".repeat(60))
                .assertRefused(Kind.CONFIGURATION, "MA_VJ_NAME and MA_TASK_NAME");
        TestJob.onModelArts(0, 2).variable("MA_TASK_NAME", "a b").assertRefused(Kind.CONFIGURATION, "MA_TASK_NAME");
    }

    @Test
    void modelArtsWithoutAnIndexIsRefusedAndNeverGuessed() {
        TestJob.onModelArts(0, 2)
                .withoutIndex()
                .hostName("vj-worker-1")
                .assertRefused(Kind.CONFIGURATION, "MA_TASK_INDEX", "VC_TASK_INDEX", "VK_TASK_INDEX", "--node-index");
    }

    @Test
    void oneHostNeedsNoIndexAndNoName() {
        LaunchPlan plan = new TestJob().modelArts().nodes(1).plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun");
    }

    @Test
    void severalNodesWithoutHostsAreRefused() {
        new TestJob().nodes(3).index(0).assertRefused(Kind.CONFIGURATION, "3 nodes", "--hosts");
        new TestJob().nodes(3).index(0).hosts("a", "b").assertRefused(Kind.CONFIGURATION, "3 nodes", "2 hosts");
    }

    @Test
    void plainVolcanoTakesTheIndexOfItsVariableOrOfTheHostName() {
        LaunchPlan byVariable = volcano()
                .variable("VC_TASK_INDEX", "1")
                .hostName("job-worker-0")
                .plan();
        LaunchPlan byName = volcano().hostName("job-worker-1").plan();
        LaunchPlan first = volcano().hostName("job-worker-0").plan();

        assertThat(Plans.notes(byVariable)).first().asString().contains("node 1 (job-worker-1.job) of 2");
        assertThat(Plans.notes(byName)).first().asString().contains("node 1 (job-worker-1.job) of 2");
        assertThat(Plans.file(first, "hostfile")).contains("<address of job-worker-1.job>");
    }

    @Test
    void plainVolcanoWithoutAnyIndexIsRefused() {
        volcano().hostName("box").assertRefused(Kind.CONFIGURATION, "VC_TASK_INDEX", "\"box\"", "env plugin");
        volcano().hostName("job-worker-7").assertRefused(Kind.CONFIGURATION, "index 7", "VC_WORKER_HOSTS", "0..1");
        volcano().variable("VC_TASK_INDEX", "x").assertRefused(Kind.CONFIGURATION, "VC_TASK_INDEX=\"x\"");
    }

    /** A job of several tasks has a list for each. */
    @Test
    void plainVolcanoTakesTheListThatHasThisHost() {
        LaunchPlan plan = volcano()
                .variable("VC_MPI_HOSTS", "job-mpi-0.job,job-mpi-1.job")
                .hostName("job-mpi-0")
                .plan();

        assertThat(Plans.file(plan, "hostfile")).contains("<address of job-mpi-1.job>");
    }

    private static TestJob volcano() {
        return new TestJob().variable("VC_WORKER_HOSTS", "job-worker-0.job,job-worker-1.job");
    }
}
