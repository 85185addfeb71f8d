package dev.muster.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.launch.EngineResources;
import dev.muster.runtime.plan.PlanValidator;
import dev.muster.spi.CardChoice;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Builds a job on one node, and the plan of an engine for it. The tests of each engine have a subclass with the platforms and
 * inputs of that engine.
 *
 * @param <T> the subclass
 */
public abstract class EngineTestJob<T extends EngineTestJob<T>> {

    private final Engine engine;
    private final SortedMap<String, String> environment = new TreeMap<>();
    private final SortedSet<String> activated = new TreeSet<>();
    private final Map<String, OptionValue> options = new HashMap<>();
    private final Map<String, InputValue> inputs = new HashMap<>();
    private final Map<String, List<Host>> hostsByRole = new HashMap<>();
    private String id = "job-x";
    private boolean idIsShared = true;
    private int run = 1;
    private int restarts;
    private List<String> command = List.of("python3", "a b.py");
    private PlatformContract platform = PlatformContract.NONE;
    private JobDirectories places = new JobDirectories("/m/workspace", true, "/m/log", Optional.of("/m/rank_table"));
    private OptionalInt index = OptionalInt.empty();
    private OptionalInt count = OptionalInt.empty();
    private Optional<OptionValue> elastic = Optional.empty();
    private Optional<OptionValue> name = Optional.empty();
    private Optional<OptionValue> address = Optional.empty();
    private List<Host> hosts = List.of();
    private Optional<String> role = Optional.empty();
    private CardChoice cards = CardChoice.NONE;
    private NodeInfo machine = new NodeInfo("box", List.of("10.1.1.1", "127.0.0.1"), 1000, Optional.empty(), 4);

    /** A bare server. All options have their defaults, as the runtime passes them. */
    protected EngineTestJob(Engine engine) {
        this.engine = engine;
        for (EngineOption option : engine.descriptor().options()) {
            option.defaultValue().ifPresent(value -> options.put(option.name(), new OptionValue(value, "default")));
        }
    }

    @SuppressWarnings("unchecked")
    private T self() {
        return (T) this;
    }

    public final T id(String newId) {
        id = newId;
        return self();
    }

    /** The launcher made the job id itself, so other nodes have another one. */
    public final T ownId() {
        idIsShared = false;
        return self();
    }

    public final T run(int number, int mostRestarts) {
        run = number;
        restarts = mostRestarts;
        return self();
    }

    public final T command(String... words) {
        command = List.of(words);
        return self();
    }

    public final T variable(String variable, String value) {
        environment.put(variable, value);
        return self();
    }

    public final T unset(String variable) {
        environment.remove(variable);
        return self();
    }

    /** A variable that the activation of a conda environment set on this node. */
    public final T activated(String variable, String value) {
        activated.add(variable);
        return variable(variable, value);
    }

    public final T option(String option, String value) {
        return option(option, value, "--" + option);
    }

    public final T option(String option, String value, String origin) {
        options.put(option, new OptionValue(value, origin));
        return self();
    }

    /** The value of an input, if the engine asks for it. */
    public final T input(String inputId, InputValue value) {
        inputs.put(inputId, value);
        return self();
    }

    public final T withoutInput(String inputId) {
        inputs.remove(inputId);
        return self();
    }

    public final T platform(PlatformContract contract) {
        platform = contract;
        return self();
    }

    public final T places(JobDirectories newPlaces) {
        places = newPlaces;
        return self();
    }

    public final T node(int newIndex, int newCount) {
        return index(newIndex).nodes(newCount);
    }

    public final T index(int newIndex) {
        index = OptionalInt.of(newIndex);
        return self();
    }

    public final T withoutIndex() {
        index = OptionalInt.empty();
        return self();
    }

    public final T nodes(int newCount) {
        count = OptionalInt.of(newCount);
        return self();
    }

    /** A job whose number of nodes may change. */
    public final T elastic(OptionValue range) {
        elastic = Optional.of(range);
        return self();
    }

    public final T name(String newName, String origin) {
        name = Optional.of(new OptionValue(newName, origin));
        return self();
    }

    public final T address(String ip, String origin) {
        address = Optional.of(new OptionValue(ip, origin));
        return self();
    }

    /** Hosts that have a name but no known address. */
    public final T hosts(String... names) {
        return hosts(named(names));
    }

    public final T hosts(List<Host> all) {
        hosts = all;
        return self();
    }

    public final T role(String word) {
        role = Optional.of(word);
        return self();
    }

    public final T hostsOf(String roleName, String... names) {
        return hostsOf(roleName, named(names));
    }

    public final T hostsOf(String roleName, List<Host> all) {
        hostsByRole.put(roleName, all);
        return self();
    }

    private static List<Host> named(String... names) {
        return Stream.of(names).map(host -> Host.of(host, Optional.empty())).toList();
    }

    public final T cards(int howMany) {
        return cards(new CardChoice(OptionalInt.of(howMany), List.of(), "--cards", true, cards.usable()));
    }

    public final T cardIds(Integer... ids) {
        return cards(new CardChoice(OptionalInt.of(ids.length), List.of(ids), "--card-ids", true, cards.usable()));
    }

    /** The cards that processes may use, and where they come from. */
    public final T usable(String origin, String... ids) {
        return cards(new CardChoice(OptionalInt.empty(), List.of(), origin, false, List.of(ids)));
    }

    public final T cards(CardChoice choice) {
        cards = choice;
        return self();
    }

    public final T machine(NodeInfo info) {
        machine = info;
        return self();
    }

    public final JobSpec spec() {
        return new JobSpec(
                id,
                idIsShared,
                command,
                environment,
                options,
                platform,
                Duration.ofMinutes(30),
                "/here",
                places,
                activated,
                run,
                restarts);
    }

    public final Node node() {
        return new Node(index, count, elastic, name, address, hosts, role, hostsByRole, cards, machine);
    }

    /** The value of an input of the engine; empty: the input does not exist. */
    protected Optional<InputValue> value(Input input) {
        return value(input.id());
    }

    protected final Optional<InputValue> value(String inputId) {
        return Optional.ofNullable(inputs.get(inputId));
    }

    public final List<Input> inputs() {
        try {
            return engine.inputs(spec(), node());
        } catch (PlanException refusal) {
            throw new AssertionError(refusal.getMessage(), refusal);
        }
    }

    public final PlanRequest request() throws PlanException {
        Map<String, InputValue> values = new HashMap<>();
        for (Input input : engine.inputs(spec(), node())) {
            Optional<InputValue> value = value(input);
            if (value.isPresent()) {
                values.put(input.id(), input.parsed(value.get()));
            }
        }
        return new PlanRequest(spec(), node(), values);
    }

    /** The plan, checked by the rules of the runtime. */
    public final LaunchPlan plan() {
        try {
            LaunchPlan plan = EngineResources.read(engine.plan(request()), engine.getClass());
            PlanValidator.validate(engine.descriptor().id(), spec(), plan);
            return plan;
        } catch (PlanException refusal) {
            throw new AssertionError(refusal.kind() + ": " + refusal.getMessage(), refusal);
        }
    }

    public final PlanException refusal() {
        PlanException refusal = catchThrowableOfType(PlanException.class, () -> engine.plan(request()));
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }

    public final void assertRefused(PlanException.Kind kind, String... words) {
        assertThat(refusal())
                .hasMessageContainingAll(words)
                .extracting(PlanException::kind)
                .isEqualTo(kind);
    }

    // --- reading a plan

    /** The command line of the first process. */
    public static List<String> words(LaunchPlan plan) {
        return words(plan.processes().get(0));
    }

    public static List<String> words(ProcessSpec process) {
        return process.launch().command().stream().map(EngineTestJob::text).toList();
    }

    /** The value of a variable of the first process. */
    public static String variable(LaunchPlan plan, String name) {
        return variable(plan, 0, name);
    }

    public static String variable(LaunchPlan plan, int process, String name) {
        Value value = plan.processes().get(process).launch().environment().set().get(name);
        return value == null ? "(not set)" : text(value);
    }

    /** A value as text. A value that is known only when the attempt starts appears as {@code <NAME>}. */
    public static String text(Value value) {
        return switch (value.kind()) {
            case LITERAL -> value.text();
            case JOINED ->
                String.join("", value.parts().stream().map(EngineTestJob::text).toList());
            case SUPERVISOR -> "<muster>";
            default -> "<" + value.text() + ">";
        };
    }

    public static List<ProcessSpec.Task> tasks(LaunchPlan plan) {
        return plan.processes().stream().map(ProcessSpec.Task.class::cast).toList();
    }

    public static List<String> notes(LaunchPlan plan) {
        return plan.notes().stream().map(Note::text).toList();
    }

    public static List<String> warnings(LaunchPlan plan) {
        return plan.notes().stream().filter(Note::isWarning).map(Note::text).toList();
    }
}
