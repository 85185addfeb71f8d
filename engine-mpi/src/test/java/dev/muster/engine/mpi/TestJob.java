package dev.muster.engine.mpi;

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
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.PlatformContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A job on a node, built up by a test, and what the engine plans for it. */
final class TestJob {

    private final Engine engine = new MpiEngine();
    private final Map<String, String> environment = new HashMap<>();
    private final SortedSet<String> activated = new TreeSet<>();
    private final Map<String, OptionValue> options = new HashMap<>();
    private final Map<String, String> files = new HashMap<>();
    private final List<String> programs = new ArrayList<>(List.of("mpirun", "sshd", "horovodrun"));
    private List<Host> hosts = List.of();
    private List<String> command = List.of("python3", "a b.py");
    private List<String> keys = List.of("id_rsa");
    private PlatformContract platform = PlatformContract.NONE;
    private Optional<OptionValue> name = Optional.empty();
    private Optional<String> role = Optional.empty();
    private Map<String, List<Host>> hostsByRole = Map.of();
    private OptionalInt index = OptionalInt.empty();
    private OptionalInt count = OptionalInt.empty();
    private CardChoice cards = CardChoice.NONE;
    private String hostName = "box";
    private String version = "mpirun (Open MPI) 4.1.4\n";
    private int uid = 1000;
    private boolean idIsShared = true;

    /** A bare server, with the defaults of all options as the runtime hands them over. */
    TestJob() {
        for (EngineOption option : engine.descriptor().options()) {
            option.defaultValue().ifPresent(value -> options.put(option.name(), new OptionValue(value, "default")));
        }
    }

    /** A node of a job of ModelArts, whose hosts are {@code vj-worker-I.vj}. */
    static TestJob onModelArts(int index, int count) {
        return new TestJob()
                .modelArts()
                .variable("MA_VJ_NAME", "vj")
                .variable("MA_TASK_NAME", "worker")
                .variable("MA_NUM_HOSTS", Integer.toString(count))
                .nodes(count)
                .hosts(IntStream.range(0, count)
                        .mapToObj(i -> "vj-worker-" + i + ".vj")
                        .toArray(String[]::new))
                .index(index);
    }

    TestJob modelArts() {
        platform = PlatformContract.named("modelarts")
                .withRendezvousPort(6666)
                .withLocalVariables(List.of("MA_CURRENT_HOST_IP", "VC_TASK_INDEX"))
                .withIndexVariables(List.of("MA_TASK_INDEX", "VC_TASK_INDEX"));
        return this;
    }

    /** Where MPI libraries know what manages the nodes. */
    TestJob managedBy(String manager) {
        platform = PlatformContract.named("managed").withResourceManager(manager);
        return this;
    }

    TestJob variable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** A variable that was set for this node by the activation of a conda environment. */
    TestJob activated(String name, String value) {
        activated.add(name);
        return variable(name, value);
    }

    TestJob option(String name, String value) {
        options.put(name, new OptionValue(value, "--" + name));
        return this;
    }

    /** An option that the platform gives, by a variable of its own. */
    TestJob platformOption(String name, String value, String variable) {
        options.put(name, new OptionValue(value, variable));
        return this;
    }

    TestJob command(String... words) {
        command = List.of(words);
        return this;
    }

    /** A container of a job with a ps and two workers, on all of which the platform runs the command and serves ssh. */
    static TestJob onServed(String role, int index) {
        TestJob job = new TestJob()
                .platformOption("sshd", "platform", "DLWS_ROLE_NAME")
                .platformOption("hostfile", "/job/hostfile", "DLWS_JOB_ID")
                .file("/job/hostfile", "worker-0 slots=2\nworker-1 slots=2\n");
        job.hosts = List.of(served("worker-0", 1), served("worker-1", 2));
        job.hostsByRole = Map.of("worker", job.hosts, "ps", List.of(served("ps-0", 3)));
        job.role = Optional.of(role);
        job.name = Optional.of(new OptionValue(role + "-" + index, "DLWS_ROLE_NAME"));
        return role.equals("worker") ? job.nodes(2).index(index) : job;
    }

    private static Host served(String name, int number) {
        return new Host(name, Optional.of("10.0.0." + number));
    }

    TestJob index(int newIndex) {
        index = OptionalInt.of(newIndex);
        return this;
    }

    TestJob withoutIndex() {
        index = OptionalInt.empty();
        return this;
    }

    TestJob nodes(int newCount) {
        count = OptionalInt.of(newCount);
        return this;
    }

    TestJob cards(int number) {
        cards = new CardChoice(OptionalInt.of(number), List.of(), "--cards");
        return this;
    }

    TestJob hosts(String... names) {
        hosts = List.of(names).stream()
                .map(name -> new Host(name, Optional.empty()))
                .toList();
        return this;
    }

    TestJob hostName(String name) {
        hostName = name;
        return this;
    }

    TestJob uid(int newUid) {
        uid = newUid;
        return this;
    }

    TestJob without(String program) {
        programs.remove(program);
        return this;
    }

    TestJob mpi(String text) {
        version = text;
        return this;
    }

    TestJob keys(String... names) {
        keys = List.of(names);
        return this;
    }

    TestJob file(String path, String content) {
        files.put(path, content);
        return this;
    }

    TestJob ownId() {
        idIsShared = false;
        return this;
    }

    JobSpec spec() {
        return new JobSpec(
                "job-x",
                idIsShared,
                command,
                new TreeMap<>(environment),
                options,
                platform,
                Duration.ofMinutes(30),
                "/here",
                new JobDirectories("/m/workspace", true, "/m/log", Optional.empty()),
                activated,
                1,
                0);
    }

    Node node() {
        NodeInfo machine = new NodeInfo(hostName, List.of("10.1.1.1", "127.0.0.1"), uid, Optional.of("/home/user"), 4);
        return new Node(index, count, name, Optional.empty(), hosts, role, hostsByRole, cards, machine);
    }

    private PlanRequest request() throws PlanException {
        Map<String, InputValue> values = new HashMap<>();
        for (Input input : engine.inputs(spec(), node())) {
            values.put(input.id(), value(input));
        }
        return new PlanRequest(spec(), node(), values);
    }

    private InputValue value(Input input) {
        if (input instanceof Input.Program program) {
            return programs.contains(program.name())
                    ? new InputValue.Program("/usr/bin/" + program.name())
                    : new InputValue.Absent();
        }
        if (input instanceof Input.CommandOutput) {
            return new InputValue.CommandOutput(0, version);
        }
        if (input instanceof Input.Listing listing) {
            return new InputValue.Text(listing.path(), String.join("\n", keys));
        }
        String path = ((Input.TextFile) input).path();
        return files.containsKey(path) ? new InputValue.Text(path, files.get(path)) : new InputValue.Absent();
    }

    /** The plan, which the runtime's own checks accept. */
    LaunchPlan plan() {
        try {
            LaunchPlan plan = EngineResources.read(engine.plan(request()), MpiEngine.class);
            PlanValidator.validate("mpi", spec(), plan);
            return plan;
        } catch (PlanException refusal) {
            throw new AssertionError(refusal.kind() + ": " + refusal.getMessage(), refusal);
        }
    }

    void assertRefused(PlanException.Kind kind, String... words) {
        PlanException refusal = catchThrowableOfType(PlanException.class, () -> engine.plan(request()));
        assertThat(refusal).as("a refusal").isNotNull();
        assertThat(refusal)
                .hasMessageContainingAll(words)
                .extracting(PlanException::kind)
                .isEqualTo(kind);
        assertThat(refusal.getMessage()).doesNotContain("\n");
    }
}
