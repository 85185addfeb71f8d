package dev.muster.testkit;

import dev.muster.spi.CardChoice;
import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
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
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A cluster that exists in memory only: what the engine's own simulation provides to each node is handed to the engine as
 * inputs, and the plans of all nodes come out. Facts of machines are fixed values.
 */
public final class VirtualCluster {

    /** What the job is called. */
    public static final String JOB_ID = "conformance-job";

    private static final String ROOT = "/virtual";
    private static final int FIRST_PORT = 5000;

    private final Engine engine;
    private final SimulatedCluster cluster;
    private final List<NodeProvision> provisions;
    private final Map<String, OptionValue> options;
    private final List<String> command;

    private VirtualCluster(
            Engine engine, SimulatedCluster cluster, Map<String, OptionValue> options, List<String> command)
            throws PlanException {
        this.engine = engine;
        this.cluster = cluster;
        this.provisions = engine.simulation(cluster);
        this.options = options;
        this.command = command;
    }

    /**
     * A cluster of equal nodes.
     *
     * @param options of the engine, those for simulations included, that differ from their defaults
     */
    public static VirtualCluster of(Engine engine, int nodes, int cards, Map<String, String> options)
            throws PlanException {
        return of(engine, nodes, cards, options, List.of("python3", "train.py"), ROOT);
    }

    /** The same, with a command and a directory for all that the nodes have. */
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
        EngineDescriptor descriptor = engine.descriptor();
        Map<String, OptionValue> ofEngine = values(descriptor.options(), options);
        SimulatedCluster cluster =
                SimulatedCluster.of(JOB_ID, "none", simulated).withCards(cards).withOptions(ofEngine);
        return new VirtualCluster(engine, cluster, ofEngine, command);
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
        for (int node = 0; node < cluster.nodes().size(); node++) {
            plans.add(engine.plan(request(node)));
        }
        return plans;
    }

    /** What the engine is given to plan one node. */
    public PlanRequest request(int index) throws PlanException {
        return request(index, Optional.of("worker"));
    }

    /** @param role what the platform says of the container */
    PlanRequest request(int index, Optional<String> role) throws PlanException {
        return request(index, role, Optional::of);
    }

    /** @param change what becomes of an input before the engine gets it */
    PlanRequest request(int index, Optional<String> role, Function<InputValue, Optional<InputValue>> change)
            throws PlanException {
        JobSpec job = job(index);
        Node node = node(index, role);
        Map<String, InputValue> values = new HashMap<>();
        for (Input input : engine.inputs(job, node)) {
            Optional<InputValue> read =
                    new ProvidedInputs(provisions.get(index)).value(input).flatMap(change);
            if (read.isPresent()) {
                values.put(input.id(), input.parsed(read.get()));
            }
        }
        return new PlanRequest(job, node, values);
    }

    /** The provisions of all nodes, for tests that damage them. */
    List<NodeProvision> provisions() {
        return provisions;
    }

    private JobDirectories places(int index) {
        String directory = cluster.nodes().get(index).directory();
        return new JobDirectories(directory + "/work", true, directory + "/log", Optional.of(directory + "/table"));
    }

    private JobSpec job(int index) {
        return new JobSpec(
                JOB_ID,
                true,
                command,
                provisions.get(index).environment(),
                options,
                PlatformContract.NONE,
                Duration.ofMinutes(30),
                cluster.nodes().get(index).directory(),
                places(index),
                new TreeSet<>(),
                1,
                0);
    }

    private Node node(int index, Optional<String> role) {
        SimulatedNode node = cluster.nodes().get(index);
        return new Node(
                OptionalInt.of(index),
                OptionalInt.of(cluster.nodes().size()),
                Optional.of(new OptionValue(node.name(), "test")),
                Optional.of(new OptionValue(node.address(), "test")),
                cluster.nodes().stream()
                        .map(each -> new Host(each.name(), Optional.of(each.address())))
                        .toList(),
                role,
                Map.of(),
                new CardChoice(OptionalInt.of(cluster.cards()), List.of(), "--cards", true, List.of()),
                new NodeInfo(
                        "host-" + index, List.of(node.address(), "127.0.0.1"), 1000, Optional.of("/home/user"), 8));
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
