package dev.muster.engine.ascend;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A job on a node, built up by a test, and what the engine plans for it. */
final class TestJob {

    static final String TABLE_PATH = "/user/config/jobstart_hccl.json";
    static final JobDirectories MODELARTS_PLACES =
            new JobDirectories("/m/workspace", true, "/tmp/log", Optional.of("/m/rank_table"));

    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, OptionValue> options = new HashMap<>();
    private final Map<String, InputValue> inputs = new HashMap<>();
    private PlatformContract platform = PlatformContract.NONE;
    private JobDirectories places = MODELARTS_PLACES;
    private OptionalInt index = OptionalInt.empty();
    private OptionalInt count = OptionalInt.empty();
    private Optional<OptionValue> name = Optional.empty();
    private Optional<OptionValue> address = Optional.empty();
    private List<Host> hosts = List.of();
    private boolean idIsShared = true;
    private CardChoice cards = CardChoice.NONE;
    private NodeInfo machine = new NodeInfo("box", List.of("10.1.1.1", "127.0.0.1", "::1"), 1000, Optional.empty(), 4);

    TestJob table(String json) {
        return table(TABLE_PATH, TestJson.object(json));
    }

    TestJob table(String path, Map<String, Object> content) {
        return input("rank-table", new InputValue.Json(path, content));
    }

    TestJob input(String id, InputValue value) {
        inputs.put(id, value);
        return this;
    }

    TestJob variable(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    TestJob option(String option, String value) {
        options.put(option, new OptionValue(value, "--" + option));
        return this;
    }

    /** A platform that writes rank tables. */
    TestJob onModelArts() {
        platform = PlatformContract.named("modelarts")
                .withRankTable(TABLE_PATH)
                .withNameVariable("MA_CURRENT_INSTANCE_NAME")
                .withAddressVariable("MA_CURRENT_HOST_IP");
        return this;
    }

    /** A platform that writes this table and tells a container the address of its host. */
    TestJob on(String platformName, String tablePath, String addressVariable) {
        platform = PlatformContract.named(platformName).withRankTable(tablePath).withAddressVariable(addressVariable);
        return this;
    }

    TestJob onMindXDl() {
        return on("mindx-dl", "/user/serverid/devindex/config/hccl.json", "XDL_IP");
    }

    TestJob onApulis() {
        return on("apulis", "/home/u/.npu/j/hccl_ms.json", "DLWS_SD_SELF_IP");
    }

    /** A platform that writes no rank tables. */
    TestJob onSlurm() {
        platform = PlatformContract.named("slurm");
        return this;
    }

    TestJob places(JobDirectories newPlaces) {
        places = newPlaces;
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

    TestJob pod(String podName) {
        name = Optional.of(new OptionValue(podName, "MA_CURRENT_INSTANCE_NAME"));
        return this;
    }

    TestJob hostAddress(String ip) {
        return hostAddress(ip, "MA_CURRENT_HOST_IP");
    }

    TestJob hostAddress(String ip, String origin) {
        address = Optional.of(new OptionValue(ip, origin));
        return this;
    }

    TestJob hosts(String... names) {
        hosts = Stream.of(names).map(host -> new Host(host, Optional.empty())).toList();
        return this;
    }

    TestJob withoutSharedId() {
        idIsShared = false;
        return this;
    }

    TestJob cards(int howMany) {
        return cards(new CardChoice(OptionalInt.of(howMany), List.of(), "--cards"));
    }

    TestJob cardIds(Integer... ids) {
        return cards(new CardChoice(OptionalInt.empty(), List.of(ids), "--card-ids"));
    }

    TestJob cards(CardChoice choice) {
        cards = choice;
        return this;
    }

    TestJob machine(String hostName, String... addresses) {
        machine = new NodeInfo(hostName, List.of(addresses), 1000, Optional.empty(), 4);
        return this;
    }

    JobSpec spec() {
        return new JobSpec(
                "modelarts-job-x",
                idIsShared,
                List.of("python", "a b.py"),
                new TreeMap<>(environment),
                options,
                platform,
                Duration.ofMinutes(30),
                "/here",
                places,
                new TreeSet<>(),
                1,
                0);
    }

    Node node() {
        return new Node(index, count, name, address, hosts, Optional.empty(), Map.of(), cards, machine);
    }

    PlanRequest request() {
        return new PlanRequest(spec(), node(), inputs);
    }

    List<Input> inputs() {
        return new AscendEngine().inputs(spec(), node());
    }

    LaunchPlan plan() {
        try {
            return new AscendEngine().plan(request());
        } catch (PlanException refusal) {
            throw new AssertionError(refusal.kind() + ": " + refusal.getMessage(), refusal);
        }
    }

    PlanException refusal() {
        PlanException refusal = catchThrowableOfType(PlanException.class, () -> new AscendEngine().plan(request()));
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }

    void assertRefused(PlanException.Kind kind, String... words) {
        PlanException refusal = refusal();
        assertThat(refusal)
                .hasMessageContainingAll(words)
                .extracting(PlanException::kind)
                .isEqualTo(kind);
        assertThat(refusal.getMessage()).doesNotContain("\n");
    }

    /** The ranks that the node starts, in order. */
    static List<Integer> ranks(LaunchPlan plan) {
        return tasks(plan).stream()
                .map(task -> task.placement().orElseThrow().rank())
                .toList();
    }

    static List<ProcessSpec.Task> tasks(LaunchPlan plan) {
        return plan.processes().stream().map(ProcessSpec.Task.class::cast).toList();
    }

    /** What the first process finds in a variable; {@code <file ID>} for the path of a file of the plan. */
    static String variable(LaunchPlan plan, String name) {
        Value value = plan.processes().get(0).launch().environment().set().get(name);
        return value == null ? "(not set)" : text(value);
    }

    static String text(Value value) {
        return value.is(Value.Kind.LITERAL) ? value.text() : "<file " + value.text() + ">";
    }

    static List<String> warnings(LaunchPlan plan) {
        return plan.notes().stream()
                .filter(note -> note.isWarning())
                .map(Note::text)
                .toList();
    }
}
