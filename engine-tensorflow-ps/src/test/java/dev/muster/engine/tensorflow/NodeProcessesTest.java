package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import org.junit.jupiter.api.Test;

/** Which processes of the job a node runs. */
class NodeProcessesTest {

    private static final String TWO_PS = "a:5000,b:5000";
    private static final String TWO_WORKERS = "a:5001,b:5001";

    @Test
    void aContainerOfOneRoleRunsOneProcessWithItsNameEverywhere() {
        LaunchPlan plan = listed().role("ps", 1).plan();

        assertThat(TestJob.ids(plan)).containsExactly("ps-1");
        assertThat(plan.name()).contains("ps-1");
        assertThat(TestJob.process(plan, "ps-1").launch().logFile()).isEqualTo("job-x-ps-1.txt");
        assertThat(TestJob.process(plan, "ps-1").launch().workDirectory()).isEqualTo("/here");
        assertThat(plan.directories()).isEmpty();
        assertThat(TestJob.notes(plan))
                .containsExactly("this node is ps-1 of 2 ps and 2 workers; addresses: TF_WORKER_HOSTS");
        assertThat(listed().role("worker", 0).plan().name()).contains("worker-0");
    }

    @Test
    void aWholeNodeRunsOnePsAndOneWorker() {
        LaunchPlan plan = listed().node(1, 2).plan();

        assertThat(TestJob.ids(plan)).containsExactly("ps-1", "worker-1");
        assertThat(plan.name()).isEmpty();
        assertThat(TestJob.process(plan, "ps-1")).isInstanceOf(ProcessSpec.Service.class);
        assertThat(TestJob.process(plan, "worker-1")).isInstanceOf(ProcessSpec.Task.class);
    }

    @Test
    void theOptionIsStrongerThanThePlatform() {
        assertThat(TestJob.ids(
                        listed().role("worker", 1).option("shape", "node").plan()))
                .containsExactly("ps-1", "worker-1");
        assertThat(TestJob.ids(new TestJob()
                        .onModelArts()
                        .role("worker")
                        .node(0, 1)
                        .option("shape", "node")
                        .plan()))
                .containsExactly("ps-0", "worker-0");
    }

    /** On ModelArts the container of a whole node has the role worker, and gets the hosts of all workers. */
    @Test
    void aWorkerOfAJobWithoutPsIsAWholeNode() {
        LaunchPlan plan = new TestJob()
                .onModelArts()
                .role("worker")
                .hostsOf("worker", "a", "b")
                .hosts("a", "b")
                .node(1, 2)
                .plan();

        assertThat(TestJob.ids(plan)).containsExactly("ps-1", "worker-1");
    }

    @Test
    void aRoleContainerThatKnowsNoPsIsRefused() {
        new TestJob()
                .onModelArts()
                .role("ps")
                .hostsOf("worker", "a", "b")
                .node(0, 2)
                .assertRefused(
                        PlanException.Kind.CONFIGURATION, "no ps of the job is known", "TF_PS_HOSTS", "-o ps-hosts");
        new TestJob()
                .onModelArts()
                .role("worker")
                .hostsOf("worker", "a", "b")
                .node(0, 2)
                .option("shape", "role")
                .assertRefused(PlanException.Kind.CONFIGURATION, "no ps of the job is known");
        new TestJob()
                .onModelArts()
                .role("ps")
                .hostsOf("ps", "a", "b")
                .node(0, 2)
                .assertRefused(PlanException.Kind.CONFIGURATION, "no worker of the job is known", "TF_WORKER_HOSTS");
    }

    @Test
    void otherRolesCannotBeARoleOfThisJob() {
        listed().role("learner", 0)
                .option("shape", "role")
                .assertRefused(PlanException.Kind.CONFIGURATION, "--shape=role", "\"learner\"", "Only ps and worker");
        listed().node(0, 2)
                .option("shape", "role")
                .assertRefused(PlanException.Kind.CONFIGURATION, "--shape=role", "nobody says which role");
    }

    @Test
    void theIndexWithinTheRoleMustBeKnownAndExist() {
        listed().role("worker")
                .assertRefused(
                        PlanException.Kind.CONFIGURATION, "which of the 2 workers (TF_WORKER_HOSTS)", "--node-index");
        listed().role("ps", 2)
                .assertRefused(PlanException.Kind.CONFIGURATION, "index 2", "only 2 ps (TF_PS_HOSTS)", "0..1");
        assertThat(TestJob.ids(
                        new TestJob().lists("a:1", "a:2,b:2,c:2").role("ps").plan()))
                .containsExactly("ps-0");
    }

    /** In a job of one node the index is 0. So each container would take itself for the first of its role. */
    @Test
    void fewerNodesThanContainersOfTheRoleAreRefused() {
        listed().role("worker")
                .node(0, 1)
                .assertRefused(
                        PlanException.Kind.CONFIGURATION,
                        "the job has 1 node, but TF_WORKER_HOSTS has 2 entries",
                        "every worker has a container of its own",
                        "--nodes 2");
        assertThat(TestJob.ids(new TestJob()
                        .lists("a:1", "a:2,b:2,c:2")
                        .role("ps")
                        .node(0, 1)
                        .plan()))
                .containsExactly("ps-0");
        assertThat(TestJob.ids(listed().role("worker").node(1, 4).plan())).containsExactly("worker-1");
    }

    @Test
    void wholeNodesHaveOnePsAndOneWorkerEach() {
        new TestJob()
                .lists("a:1", "a:2,b:2")
                .node(0, 2)
                .assertRefused(PlanException.Kind.CONFIGURATION, "TF_PS_HOSTS has 1 entry", "2 nodes", "-o shape=role");
        listed().node(0, 3).assertRefused(PlanException.Kind.CONFIGURATION, "TF_WORKER_HOSTS has 2 entries", "3 nodes");
        new TestJob()
                .lists("a:1", "a:2,b:2")
                .assertRefused(
                        PlanException.Kind.CONFIGURATION, "TF_PS_HOSTS has 1 entry", "TF_WORKER_HOSTS has 2 entries");
        listed().assertRefused(PlanException.Kind.CONFIGURATION, "which of the 2 workers", "--node-index");
    }

    @Test
    void oneModelArtsNodeWithoutListsRunsTheCommandAsItIs() {
        LaunchPlan plan = new TestJob()
                .onModelArts()
                .role("worker")
                .hostsOf("worker", "a")
                .hosts("a")
                .node(0, 1)
                .variable("TF_CONFIG", "{}")
                .command("python3", "train.py", "--job_name=mine")
                .plan();

        assertThat(TestJob.ids(plan)).containsExactly("worker-0");
        assertThat(TestJob.command(plan, "worker-0")).containsExactly("python3", "train.py", "--job_name=mine");
        assertThat(TestJob.process(plan, "worker-0").launch().environment().set())
                .isEmpty();
        assertThat(TestJob.process(plan, "worker-0").launch().environment().remove())
                .containsExactly("TF_CONFIG");
        assertThat(plan.outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(TestJob.notes(plan)).hasSize(2).first().asString().contains("with nothing added", "-o shape=node");
    }

    @Test
    void oneModelArtsNodeWithListsIsARole() {
        LaunchPlan plan = new TestJob()
                .onModelArts()
                .lists("a:1", "b:2")
                .role("worker")
                .node(0, 1)
                .plan();

        assertThat(TestJob.ids(plan)).containsExactly("worker-0");
        assertThat(TestJob.argument(plan, "worker-0", "--ps_hosts")).isEqualTo("a:1");
    }

    private static TestJob listed() {
        return new TestJob().lists(TWO_PS, TWO_WORKERS);
    }
}
