package dev.muster.engine.tensorflow;

import static dev.muster.engine.tensorflow.TestJob.exited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Host;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs with a given TF_CONFIG: recorded from real TFJobs, and wrong ones. */
class GivenConfigTest {

    private static final Path RECORDED =
            Path.of("../core/runtime/src/test/resources/dev/muster/runtime/platform/recorded");

    // --- every replica

    @ParameterizedTest
    @CsvSource({
        "tfjob-chief-0, chief-0, 6, true",
        "tfjob-evaluator-0, evaluator-0, 6, false",
        "tfjob-ps-0, ps-0, 6, false",
        "tfjob-ps-1, ps-1, 6, false",
        "tfjob-worker-0, worker-0, 6, false",
        "tfjob-worker-1, worker-1, 6, false",
        "tfjob-chief-chief-0, chief-0, 3, true",
        "tfjob-chief-worker-0, worker-0, 3, false",
        "tfjob-chief-worker-1, worker-1, 3, false",
        "tfjob-ps-ps-0, ps-0, 3, false",
        "tfjob-ps-worker-0, worker-0, 3, true",
        "tfjob-ps-worker-1, worker-1, 3, true",
        "tfjob-workers-worker-0, worker-0, 2, true",
        "tfjob-workers-worker-1, worker-1, 2, true",
        "tfjob-dynamic-ps-0, ps-0, 2, true",
        "tfjob-dynamic-worker-0, worker-0, 2, true",
        "tfjob-dynamic-worker-1, worker-1, 2, true",
        "volcano-tensorflow-chief-0, chief-0, 5, true",
        "volcano-tensorflow-evaluator-0, evaluator-0, 5, false",
        "volcano-tensorflow-ps-0, ps-0, 5, false",
        "volcano-tensorflow-worker-1, worker-1, 5, false"
    })
    void aReplicaRunsItsOwnProcessWithNothingChanged(String recording, String id, int nodes, boolean decides) {
        LaunchPlan plan = recorded(recording).plan();

        assertThat(TestJob.ids(plan)).containsExactly(id);
        assertThat(plan.name()).contains(id);
        assertThat(plan.nodes()).hasValue(nodes);
        ProcessSpec process = TestJob.process(plan, id);
        assertThat(process).isInstanceOf(decides ? ProcessSpec.Task.class : ProcessSpec.Service.class);
        assertThat(process.launch().environment()).isEqualTo(EnvironmentChange.NONE);
        assertThat(process.launch().logFile()).isEqualTo("job-x-" + id + ".txt");
        assertThat(TestJob.command(plan, id)).containsExactly("python3", "a b.py");
        assertThat(TestJob.notes(plan)).first().asString().startsWith("this node is " + id + " of ");
        assertThat(TestJob.notes(plan)).noneMatch(note -> note.contains("not used"));
        // An evaluator need not listen.
        assertThat(plan.ports()).hasSize(id.startsWith("evaluator") ? 0 : 1);
    }

    @Test
    void theFirstLineTellsTheWholeJob() {
        assertThat(TestJob.notes(recorded("tfjob-worker-1").plan()))
                .containsExactly(
                        "this node is worker-1 of 2 ps, 2 workers, 1 chief and 1 evaluator; addresses: TF_CONFIG");
        assertThat(TestJob.notes(recorded("tfjob-dynamic-worker-1").plan()))
                .containsExactly("this node is worker-1 of a job whose workers may come and go; known here: 1 ps and 1"
                        + " worker; addresses: TF_CONFIG");
    }

    // --- when it ends

    @ParameterizedTest
    @CsvSource({
        "tfjob-chief-0, chief-0, the chief (chief-0) has ended",
        "tfjob-chief-chief-0, chief-0, the chief (chief-0) has ended",
        "tfjob-ps-worker-0, worker-0 worker-1@worker-1, all workers have ended",
    })
    void whoeverLeadsWaitsForAllWhoDecide(String recording, String awaited, String reason) {
        assertThat(TestJob.onlyCase(recorded(recording).plan()))
                .isEqualTo(new Outcome.Case(exited(awaited.split(" ", -1)), 0, reason));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tfjob-ps-0",
                "tfjob-worker-1",
                "tfjob-evaluator-0",
                "tfjob-chief-worker-1",
                "tfjob-ps-ps-0",
                "tfjob-ps-worker-1",
                "volcano-tensorflow-worker-0"
            })
    void theOthersFollow(String recording) {
        assertThat(recorded(recording).plan().outcome()).isEqualTo(Outcome.FOLLOWS_LEADER);
    }

    @Test
    void allReplicasNameTheSameLaunchers() {
        List<LauncherNodes> all = Stream.of("chief-0", "evaluator-0", "ps-0", "ps-1", "worker-0", "worker-1")
                .map(name -> recorded("tfjob-" + name).link().orElseThrow())
                .toList();

        assertThat(all)
                .extracting(LauncherNodes::own)
                .containsExactly("chief-0", "evaluator-0", "ps-0", "ps-1", "worker-0", "worker-1");
        assertThat(all).extracting(LauncherNodes::all).containsOnly(all.get(0).all());
        assertThat(all).extracting(LauncherNodes::leader).containsOnly("chief-0");
        assertThat(all).extracting(LauncherNodes::required).containsOnly(true);
        assertThat(all.get(0).leading().host()).contains(Host.of("tf-chief-0.training.svc", Optional.empty()));
    }

    @Test
    void whereThereAreOnlyWorkersEachJudgesItsOwnContainer() {
        assertThat(recorded("tfjob-workers-worker-1").plan().outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(recorded("tfjob-workers-worker-1").link()).hasValueSatisfying(launchers -> {
            assertThat(launchers.leader()).isEqualTo("worker-0");
            assertThat(launchers.required()).isFalse();
        });
    }

    /** The TF_CONFIG of the workers does not name the evaluator, so they do not know it. */
    @Test
    void anEvaluatorBesideTheClusterServesUntilItIsStopped() {
        LaunchPlan plan = new TestJob()
                .onTfJob("{'cluster':{'worker':['a:2','b:2']},'task':{'type':'evaluator','index':0}}")
                .plan();

        assertThat(TestJob.ids(plan)).containsExactly("evaluator-0");
        assertThat(plan.nodes()).hasValue(3);
        assertThat(plan.outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(TestJob.notes(plan)).last().asString().contains("serves until the platform stops it");
    }

    @Test
    void whereWorkersMayComeAndGoEachContainerIsAlone() {
        LaunchPlan ps = recorded("tfjob-dynamic-ps-0").plan();
        LaunchPlan worker = recorded("tfjob-dynamic-worker-1").plan();

        assertThat(ps.outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(TestJob.notes(ps)).last().asString().contains("serves until the platform stops it");
        assertThat(worker.outcome()).isEqualTo(Outcome.ALL_TASKS);
        assertThat(TestJob.notes(worker)).hasSize(1);
        assertThat(recorded("tfjob-dynamic-worker-1").link()).isEmpty();
    }

    @Test
    void aMasterIsAChief() {
        String config = "{'cluster':{'master':['m:1'],'ps':['p:1']},'task':{'type':'%s','index':0}}";
        LaunchPlan master = new TestJob().onTfJob(config.formatted("master")).plan();

        assertThat(new TestJob()
                        .onTfJob(config.formatted("ps"))
                        .link()
                        .orElseThrow()
                        .leader())
                .isEqualTo("master-0");
        assertThat(TestJob.onlyCase(master).reason()).isEqualTo("the chief (master-0) has ended");
    }

    // --- options

    @Test
    void optionsThatSayOtherwiseAreRefused() {
        recorded("tfjob-chief-0")
                .option("tf-config", "workers")
                .assertRefused(
                        PlanException.Kind.USAGE,
                        "--tf-config=workers",
                        "the cluster of TF_CONFIG has 2 ps, 2 workers, 1 chief and 1 evaluator",
                        "tf-config=chief");
        assertThat(recorded("tfjob-chief-0").option("tf-config", "chief").plan().nodes())
                .hasValue(6);
        assertThat(recorded("tfjob-ps-ps-0").option("tf-config", "ps").plan().nodes())
                .hasValue(3);
        recorded("tfjob-ps-0")
                .option("shape", "node")
                .assertRefused(PlanException.Kind.USAGE, "--shape=node", "TF_CONFIG says that this container is ps-0");
        assertThat(TestJob.ids(recorded("tfjob-ps-0").option("shape", "role").plan()))
                .containsExactly("ps-0");
    }

    @Test
    void givenListsAreStronger() {
        LaunchPlan plan = recorded("tfjob-ps-worker-1")
                .option("ps-hosts", "a:1")
                .option("worker-hosts", "a:2,b:2")
                .role("worker", 1)
                .plan();

        assertThat(TestJob.argument(plan, "worker-1", "--worker_hosts")).isEqualTo("a:2,b:2");
        assertThat(TestJob.tfConfig(plan, "worker-1")).contains("\"worker\": [\"a:2\", \"b:2\"]");
        assertThat(TestJob.notes(plan)).contains("TF_CONFIG of the environment is not used");
    }

    @Test
    void elsewhereTheVariableIsSomebodyElses() {
        LaunchPlan plan = new TestJob()
                .variable("TF_CONFIG", config("tfjob-worker-0"))
                .onModelArts()
                .node(0, 1)
                .plan();

        assertThat(TestJob.process(plan, "worker-0").launch().environment().remove())
                .containsExactly("TF_CONFIG");
    }

    // --- what is wrong

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'cluster':{'worker':['a:1','a:1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a:1'],'ps':['A:1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'ps':['a:1','b:1']},'task':{'type':'ps','index':0}}",
                "{'cluster':{'chief':['a:1','b:1']},'task':{'type':'chief','index':0}}",
                "{'cluster':{'chief':['a:1'],'master':['b:1']},'task':{'type':'chief','index':0}}"
            })
    void whatIsWrongIsRefusedWithItsVariable(String config) {
        new TestJob().onTfJob(config).assertRefused(PlanException.Kind.CONFIGURATION, "TF_CONFIG");
    }

    private static TestJob recorded(String name) {
        return new TestJob().onTfJob(config(name));
    }

    private static String config(String name) {
        try {
            byte[] bytes = Files.readAllBytes(RECORDED.resolve(name + ".json"));
            Map<String, Object> recorded = ((JsonReading.Complete) Json.read(bytes)).content();
            Map<?, ?> environment = (Map<?, ?>) Objects.requireNonNull(recorded.get("environment"));
            return (String) Objects.requireNonNull(environment.get("TF_CONFIG"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
