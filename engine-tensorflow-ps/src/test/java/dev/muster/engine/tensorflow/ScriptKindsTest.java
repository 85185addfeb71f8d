package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arguments and the TF_CONFIG that each of the three kinds of script gets. */
class ScriptKindsTest {

    private static final String LISTS = "\"ps\": [\"a:1\", \"b:1\"], \"worker\": [\"a:2\", \"b:2\"]";
    private static final String CHIEF_LISTS = "\"chief\": [\"a:2\"], \"ps\": [\"a:1\", \"b:1\"], \"worker\": [\"b:2\"]";

    // --- arguments

    @Test
    void argumentsFollowTheUsersOwnUnchanged() {
        LaunchPlan plan =
                job().node(1, 2).command("python3", "a b.py", "--x=\u00e9", "").plan();

        assertThat(TestJob.command(plan, "worker-1"))
                .containsExactly(
                        "python3",
                        "a b.py",
                        "--x=\u00e9",
                        "",
                        "--job_name",
                        "worker",
                        "--task_index",
                        "1",
                        "--ps_hosts",
                        "a:1,b:1",
                        "--worker_hosts",
                        "a:2,b:2");
        assertThat(TestJob.argument(plan, "ps-1", "--job_name")).isEqualTo("ps");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--job_names", "job_name", "--my=--job_name", "--no_job_name"})
    void otherArgumentsAreTheUsersOwnBusiness(String argument) {
        assertThat(job().node(0, 2).command("python3", argument).plan().processes())
                .hasSize(2);
    }

    @Test
    void nothingIsAppendedWhereTfConfigIsAll() {
        LaunchPlan plan = job().node(0, 2)
                .option("tf-config", "ps-env")
                .command("python3", "t.py", "--job_name=mine")
                .plan();

        assertThat(TestJob.command(plan, "ps-0")).containsExactly("python3", "t.py", "--job_name=mine");
        assertThat(TestJob.tfConfig(plan, "ps-0")).contains(LISTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"chief", "workers"})
    void scriptsForTfConfigGetNoArguments(String kind) {
        TestJob job = job().node(1, 2).option("tf-config", kind);

        assertThat(TestJob.command(job.plan(), "worker-1")).containsExactly("python3", "a b.py");
    }

    // --- TF_CONFIG

    @Test
    void byDefaultTfConfigHasTheListsAsTheyAre() {
        LaunchPlan plan =
                job().node(1, 2).variable("TF_CONFIG", "of somebody else").plan();

        assertThat(TestJob.tfConfig(plan, "ps-1")).isEqualTo(config(LISTS, "ps", 1));
        assertThat(TestJob.tfConfig(plan, "worker-1")).isEqualTo(config(LISTS, "worker", 1));
        assertThat(TestJob.notes(plan)).contains("TF_CONFIG of the environment is not used");
    }

    @Test
    void workerZeroIsTheChiefAndTheOthersAreCountedAfterIt() {
        LaunchPlan first = job().node(0, 2).option("tf-config", "chief").plan();
        LaunchPlan second = job().node(1, 2).option("tf-config", "chief").plan();

        assertThat(TestJob.ids(first)).containsExactly("ps-0", "worker-0");
        assertThat(TestJob.tfConfig(first, "worker-0")).isEqualTo(config(CHIEF_LISTS, "chief", 0));
        assertThat(TestJob.tfConfig(first, "ps-0")).isEqualTo(config(CHIEF_LISTS, "ps", 0));
        assertThat(TestJob.tfConfig(second, "worker-1")).isEqualTo(config(CHIEF_LISTS, "worker", 0));
        assertThat(TestJob.process(first, "worker-0")).isInstanceOf(ProcessSpec.Task.class);
        assertThat(TestJob.process(second, "worker-1")).isInstanceOf(ProcessSpec.Service.class);
        assertThat(TestJob.process(second, "ps-1")).isInstanceOf(ProcessSpec.Service.class);
    }

    @Test
    void aChiefWithoutAnotherWorkerIsRefusedWithTheReason() {
        new TestJob()
                .option("tf-config", "chief")
                .assertRefused(
                        PlanException.Kind.USAGE,
                        "--tf-config=chief",
                        "There must be at least one worker",
                        "at least 2 nodes");
        new TestJob()
                .onModelArts()
                .node(0, 1)
                .option("tf-config", "chief")
                .assertRefused(PlanException.Kind.USAGE, "There must be at least one worker");
        new TestJob()
                .lists("a:1,b:1", "a:2")
                .role("ps", 0)
                .option("tf-config", "chief")
                .assertRefused(PlanException.Kind.USAGE, "There must be at least one worker");
    }

    @Test
    void onlyWorkersHaveNoPsAnywhere() {
        LaunchPlan plan = job().node(1, 2).option("tf-config", "workers").plan();

        assertThat(TestJob.ids(plan)).containsExactly("worker-1");
        assertThat(TestJob.tfConfig(plan, "worker-1")).isEqualTo(config("\"worker\": [\"a:2\", \"b:2\"]", "worker", 1));
        assertThat(plan.outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(plan.ports()).hasSize(1);
    }

    @Test
    void onlyWorkersOnOneBareNodeIsOneWorkerOnAFreePort() {
        LaunchPlan plan = new TestJob().option("tf-config", "workers").plan();

        assertThat(TestJob.ids(plan)).containsExactly("worker-0");
        assertThat(TestJob.tfConfig(plan, "worker-0"))
                .isEqualTo(config("\"worker\": [\"127.0.0.1:<worker>\"]", "worker", 0));
    }

    @Test
    void aPsContainerOfWorkersOnlyStartsNothingAndEndsWithZero() {
        LaunchPlan plan = job().role("ps", 1).option("tf-config", "workers").plan();

        assertThat(plan.processes()).isEmpty();
        assertThat(plan.name()).contains("ps-1");
        assertThat(TestJob.cases(plan)).singleElement().satisfies(only -> {
            assertThat(only.exitCode()).isZero();
            assertThat(only.reason()).contains("ps-1 has nothing to do", "tf-config=workers");
        });
    }

    @Test
    void aWorkerContainerOfWorkersOnlyIsJudgedByItsOwnWorker() {
        LaunchPlan plan = job().role("worker", 1).option("tf-config", "workers").plan();

        assertThat(TestJob.ids(plan)).containsExactly("worker-1");
        assertThat(plan.name()).contains("worker-1");
        assertThat(plan.outcome()).isEqualTo(Outcome.ALL_TASKS);
    }

    private static TestJob job() {
        return new TestJob().lists("a:1,b:1", "a:2,b:2");
    }

    private static String config(String cluster, String type, int index) {
        return "{\"cluster\": {" + cluster + "}, \"task\": {\"type\": \"" + type + "\", \"index\": " + index + "}}";
    }
}
