package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.JsonReader;
import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Host;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of a TF_CONFIG that holds: those of real TFJobs, and wrong ones. */
class GivenConfigTest {

    private static final Path RECORDED =
            Path.of("../core/runtime/src/test/resources/dev/muster/runtime/platform/recorded");

    private static final Duration LOST = Duration.ofSeconds(60);
    private static final Duration REFUSED = Duration.ofSeconds(5);

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
        "tfjob-dynamic-ps-0, ps-0, 2, false",
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

    @Test
    void whatOthersWouldDoIsNotPlannedHere() {
        assertThat(recorded("tfjob-chief-0").cluster()).extracting(Host::name).containsExactly("chief-0");
        assertThat(new TestJob().cluster()).isEmpty();
    }

    // --- when it ends

    @Test
    void theChiefEndsItsContainerAndWatchesWhoServesIt() {
        LaunchPlan plan = recorded("tfjob-chief-0").plan();

        List<Outcome.Case> cases = TestJob.cases(plan);
        assertThat(cases.get(0).when()).isEqualTo(exited("chief-0"));
        assertThat(cases.get(0).exitCode()).isZero();
        assertThat(cases.stream().skip(1).map(Outcome.Case::when))
                .containsExactly(
                        lostBefore("tf-ps-0", "chief-0"),
                        lostBefore("tf-ps-1", "chief-0"),
                        lostBefore("tf-worker-0", "chief-0"),
                        lostBefore("tf-worker-1", "chief-0"));
    }

    @ParameterizedTest
    @CsvSource({
        "tfjob-ps-0, ps-0",
        "tfjob-worker-1, worker-1",
        "tfjob-evaluator-0, evaluator-0",
    })
    void theOthersServeUntilTheChiefHasEnded(String recording, String id) {
        LaunchPlan plan = recorded(recording).plan();

        ProcessSpec.Service service = (ProcessSpec.Service) TestJob.process(plan, id);
        assertThat(service.stopWhen()).isEqualTo(closed("tf-chief-0"));
        assertThat(service.mayEnd()).isTrue();
        List<Outcome.Case> cases = TestJob.cases(plan);
        assertThat(cases).hasSize(3);
        assertThat(cases.get(0).when()).isEqualTo(closed("tf-chief-0"));
        assertThat(cases.get(0).reason()).isEqualTo("the chief (chief-0 at tf-chief-0.training.svc:2222) has ended");
        assertThat(cases.get(1).when()).isEqualTo(exited(id));
        assertThat(cases.get(2).exitCode()).isEqualTo(75);
    }

    @Test
    void withoutAChiefAllWorkersDecide() {
        LaunchPlan ps = recorded("tfjob-ps-ps-0").plan();
        LaunchPlan worker = recorded("tfjob-ps-worker-1").plan();

        Condition ended = new Condition.AllOf(List.of(closed("tf-ps-worker-0"), closed("tf-ps-worker-1")));
        assertThat(((ProcessSpec.Service) TestJob.process(ps, "ps-0")).stopWhen())
                .isEqualTo(ended);
        assertThat(TestJob.cases(ps).get(0).when()).isEqualTo(ended);
        assertThat(TestJob.cases(worker).get(0).when()).isEqualTo(exited("worker-1"));
        assertThat(TestJob.cases(worker).get(1).when()).isEqualTo(lostBefore("tf-ps-ps-0", "worker-1"));
    }

    @Test
    void whereThereAreOnlyWorkersEachJudgesItsOwnContainer() {
        assertThat(recorded("tfjob-workers-worker-1").plan().outcome()).isEqualTo(Outcome.ALL_TASKS);
    }

    /** They train as the chief does and may end before it: that is no loss. */
    @Test
    void aChiefWithoutPsDoesNotWatchTheWorkers() {
        assertThat(TestJob.cases(recorded("tfjob-chief-chief-0").plan()))
                .singleElement()
                .satisfies(only -> assertThat(only.when()).isEqualTo(exited("chief-0")));
    }

    @Test
    void anEvaluatorOfWorkersWaitsForAllOfThem() {
        LaunchPlan plan = new TestJob()
                .onTfJob("{'cluster':{'worker':['a:2','b:2']},'task':{'type':'evaluator','index':0}}")
                .plan();

        Condition ended = new Condition.AllOf(List.of(
                new Condition.PortClosed("a", 2, REFUSED, Optional.of(LOST)),
                new Condition.PortClosed("b", 2, REFUSED, Optional.of(LOST))));
        assertThat(TestJob.ids(plan)).containsExactly("evaluator-0");
        assertThat(plan.nodes()).hasValue(3);
        assertThat(((ProcessSpec.Service) TestJob.process(plan, "evaluator-0")).stopWhen())
                .isEqualTo(ended);
    }

    @Test
    void aPsWhoseWorkersMayComeAndGoServesUntilItIsStopped() {
        LaunchPlan plan = recorded("tfjob-dynamic-ps-0").plan();

        assertThat(((ProcessSpec.Service) TestJob.process(plan, "ps-0")).stopWhen())
                .isEqualTo(Condition.NEVER);
        assertThat(TestJob.cases(plan))
                .singleElement()
                .satisfies(only -> assertThat(only.when()).isEqualTo(exited("ps-0")));
        assertThat(TestJob.notes(plan)).last().asString().contains("serves until the platform stops it");
        assertThat(TestJob.cases(recorded("tfjob-dynamic-worker-1").plan())
                        .get(1)
                        .when())
                .isEqualTo(lostBefore("tf-dynamic-ps-0", "worker-1"));
    }

    @Test
    void aMasterIsAChief() {
        LaunchPlan plan = new TestJob()
                .onTfJob("{'cluster':{'master':['m:1'],'ps':['p:1']},'task':{'type':'ps','index':0}}")
                .plan();

        assertThat(((ProcessSpec.Service) TestJob.process(plan, "ps-0")).stopWhen())
                .isEqualTo(new Condition.PortClosed("m", 1, REFUSED, Optional.of(LOST)));
        assertThat(TestJob.cases(plan).get(0).reason()).isEqualTo("the chief (master-0 at m:1) has ended");
    }

    // --- options

    @Test
    void argumentsAreAppendedOnlyWhenAskedAndCountTheChiefAsWorkerZero() {
        LaunchPlan chief = recorded("tfjob-chief-0").option("inject", "true").plan();
        LaunchPlan worker = recorded("tfjob-worker-1").option("inject", "true").plan();

        String workers = "tf-chief-0.training.svc:2222,tf-worker-0.training.svc:2222,tf-worker-1.training.svc:2222";
        assertThat(TestJob.argument(chief, "chief-0", "--job_name")).isEqualTo("worker");
        assertThat(TestJob.argument(chief, "chief-0", "--task_index")).isEqualTo("0");
        assertThat(TestJob.argument(chief, "chief-0", "--worker_hosts")).isEqualTo(workers);
        assertThat(TestJob.argument(worker, "worker-1", "--task_index")).isEqualTo("2");
        assertThat(TestJob.argument(worker, "worker-1", "--ps_hosts"))
                .isEqualTo("tf-ps-0.training.svc:2222,tf-ps-1.training.svc:2222");
        recorded("tfjob-ps-worker-0")
                .option("inject", "true")
                .command("train.py", "--job_name=x")
                .assertRefused(PlanException.Kind.USAGE, "--job_name=x", "-o inject=false");
        recorded("tfjob-dynamic-worker-0")
                .option("inject", "true")
                .assertRefused(PlanException.Kind.USAGE, "--inject=true", "TF_CONFIG does not name all workers");
        assertThat(TestJob.command(
                        recorded("tfjob-ps-0").option("inject", "false").plan(), "ps-0"))
                .containsExactly("python3", "a b.py");
    }

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
        LaunchPlan plan = recorded("tfjob-worker-0").onModelArts().node(0, 1).plan();

        assertThat(TestJob.process(plan, "worker-0").launch().environment().remove())
                .containsExactly("TF_CONFIG");
    }

    // --- what is wrong

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'cluster':7,'task':{'type':'worker','index':0}}",
                "{'cluster':null,'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a:1']}}",
                "{'cluster':{'worker':['a:1']},'task':[]}",
                "{'cluster':{'worker':['a:1']},'task':{'index':0}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker'}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':7,'index':0}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'$(id)\\n','index':0}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':'0'}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':0.5}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':-1}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':1}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':99999999999999999999}}",
                "{'cluster':{'worker':['a:1']},'task':{'type':'ps','index':0}}",
                "{'cluster':{'worker':'a:1'},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':[7]},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':[null]},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a:0']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a:65536']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a\\u001b[1m:1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['$(touch x):1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a:1','a:1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':['a:1'],'ps':['A:1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'worker':{'01':'a:1'}},'task':{'type':'worker','index':1}}",
                "{'cluster':{'worker':{'-1':'a:1'}},'task':{'type':'worker','index':1}}",
                "{'cluster':{'worker':{'4096':'a:1'}},'task':{'type':'worker','index':1}}",
                "{'cluster':{'we\\nird':['a:1']},'task':{'type':'worker','index':0}}",
                "{'cluster':{'ps':['a:1','b:1']},'task':{'type':'ps','index':0}}",
                "{'cluster':{},'task':{'type':'evaluator','index':0}}",
                "{'cluster':{'chief':['a:1','b:1']},'task':{'type':'chief','index':0}}",
                "{'cluster':{'chief':['a:1'],'master':['b:1']},'task':{'type':'chief','index':0}}"
            })
    void whatIsWrongIsRefusedWithItsVariable(String config) {
        new TestJob().onTfJob(config).assertRefused(PlanException.Kind.CONFIGURATION, "TF_CONFIG");
    }

    @Test
    void whatIsLongIsRefusedInAShortLine() {
        String hosts = IntStream.range(0, 4097).mapToObj(i -> "'w" + i + ":1'").collect(Collectors.joining(","));
        new TestJob()
                .onTfJob("{'cluster':{'worker':[" + hosts + "]},'task':{'type':'worker','index':0}}")
                .assertRefused(
                        PlanException.Kind.CONFIGURATION, "TF_CONFIG, /cluster has 4097 members", "at most 4096");
        new TestJob()
                .onTfJob("{'cluster':{'worker':['" + "a".repeat(60_000) + ":1']},'task':{'type':'worker','index':0}}")
                .assertRefused(PlanException.Kind.CONFIGURATION, "TF_CONFIG, /cluster/worker/0: \"aaa", "aaa...\"");
    }

    @Test
    void theTaskThatIsMissingIsNamedBesideThoseThatAreThere() {
        new TestJob()
                .onTfJob("{'cluster':{'worker':['a:1'],'ps':['b:1','c:1']},'task':{'type':'worker','index':1}}")
                .assertRefused(
                        PlanException.Kind.CONFIGURATION,
                        "TF_CONFIG, /task says that this is worker 1, which is not in /cluster: it has 2 ps and 1 worker",
                        "--platform none");
    }

    private static TestJob recorded(String name) {
        return new TestJob().onTfJob(config(name));
    }

    private static String config(String name) {
        try {
            byte[] bytes = Files.readAllBytes(RECORDED.resolve(name + ".json"));
            Map<String, Object> recorded = ((JsonReading.Complete) JsonReader.read(bytes)).content();
            Map<?, ?> environment = (Map<?, ?>) Objects.requireNonNull(recorded.get("environment"));
            return (String) Objects.requireNonNull(environment.get("TF_CONFIG"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Condition exited(String id) {
        return new Condition.Exited(new TreeSet<>(List.of(id)));
    }

    private static Condition closed(String service) {
        return new Condition.PortClosed(service + ".training.svc", 2222, REFUSED, Optional.of(LOST));
    }

    private static Condition lostBefore(String service, String own) {
        Condition lost = new Condition.PortClosed(service + ".training.svc", 2222, LOST, Optional.of(LOST));
        return new Condition.Before(lost, exited(own));
    }
}
