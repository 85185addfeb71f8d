package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Host;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the addresses of ps and workers come from. */
class ListsTest {

    private static final String TWO_PS = "a:5000,b:5000";
    private static final String TWO_WORKERS = "a:5001,b:5001";

    @ParameterizedTest
    @ValueSource(strings = {"a:5000,b:5000", "[a:5000,b:5000]", " a:5000 , b:5000 ", "[ a:5000,  b:5000 ]"})
    void platformsListsMayHaveBracketsAndBlanks(String ps) {
        LaunchPlan plan = new TestJob().lists(ps, TWO_WORKERS).node(0, 2).plan();

        assertThat(TestJob.argument(plan, "ps-0", "--ps_hosts")).isEqualTo(TWO_PS);
        assertThat(TestJob.argument(plan, "ps-0", "--worker_hosts")).isEqualTo(TWO_WORKERS);
    }

    @Test
    void ipv6AddressesStandInBrackets() {
        TestJob job = new TestJob()
                .lists("[::1]:5000,[fe80::1%eth0]:5000", "[[::1]:5001,b:5001]")
                .node(0, 2);
        LaunchPlan plan = job.plan();

        assertThat(TestJob.argument(plan, "ps-0", "--ps_hosts")).isEqualTo("[::1]:5000,[fe80::1%eth0]:5000");
        assertThat(TestJob.argument(plan, "ps-0", "--worker_hosts")).isEqualTo("[::1]:5001,b:5001");
        assertThat(job.link().orElseThrow().leading().host()).contains(Host.of("::1", Optional.empty()));
    }

    @Test
    void optionsAreStrongerThanVariables() {
        LaunchPlan plan = new TestJob()
                .lists(TWO_PS, TWO_WORKERS)
                .option("ps-hosts", "c:1,d:1")
                .node(1, 2)
                .plan();

        assertThat(TestJob.argument(plan, "worker-1", "--ps_hosts")).isEqualTo("c:1,d:1");
        assertThat(TestJob.argument(plan, "worker-1", "--worker_hosts")).isEqualTo(TWO_WORKERS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "a:", ":5000", "a:0", "a:65536", "a:99999", "a:x", "", "a b:5000", "::1:5000", "[a]:5000"})
    void aWrongEntryIsRefusedWithItsVariable(String entry) {
        new TestJob()
                .lists("a:5000," + entry, TWO_WORKERS)
                .node(0, 2)
                .assertRefused(
                        PlanException.Kind.CONFIGURATION,
                        "TF_PS_HOSTS",
                        "\"" + entry + "\"",
                        "is no host:port",
                        "1..65535");
    }

    @Test
    void aWrongEntryOfAFlagIsAMistakeOfUsage() {
        new TestJob()
                .option("ps-hosts", TWO_PS)
                .option("worker-hosts", "a:5001;b:5001")
                .node(0, 2)
                .assertRefused(PlanException.Kind.USAGE, "--worker-hosts", "\"a:5001;b:5001\"");
    }

    @Test
    void halfOfTheListsIsRefused() {
        new TestJob()
                .variable("TF_WORKER_HOSTS", TWO_WORKERS)
                .node(0, 2)
                .assertRefused(
                        PlanException.Kind.CONFIGURATION, "TF_WORKER_HOSTS is given", "TF_PS_HOSTS", "-o ps-hosts");
        new TestJob()
                .variable("TF_PS_HOSTS", TWO_PS)
                .variable("TF_WORKER_HOSTS", "")
                .node(0, 2)
                .assertRefused(PlanException.Kind.CONFIGURATION, "TF_PS_HOSTS is given", "TF_WORKER_HOSTS");
    }

    @Test
    void workersAloneAreEnoughWhereThereIsNoPs() {
        LaunchPlan plan = new TestJob()
                .variable("TF_WORKER_HOSTS", TWO_WORKERS)
                .option("tf-config", "workers")
                .node(1, 2)
                .plan();

        assertThat(TestJob.ids(plan)).containsExactly("worker-1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"a:1,A:1|a:2,b:2|ps-0|ps-1", "a:1,b:1|a:2,a:2|worker-0|worker-1", "a:1,b:1|a:2,b:1|ps-1|worker-1"})
    void twoProcessesAtOnePlaceAreRefused(String ps, String workers, String one, String other) {
        new TestJob()
                .lists(ps, workers)
                .node(0, 2)
                .assertRefused(
                        PlanException.Kind.CONFIGURATION, one + " (TF_", other + " (TF_", "have the same address");
    }

    @Test
    void aNodesOwnTwoPortsMustDiffer() {
        new TestJob()
                .lists("a:1,b:1", "10.0.0.1:1,b:2")
                .node(0, 2)
                .assertRefused(PlanException.Kind.CONFIGURATION, "ps-0 (a:1)", "worker-0 (10.0.0.1:1)", "port 1.");
    }

    // --- computed from the job's id

    @Test
    void wholeNodesComputeTheSameListsFromTheJobsId() {
        LaunchPlan first = new TestJob().hosts("a", "b").node(0, 2).plan();
        LaunchPlan second = new TestJob().hosts("a", "b").node(1, 2).plan();

        String ps = TestJob.argument(first, "ps-0", "--ps_hosts");
        String workers = TestJob.argument(first, "worker-0", "--worker_hosts");
        assertThat(ps).matches("a:([0-9]+),b:\\1");
        assertThat(workers).matches("a:([0-9]+),b:\\1");
        assertThat(TestJob.argument(second, "ps-1", "--ps_hosts")).isEqualTo(ps);
        assertThat(TestJob.argument(second, "worker-1", "--worker_hosts")).isEqualTo(workers);
    }

    @Test
    void rolesComputeTheSameListsFromTheJobsId() {
        TestJob ps = roles().role("ps", 0);
        TestJob worker = roles().role("worker", 1);

        assertThat(TestJob.argument(ps.plan(), "ps-0", "--ps_hosts")).matches("p:[0-9]+");
        assertThat(TestJob.argument(worker.plan(), "worker-1", "--ps_hosts"))
                .isEqualTo(TestJob.argument(ps.plan(), "ps-0", "--ps_hosts"));
        assertThat(TestJob.argument(worker.plan(), "worker-1", "--worker_hosts"))
                .matches("v:([0-9]+),w:\\1");
    }

    private static TestJob roles() {
        return new TestJob().onModelArts().hostsOf("ps", "p").hostsOf("worker", "v", "w");
    }

    /** These ports must never change: nodes may run different versions of Muster for a while. */
    @Test
    void portsStayTheSameInAllVersions() {
        LaunchPlan plan =
                new TestJob().id("modelarts-job-1").hosts("a", "b").node(0, 2).plan();

        assertThat(TestJob.argument(plan, "ps-0", "--ps_hosts")).isEqualTo("a:8773,b:8773");
        assertThat(TestJob.argument(plan, "ps-0", "--worker_hosts")).isEqualTo("a:5635,b:5635");
    }

    @Test
    void portsLieInTheRangeOfThePlatformAndDifferWithinAJob() {
        Set<String> seen = new HashSet<>();
        for (int job = 0; job < 500; job++) {
            LaunchPlan plan =
                    new TestJob().id("job-" + job).hosts("a", "b").node(0, 2).plan();
            String ps = TestJob.argument(plan, "ps-0", "--ps_hosts");
            seen.add(ps);
            assertThat(plan.ports()).hasSize(2);
            assertThat(plan.ports()).allSatisfy(port -> assertThat(port.port()).isBetween(5000, 10000));
            assertThat(plan.ports().get(0).port())
                    .isNotEqualTo(plan.ports().get(1).port());
        }
        assertThat(seen).as("different ports of 500 jobs").hasSizeGreaterThan(400);
    }

    @Test
    void anIdThatThisLauncherMadeTellsOtherNodesNothing() {
        new TestJob()
                .ownId()
                .hosts("a", "b")
                .node(0, 2)
                .assertRefused(PlanException.Kind.CONFIGURATION, "job-x", "--job-id", "-o ps-hosts", "-o worker-hosts");
        assertThat(new TestJob()
                        .ownId()
                        .lists(TWO_PS, TWO_WORKERS)
                        .node(0, 2)
                        .plan()
                        .processes())
                .hasSize(2);
        assertThat(new TestJob().ownId().plan().processes()).hasSize(2);
    }

    @Test
    void severalNodesWithoutHostsAreRefused() {
        new TestJob()
                .node(0, 2)
                .assertRefused(
                        PlanException.Kind.CONFIGURATION, "2 nodes", "--hosts", "-o ps-hosts", "-o worker-hosts");
        new TestJob()
                .hosts("a", "b")
                .node(0, 3)
                .assertRefused(PlanException.Kind.CONFIGURATION, "3 nodes", "2 hosts", "--hosts");
    }

    @Test
    void twoNodesOnOneHostCannotHaveComputedPorts() {
        new TestJob()
                .hosts("a", "a")
                .node(0, 2)
                .assertRefused(PlanException.Kind.CONFIGURATION, "ps-0", "ps-1", "the same address");
    }

    @Test
    void oneBareNodeDrawsFreePorts() {
        LaunchPlan plan = new TestJob().plan();

        assertThat(TestJob.command(plan, "ps-0"))
                .containsExactly(
                        "python3",
                        "a b.py",
                        "--job_name",
                        "ps",
                        "--task_index",
                        "0",
                        "--ps_hosts",
                        "127.0.0.1:<ps>",
                        "--worker_hosts",
                        "127.0.0.1:<worker>");
        assertThat(TestJob.tfConfig(plan, "worker-0"))
                .isEqualTo("{\"cluster\": {\"ps\": [\"127.0.0.1:<ps>\"], \"worker\": [\"127.0.0.1:<worker>\"]},"
                        + " \"task\": {\"type\": \"worker\", \"index\": 0}}");
        assertThat(plan.ports()).as("ports that are drawn are free").isEmpty();
    }

    @Test
    void portsInTheListsAreCheckedBeforeTheyAreUsed() {
        LaunchPlan plan = new TestJob().lists(TWO_PS, TWO_WORKERS).node(1, 2).plan();

        assertThat(plan.ports()).hasSize(2);
        assertThat(plan.ports().get(0).port()).isEqualTo(5000);
        assertThat(plan.ports().get(0).purpose()).isEqualTo("ps-1");
        assertThat(plan.ports().get(0).origin()).isEqualTo("TF_PS_HOSTS");
        assertThat(plan.ports().get(0).fix()).contains("-o ps-hosts").doesNotEndWith(".");
        assertThat(plan.ports().get(1).purpose()).isEqualTo("worker-1");
        assertThat(new TestJob()
                        .hosts("a", "b")
                        .node(0, 2)
                        .plan()
                        .ports()
                        .get(0)
                        .origin())
                .isEqualTo("the job's id");
    }
}
