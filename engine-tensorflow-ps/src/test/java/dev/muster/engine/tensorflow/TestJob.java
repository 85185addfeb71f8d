package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.plan.PlanValidator;
import dev.muster.spi.CardChoice;
import dev.muster.spi.Condition;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/** A job on a node, built up by a test, and what the engine plans for it. */
final class TestJob {

    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, OptionValue> options = new HashMap<>();
    private final Map<String, List<Host>> hostsByRole = new HashMap<>();
    private List<Host> hosts = List.of();
    private List<String> command = List.of("python3", "a b.py");
    private String id = "job-x";
    private boolean idIsShared = true;
    private PlatformContract platform = PlatformContract.NONE;
    private OptionalInt index = OptionalInt.empty();
    private OptionalInt count = OptionalInt.empty();
    private Optional<String> role = Optional.empty();

    /** A bare server, with the defaults of all options as the runtime hands them over. */
    TestJob() {
        for (EngineOption option : new TensorFlowPsEngine().descriptor().options()) {
            option.defaultValue().ifPresent(value -> options.put(option.name(), new OptionValue(value, "default")));
        }
    }

    /** The launcher made the id for itself. */
    TestJob ownId() {
        idIsShared = false;
        return this;
    }

    TestJob onModelArts() {
        platform = PlatformContract.named("modelarts").withRendezvousPort(6666);
        return this;
    }

    /** On a platform whose TF_CONFIG holds. */
    TestJob onTfJob(String config) {
        platform = PlatformContract.named("tfjob").withVariables("TF_CONFIG");
        return variable("TF_CONFIG", config.replace('\'', '"'));
    }

    TestJob variable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** The lists as the platform gives them. */
    TestJob lists(String ps, String workers) {
        return variable("TF_PS_HOSTS", ps).variable("TF_WORKER_HOSTS", workers);
    }

    TestJob option(String name, String value) {
        options.put(name, new OptionValue(value, "--" + name));
        return this;
    }

    TestJob id(String newId) {
        id = newId;
        return this;
    }

    TestJob command(String... words) {
        command = List.of(words);
        return this;
    }

    TestJob node(int newIndex, int newCount) {
        count = OptionalInt.of(newCount);
        return index(newIndex);
    }

    TestJob index(int newIndex) {
        index = OptionalInt.of(newIndex);
        return this;
    }

    TestJob nodes(int newCount) {
        count = OptionalInt.of(newCount);
        return this;
    }

    TestJob role(String word) {
        role = Optional.of(word);
        return this;
    }

    TestJob role(String word, int newIndex) {
        return role(word).index(newIndex);
    }

    TestJob hosts(String... names) {
        hosts = named(names);
        return this;
    }

    TestJob hostsOf(String roleName, String... names) {
        hostsByRole.put(roleName, named(names));
        return this;
    }

    private static List<Host> named(String... names) {
        List<Host> named = new ArrayList<>();
        for (String name : names) {
            named.add(new Host(name, Optional.empty()));
        }
        return named;
    }

    private JobSpec spec() {
        return new JobSpec(
                id,
                idIsShared,
                command,
                new TreeMap<>(environment),
                options,
                platform,
                Duration.ofMinutes(30),
                "/here",
                new JobDirectories("/m/workspace", true, "/m/log", Optional.empty()),
                new TreeSet<>(),
                1,
                0);
    }

    private PlanRequest request() {
        NodeInfo machine = new NodeInfo("box", List.of("10.1.1.1", "127.0.0.1"), 1000, Optional.empty(), 4);
        Node node = new Node(
                index, count, Optional.empty(), Optional.empty(), hosts, role, hostsByRole, CardChoice.NONE, machine);
        return new PlanRequest(spec(), node, inputs(node));
    }

    private Map<String, InputValue> inputs(Node node) {
        Map<String, InputValue> values = new HashMap<>();
        for (Input input : new TensorFlowPsEngine().inputs(spec(), node)) {
            Input.JsonText text = (Input.JsonText) input;
            JsonReading reading = Json.read(text.text());
            values.put(text.id(), new InputValue.Json(text.origin(), ((JsonReading.Complete) reading).content()));
        }
        return values;
    }

    /** What the engine knows of the job's nodes. */
    List<Host> cluster() {
        try {
            return new TensorFlowPsEngine().cluster(request());
        } catch (PlanException refusal) {
            throw new AssertionError(refusal.getMessage(), refusal);
        }
    }

    /** The plan, which the runtime's own checks accept. */
    LaunchPlan plan() {
        try {
            LaunchPlan plan = new TensorFlowPsEngine().plan(request());
            PlanValidator.validate("tensorflow-ps", spec(), plan);
            return plan;
        } catch (PlanException refusal) {
            throw new AssertionError(refusal.kind() + ": " + refusal.getMessage(), refusal);
        }
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

    void assertRefused(PlanException.Kind kind, String... words) {
        PlanException refusal =
                catchThrowableOfType(PlanException.class, () -> new TensorFlowPsEngine().plan(request()));
        assertThat(refusal).as("a refusal").isNotNull();
        assertThat(refusal)
                .hasMessageContainingAll(words)
                .extracting(PlanException::kind)
                .isEqualTo(kind);
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
        return process(plan, processId).launch().command().stream()
                .map(TestJob::text)
                .toList();
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

    static List<String> notes(LaunchPlan plan) {
        return plan.notes().stream().map(Note::text).toList();
    }

    private static String text(Value value) {
        if (value.is(Value.Kind.JOINED)) {
            return String.join("", value.parts().stream().map(TestJob::text).toList());
        }
        return value.is(Value.Kind.FREE_PORT) ? "<" + value.text() + ">" : value.text();
    }
}
