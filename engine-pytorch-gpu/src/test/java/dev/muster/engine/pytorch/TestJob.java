package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.spi.CardChoice;
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

    private final Map<String, String> environment = new HashMap<>(Map.of("OMP_NUM_THREADS", "3"));
    private final Map<String, OptionValue> options = new HashMap<>();
    private final Map<String, InputValue> inputs = new HashMap<>();
    private String id = "job-7";
    private boolean idIsShared = true;
    private int run = 1;
    private int restarts;
    private List<String> command = List.of("python3", "a b.py", "--lr=0.1");
    private PlatformContract platform = PlatformContract.NONE;
    private JobDirectories places = new JobDirectories("/work", false, "/log", Optional.empty());
    private OptionalInt index = OptionalInt.empty();
    private OptionalInt count = OptionalInt.empty();
    private List<Host> hosts = List.of();
    private CardChoice cards = CardChoice.NONE;
    private NodeInfo machine =
            new NodeInfo("box", List.of("10.1.1.1", "fd00::1", "127.0.0.1", "::1"), 1000, Optional.empty(), 16);

    /** The launcher made the id for itself. */
    TestJob ownId() {
        idIsShared = false;
        return this;
    }

    TestJob run(int number, int mostRestarts) {
        run = number;
        restarts = mostRestarts;
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

    TestJob variable(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    TestJob unset(String variable) {
        environment.remove(variable);
        return this;
    }

    TestJob option(String option, String value) {
        options.put(option, new OptionValue(value, "--" + option));
        return this;
    }

    TestJob processes(String value) {
        return option("processes", value);
    }

    TestJob input(String inputId, InputValue value) {
        inputs.put(inputId, value);
        return this;
    }

    TestJob onModelArts() {
        platform = PlatformContract.named("modelarts").withRendezvousPort(6666);
        places = new JobDirectories("/m/workspace", true, "/m/log", Optional.of("/m/rank_table"));
        options.putIfAbsent("processes", new OptionValue("per-node", "modelarts"));
        return this;
    }

    /** Where the platform speaks to torchrun, and leaves the number of nodes open. */
    TestJob elastic() {
        platform = PlatformContract.named("elastic").withVariables("PET_RDZV_ENDPOINT", "PET_NNODES");
        return processes("torchrun")
                .variable("PET_RDZV_ENDPOINT", "job-worker-0:23456")
                .variable("PET_RDZV_BACKEND", "c10d")
                .variable("PET_NNODES", "1:3")
                .variable("PET_MAX_RESTARTS", "10")
                .variable("PET_NPROC_PER_NODE", "auto");
    }

    TestJob index(int newIndex) {
        index = OptionalInt.of(newIndex);
        return this;
    }

    TestJob node(int newIndex, int newCount) {
        index = OptionalInt.of(newIndex);
        return nodes(newCount);
    }

    TestJob nodes(int newCount) {
        count = OptionalInt.of(newCount);
        return this;
    }

    /** Hosts of which only the name is known. */
    TestJob hosts(String... names) {
        List<Host> list = new ArrayList<>();
        for (String name : names) {
            list.add(new Host(name, Optional.empty()));
        }
        hosts = list;
        return this;
    }

    TestJob host(String name, String address) {
        hosts = List.of(new Host(name, Optional.of(address)), new Host("other", Optional.empty()));
        return this;
    }

    TestJob cards(int howMany) {
        cards = new CardChoice(OptionalInt.of(howMany), List.of(), "--cards");
        return this;
    }

    TestJob cardIds(Integer... ids) {
        cards = new CardChoice(OptionalInt.of(ids.length), List.of(ids), "--card-ids");
        return this;
    }

    TestJob deviceFiles(String... names) {
        return input("nvidia", new InputValue.Text("/dev", String.join("\n", names)));
    }

    TestJob cores(int usable) {
        machine = new NodeInfo(machine.hostName(), machine.addresses(), 1000, Optional.empty(), usable);
        return this;
    }

    JobSpec spec() {
        return new JobSpec(
                id,
                idIsShared,
                command,
                new TreeMap<>(environment),
                options,
                platform,
                Duration.ofMinutes(30),
                "/here",
                places,
                new TreeSet<>(),
                run,
                restarts);
    }

    Node node() {
        return new Node(
                index, count, Optional.empty(), Optional.empty(), hosts, Optional.empty(), Map.of(), cards, machine);
    }

    List<Input> inputs() {
        return new PyTorchEngine().inputs(spec(), node());
    }

    LaunchPlan plan() {
        try {
            return new PyTorchEngine().plan(new PlanRequest(spec(), node(), inputs));
        } catch (PlanException refusal) {
            throw new AssertionError(refusal.kind() + ": " + refusal.getMessage(), refusal);
        }
    }

    void assertRefused(PlanException.Kind kind, String message) {
        PlanException refusal = catchThrowableOfType(
                PlanException.class, () -> new PyTorchEngine().plan(new PlanRequest(spec(), node(), inputs)));
        assertThat(refusal).as("a refusal").isNotNull();
        assertThat(refusal).hasMessage(message);
        assertThat(refusal.kind()).isEqualTo(kind);
    }

    /** The words of the first process. */
    List<String> words() {
        return words(plan());
    }

    static List<String> words(LaunchPlan plan) {
        return plan.processes().get(0).launch().command().stream()
                .map(TestJob::text)
                .toList();
    }

    /** What the first process finds in a variable. */
    static String variable(LaunchPlan plan, String name) {
        return variable(plan, 0, name);
    }

    static String variable(LaunchPlan plan, int process, String name) {
        Value value = plan.processes().get(process).launch().environment().set().get(name);
        return value == null ? "(not set)" : text(value);
    }

    /** Ports that are drawn when the run starts, and files that are written then, appear as {@code <NAME>}. */
    static String text(Value value) {
        if (value.is(Value.Kind.LITERAL)) {
            return value.text();
        }
        if (value.is(Value.Kind.FREE_PORT)) {
            return "<" + value.text() + ">";
        }
        if (value.is(Value.Kind.PATH_OF)) {
            return "<" + value.text() + ">";
        }
        if (value.is(Value.Kind.SUPERVISOR)) {
            return "<muster>";
        }
        StringBuilder text = new StringBuilder();
        value.parts().forEach(part -> text.append(text(part)));
        return text.toString();
    }

    static List<ProcessSpec.Task> tasks(LaunchPlan plan) {
        return plan.processes().stream().map(ProcessSpec.Task.class::cast).toList();
    }

    static List<String> notes(LaunchPlan plan) {
        return plan.notes().stream().map(Note::text).toList();
    }

    static List<String> warnings(LaunchPlan plan) {
        return plan.notes().stream()
                .filter(note -> note.isWarning())
                .map(Note::text)
                .toList();
    }
}
