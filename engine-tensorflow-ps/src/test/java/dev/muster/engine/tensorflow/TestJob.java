package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.Condition;
import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import dev.muster.testkit.runtime.EngineTestJob;
import java.util.List;
import java.util.Optional;

/** A TensorFlow job on a node. */
final class TestJob extends EngineTestJob<TestJob> {

    TestJob() {
        super(new TensorFlowPsEngine());
        places(new JobDirectories("/m/workspace", true, "/m/log", Optional.empty()));
    }

    TestJob onModelArts() {
        return platform(PlatformContract.named("modelarts").withRendezvousPort(6666));
    }

    /** On a platform whose TF_CONFIG holds. */
    TestJob onTfJob(String config) {
        return platform(PlatformContract.named("tfjob").withVariables("TF_CONFIG"))
                .variable("TF_CONFIG", config.replace('\'', '"'));
    }

    /** The lists as the platform gives them. */
    TestJob lists(String ps, String workers) {
        return variable("TF_PS_HOSTS", ps).variable("TF_WORKER_HOSTS", workers);
    }

    TestJob role(String word, int newIndex) {
        return role(word).index(newIndex);
    }

    @Override
    protected Optional<InputValue> value(Input input) {
        Input.JsonText text = (Input.JsonText) input;
        JsonReading reading = Json.read(text.text());
        return Optional.of(new InputValue.Json(text.origin(), ((JsonReading.Complete) reading).content()));
    }

    /** What the engine knows of the job's nodes. */
    List<Host> listed() throws PlanException {
        return GivenConfig.of(request()).map(GivenConfig::hosts).orElse(List.of());
    }

    /** The launchers of the job, told before the plan or with it. */
    Optional<LauncherNodes> link() {
        try {
            PlanRequest request = request();
            TensorFlowPsEngine engine = new TensorFlowPsEngine();
            Optional<LauncherNodes> early = engine.link(request.job(), request.node());
            return early.isPresent() ? early : engine.plan(request).launchers();
        } catch (PlanException refusal) {
            throw new AssertionError(refusal.getMessage(), refusal);
        }
    }

    // --- what a plan says

    static List<String> ids(LaunchPlan plan) {
        return plan.processes().stream().map(ProcessSpec::id).toList();
    }

    static ProcessSpec process(LaunchPlan plan, String processId) {
        return plan.processes().stream()
                .filter(process -> process.id().equals(processId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + processId + " in " + ids(plan)));
    }

    static List<String> command(LaunchPlan plan, String processId) {
        return words(process(plan, processId));
    }

    /** What follows an argument of this name. */
    static String argument(LaunchPlan plan, String processId, String name) {
        List<String> words = command(plan, processId);
        return words.contains(name) ? words.get(words.indexOf(name) + 1) : "(not given)";
    }

    static String tfConfig(LaunchPlan plan, String processId) {
        Value value = process(plan, processId).launch().environment().set().get("TF_CONFIG");
        return value == null ? "(not set)" : text(value);
    }

    /** The only case of a plan's outcome. */
    static Outcome.Case onlyCase(LaunchPlan plan) {
        assertThat(cases(plan)).hasSize(1);
        return cases(plan).get(0);
    }

    static Condition exited(String... processIds) {
        return Condition.exited(List.of(processIds));
    }

    static List<Outcome.Case> cases(LaunchPlan plan) {
        return plan.outcome().cases();
    }
}
