package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the platform serves ssh and runs the command on every node, node 0 alone starts the ranks. */
class WaitingTest {

    @Test
    void nodeZeroStartsTheRanksAndTellsAllOthers() {
        LaunchPlan plan = TestJob.onServed("worker", 0).plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun", "stop", "note", "release");
        assertThat(words(plan, "note")).endsWith("job-x.worker-0");
        assertThat(words(plan, "release"))
                .endsWith("release", "<code>", "worker-0", "<reason>", "job-x", "worker-1", "ps-0");
        assertThat(Plans.cases(plan)).anySatisfy(told -> {
            assertThat(told.when()).isEqualTo(new Condition.PrivateFileReady("stop"));
            assertThat(told.codeFile()).contains("stop");
        });
    }

    @ParameterizedTest
    @CsvSource({"worker, 1", "ps, 0"})
    void theOthersStartNothingAndWait(String role, int index) {
        LaunchPlan plan = TestJob.onServed(role, index).plan();

        assertThat(Plans.ids(plan)).containsExactly("note", "watch", "stop");
        assertThat(words(plan, "note")).endsWith("job-x." + role + "-" + index);
        assertThat(words(plan, "watch")).endsWith("worker-0", "job-x.worker-0", "60");
        assertThat(words(plan, "stop")).endsWith("stop", "<code>", role + "-" + index, "<reason>", "job-x", "worker-0");
        assertThat(plan.nodes()).hasValue(2);
        assertThat(Plans.notes(plan)).first().asString().contains(role + "-" + index, "worker-0 starts the ranks");
    }

    @Test
    void theyEndAsNodeZeroTellsOrWith75() {
        List<Outcome.Case> cases = Plans.cases(TestJob.onServed("ps", 0).plan());

        assertThat(cases).hasSize(4);
        assertThat(cases.get(0).when()).isEqualTo(new Condition.PrivateFileReady("release"));
        assertThat(cases.get(0).codeFile()).contains("release");
        assertThat(cases.subList(2, 4)).allSatisfy(ended -> {
            assertThat(ended.exitCode()).isEqualTo(75);
            assertThat(ended.reason()).contains("worker-0");
        });
        assertThat(Plans.cases(
                        TestJob.onServed("ps", 0).option("worker-exit", "zero").plan()))
                .first()
                .satisfies(told -> assertThat(told.exitCode()).isZero());
    }

    /** The platform's aliases have their ports; one that horovodrun is told for the workers is not a ps'. */
    @Test
    void aliasesAreCalledWithoutAPort() {
        LaunchPlan plan = TestJob.onServed("worker", 0)
                .platformOption("sshd-port", "40021", "DLWS_SD_worker0_SSH_PORT")
                .plan();

        assertThat(words(plan, "release").subList(3, 5)).containsExactly("-", "-");
    }

    @Test
    void hostsGivenByTheUserAreCalledAtThePortGiven() {
        LaunchPlan plan = new TestJob()
                .option("sshd", "none")
                .option("launchers", "all")
                .option("sshd-port", "2222")
                .hosts("a", "b")
                .nodes(2)
                .index(1)
                .plan();

        assertThat(words(plan, "watch").subList(3, 7)).containsExactly("-", "2222", "a", "job-x.a");
    }

    @Test
    void aSingleLauncherIsStillTheWholeJob() {
        LaunchPlan plan =
                TestJob.onServed("worker", 1).option("launchers", "one").plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun", "stop");
    }

    @Test
    void whoCannotFindTheOthersIsRefused() {
        TestJob job = new TestJob()
                .option("sshd", "none")
                .option("launchers", "all")
                .nodes(2)
                .index(1);
        job.assertRefused(Kind.CONFIGURATION, "nobody says where node 0 is", "--hosts A,B,...", "launchers=one");
        TestJob.onServed("ps", 0).ownId().assertRefused(Kind.CONFIGURATION, "by its id", "--job-id");
        TestJob.onServed("master", 7).assertRefused(Kind.CONFIGURATION, "nobody says which of the job's 3 containers");
    }

    private static List<String> words(LaunchPlan plan, String id) {
        return Stream.of(Plans.process(plan, id))
                .flatMap(process -> process.launch().command().stream())
                .map(Plans::text)
                .toList();
    }
}
