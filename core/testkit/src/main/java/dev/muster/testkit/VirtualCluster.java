package dev.muster.testkit;

import dev.muster.spi.CardChoice;
import dev.muster.spi.Engine;
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
import dev.muster.spi.NodeProvision;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A cluster that exists in memory only. The provisions of the engine's simulation become the inputs of each node, and the
 * engine makes the plans of all nodes. Facts about machines are fixed values.
 */
public final class VirtualCluster {

    /** The id of the job. */
    public static final String JOB_ID = "conformance-job";

    private static final String ROOT = "/virtual";
    private static final int FIRST_PORT = 5000;

    private final Engine engine;
    private final SimulatedCluster cluster;
    private final List<NodeProvision> provisions;
    private final List<String> command;
    private final World world;

    private VirtualCluster(Engine engine, SimulatedCluster cluster, List<String> command, World world)
            throws PlanException {
        this.engine = engine;
        this.cluster = cluster;
        this.command = command;
        this.world = world;
        this.provisions = Engines.ask(where("simulation"), () -> engine.simulation(cluster));
        Rule.RANKS.require(
                provisions.size() == cluster.nodes().size(),
                where("simulation"),
                provisions.size() + " provisions for " + cluster.nodes().size() + " nodes",
                "give one NodeProvision for each node of SimulatedCluster.nodes()");
    }

    /** The same nodes in another world. */
    VirtualCluster in(World other) throws PlanException {
        Map<String, OptionValue> all = new HashMap<>(cluster.options());
        other.options().forEach((name, value) -> all.put(name, new OptionValue(value, "--" + name)));
        List<String> words = other.command().isEmpty() ? command : other.command();
        return new VirtualCluster(engine, cluster.withOptions(all), words, other);
    }

    int size() {
        return cluster.nodes().size();
    }

    Engine engine() {
        return engine;
    }

    World world() {
        return world;
    }

    /** Class, method and input, for messages. */
    public String where(String method) {
        return Engines.name(engine) + "." + method + ", in " + world.name() + ", nodes: "
                + cluster.nodes().size() + " with " + cluster.cards() + " cards each";
    }

    /**
     * A cluster of equal nodes.
     *
     * @param options of the engine that differ from their defaults, with the options for simulations
     */
    public static VirtualCluster of(Engine engine, int nodes, int cards, Map<String, String> options)
            throws PlanException {
        return of(engine, nodes, cards, options, List.of("python3", "train.py"), ROOT);
    }

    /** The same, with a command, and a directory that holds all files of the nodes. */
    public static VirtualCluster of(
            Engine engine, int nodes, int cards, Map<String, String> options, List<String> command, String root)
            throws PlanException {
        List<SimulatedNode> simulated = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            List<String> addresses = new ArrayList<>();
            for (int card = 0; card < cards; card++) {
                addresses.add("127.77." + (10 + node) + "." + (1 + card));
            }
            simulated.add(
                    SimulatedNode.of(node, JOB_ID + "-worker-" + node, "127.77.1." + (1 + node), root + "/node-" + node)
                            .withCardAddresses(addresses)
                            .withPorts(ports(engine, node)));
        }
        SimulatedCluster cluster = SimulatedCluster.of(JOB_ID, "none", simulated)
                .withCards(cards)
                .withOptions(values(engine.descriptor().options(), options));
        return new VirtualCluster(engine, cluster, command, World.USUAL);
    }

    private static List<Integer> ports(Engine engine, int node) {
        int count = engine.descriptor().simulatedPorts();
        return IntStream.range(0, count)
                .map(port -> FIRST_PORT + node * count + port)
                .boxed()
                .toList();
    }

    /** The plan of every node, in node order. */
    public List<LaunchPlan> plans() throws PlanException {
        List<LaunchPlan> plans = new ArrayList<>();
        for (int node = 0; node < size(); node++) {
            plans.add(plan(node, (input, value) -> value));
        }
        return plans;
    }

    LaunchPlan plan(int node, InputChange change) throws PlanException {
        PlanRequest request = request(node, change);
        return Engines.ask(where("plan") + ", node " + node, () -> engine.plan(request));
    }

    /** The launchers of the job, as {@link Engine#link} names them. */
    Optional<LauncherNodes> link(int node) throws PlanException {
        return Engines.ask(where("link") + ", node " + node, () -> engine.link(job(node), node(node)));
    }

    /** Changes the value of an input before the engine gets it. */
    interface InputChange {
        Optional<InputValue> of(Input input, Optional<InputValue> value);
    }

    /** The request for the plan of one node. */
    public PlanRequest request(int index) throws PlanException {
        return request(index, (input, value) -> value);
    }

    private PlanRequest request(int index, InputChange change) throws PlanException {
        Map<String, InputValue> values = new HashMap<>();
        for (Input input : inputs(index)) {
            Optional<InputValue> read = change.of(input, new ProvidedInputs(provisions.get(index)).value(input));
            if (read.isPresent()) {
                String where = where("inputs") + ", the parser of " + input.id();
                values.put(input.id(), Engines.ask(where, () -> input.parsed(read.get())));
            }
        }
        return new PlanRequest(job(index), node(index), values);
    }

    List<Input> inputs(int node) throws PlanException {
        String where = where("inputs") + ", node " + node;
        List<Input> inputs = Engines.ask(where, () -> engine.inputs(job(node), node(node)));
        List<String> ids = inputs.stream().map(Input::id).toList();
        Rule.VALIDITY.require(
                Set.copyOf(ids).size() == ids.size(),
                where,
                "inputs have the ids " + ids,
                "give each an id of its own");
        return inputs;
    }

    /** The provisions of all nodes, for tests that damage them. */
    List<NodeProvision> provisions() {
        return provisions;
    }

    private JobDirectories places(int index) {
        String directory = cluster.nodes().get(index).directory();
        boolean isShared = world.flags().contains(World.Flag.SHARED_DIRECTORY);
        Optional<String> table = isShared ? Optional.empty() : Optional.of(directory + "/table");
        return new JobDirectories(directory + "/work", !isShared, directory + "/log", table);
    }

    private JobSpec job(int index) {
        Set<World.Flag> flags = world.flags();
        return new JobSpec(
                flags.contains(World.Flag.OWN_IDS) ? "own-" + index : JOB_ID,
                !flags.contains(World.Flag.OWN_IDS),
                command,
                environment(index),
                cluster.options(),
                PlatformContract.NONE,
                Duration.ofMinutes(30),
                cluster.nodes().get(index).directory(),
                places(index),
                new TreeSet<>(),
                flags.contains(World.Flag.THIRD_ATTEMPT) ? 3 : 1,
                flags.contains(World.Flag.THIRD_ATTEMPT) ? 3 : 0);
    }

    private SortedMap<String, String> environment(int index) {
        SortedMap<String, String> environment =
                new TreeMap<>(provisions.get(index).environment());
        environment.put(World.SECRET_NAME, World.SECRET);
        environment.putAll(world.environment());
        return environment;
    }

    Node node(int index) {
        SimulatedNode node = cluster.nodes().get(index);
        return world.node()
                .apply(new Node(
                        OptionalInt.of(index),
                        OptionalInt.of(size()),
                        Optional.empty(),
                        Optional.of(new OptionValue(node.name(), "test")),
                        Optional.of(new OptionValue(node.address(), "test")),
                        cluster.nodes().stream()
                                .map(each -> Host.of(each.name(), Optional.of(each.address())))
                                .toList(),
                        Optional.of("worker"),
                        Map.of(),
                        new CardChoice(OptionalInt.of(cluster.cards()), List.of(), "--cards", true, List.of()),
                        new NodeInfo(
                                "host-" + index,
                                List.of(node.address(), "127.0.0.1"),
                                1000,
                                Optional.of("/home/user"),
                                8)));
    }

    private static Map<String, OptionValue> values(List<EngineOption> options, Map<String, String> given) {
        Map<String, OptionValue> values = new HashMap<>();
        for (EngineOption option : options) {
            String value = given.get(option.name());
            if (value != null) {
                values.put(option.name(), new OptionValue(value, "--" + option.name()));
            } else if (option.defaultValue().isPresent()) {
                values.put(option.name(), new OptionValue(option.defaultValue().get(), "default"));
            }
        }
        return values;
    }
}
