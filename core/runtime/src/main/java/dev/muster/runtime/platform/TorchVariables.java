package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * torchrun's options as variables ({@code PET_*}), and those of {@code env://}, as Kubeflow gives them to pods: RANK counts pods
 * there, and WORLD_SIZE pods or the processes of all of them.
 */
final class TorchVariables {

    static final String NODES = "PET_NNODES";
    static final String INDEX = "PET_NODE_RANK";
    static final String CARDS = "PET_NPROC_PER_NODE";
    static final String RENDEZVOUS = "PET_RDZV_ENDPOINT";
    static final String RANK = "RANK";
    static final String WORLD_SIZE = TorchMaster.WORLD_SIZE;
    static final String MASTER_ADDR = TorchMaster.ADDRESS;

    private static final String MASTER_PORT = TorchMaster.PORT;
    private static final String TORCHRUN = "torchrun";
    private static final String OF_TORCHRUN = "PET_";
    private static final String BACKEND = "PET_RDZV_BACKEND";
    private static final String RESTARTS = "PET_MAX_RESTARTS";

    /** All that a platform says to PyTorch by them. */
    static final List<String> ALL = List.of(
            NODES,
            INDEX,
            CARDS,
            OF_TORCHRUN + MASTER_ADDR,
            OF_TORCHRUN + MASTER_PORT,
            RENDEZVOUS,
            BACKEND,
            RESTARTS,
            MASTER_ADDR,
            MASTER_PORT,
            RANK,
            WORLD_SIZE);

    private static final int MOST_RESTARTS = 1_000_000;

    /** By these torchrun counts cards or cores itself. */
    private static final Set<String> COUNTED_BY_TORCHRUN = Set.of("auto", "gpu", "cpu", "xpu");

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9}):([0-9]{1,9})");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private final Evidence evidence;

    TorchVariables(Evidence evidence) {
        this.evidence = evidence;
    }

    /** Whether torchrun shall find out which nodes there are: nobody tells this one its index, or how many there are. */
    boolean isElastic() {
        boolean isOpen =
                !evidence.isSet(INDEX) || range().filter(TorchVariables::isWide).isPresent();
        return evidence.isSet(RENDEZVOUS) && isOpen;
    }

    /** What the scripts of these platforms take from variables; they know no arguments for it. */
    PlatformFacts.Builder add(PlatformFacts.Builder facts) {
        return facts.nodes(this::nodes)
                .cards(this::cards)
                .option(TorchMaster.ADDRESS_OPTION, this::masterAddress)
                .option(TorchMaster.PORT_OPTION, this::masterPort)
                .option(
                        TorchMaster.PROCESSES_OPTION,
                        () -> Optional.of(isElastic() ? TORCHRUN : TorchMaster.PER_CARD)
                                .filter(way -> evidence.engineHasChoice(TorchMaster.PROCESSES_OPTION, way))
                                .map(way -> new OptionValue(way, origin())));
    }

    /** Why the engine cannot boot a job whose nodes only a torchrun finds out. */
    Optional<String> refusalOfElastic(String kind) {
        checkElastic();
        boolean canRun =
                evidence.engine().isEmpty() || evidence.engineHasChoice(TorchMaster.PROCESSES_OPTION, TORCHRUN);
        return canRun
                ? Optional.empty()
                : Optional.of("this is an elastic " + kind + " (" + RENDEZVOUS
                        + "): only torchrun finds out how many nodes there are, and " + evidence.engineName()
                        + " runs none. Use --engine pytorch-gpu, or a job without elasticPolicy");
    }

    /** How many nodes the job has, where that is fixed. */
    Optional<OptionValue> nodes() {
        if (isElastic()) {
            checkElastic();
            return Optional.empty();
        }
        Optional<OptionValue> nodes = evidence.isSet(NODES) ? Optional.of(fixed()) : ofWorldSize();
        nodes.ifPresent(this::checkWorldSize);
        return nodes;
    }

    /** How many nodes the job has by what the user says, else the variables; 0: nobody knows. */
    int count() {
        return evidence.saidNodes()
                .orElseGet(() ->
                        nodes().map(nodes -> Integer.parseInt(nodes.value())).orElse(0));
    }

    /** Which of them this is, where a variable says so. */
    Optional<OptionValue> index() {
        Optional<OptionValue> ofTorchrun = evidence.index(INDEX);
        Optional<OptionValue> rank = speaksOfPods(RANK) ? evidence.index(RANK) : Optional.empty();
        if (ofTorchrun.isPresent()
                && rank.isPresent()
                && !ofTorchrun.get().value().equals(rank.get().value())) {
            throw contradiction(
                    INDEX, ofTorchrun.get().value(), RANK, rank.get().value());
        }
        return ofTorchrun.or(() -> rank);
    }

    /** How many processes each node shall have. */
    Optional<OptionValue> cards() {
        Optional<String> value = evidence.value(CARDS);
        if (value.isEmpty() || COUNTED_BY_TORCHRUN.contains(value.get())) {
            return Optional.empty();
        }
        if (WholeNumber.parse(value.get(), 1, OptionTable.MOST_CARDS).isEmpty()) {
            throw MusterException.configuration(CARDS + "=" + Printable.quote(value.get())
                    + " is neither a whole number 1.." + OptionTable.MOST_CARDS + " nor auto, gpu or cpu");
        }
        return Optional.of(new OptionValue(value.get(), CARDS));
    }

    /** Where node 0 is. */
    Optional<OptionValue> masterAddress() {
        return agreed(MASTER_ADDR).map(found -> {
            Variables.host(found.origin(), found.value());
            return found;
        });
    }

    /** The port of node 0. */
    Optional<OptionValue> masterPort() {
        return agreed(MASTER_PORT).flatMap(found -> evidence.number(found.origin(), 1, OptionTable.HIGHEST_PORT));
    }

    /** What torchrun shall find out with is not used before it is right. */
    void checkElastic() {
        String endpoint = evidence.value(RENDEZVOUS).orElse("");
        int port = endpoint.lastIndexOf(':');
        boolean hasPort = port >= 0 && endpoint.indexOf(':') == port;
        Variables.host(RENDEZVOUS, hasPort ? endpoint.substring(0, port) : endpoint);
        if (hasPort
                && WholeNumber.parse(endpoint.substring(port + 1), 0, OptionTable.HIGHEST_PORT)
                        .isEmpty()) {
            throw MusterException.configuration(
                    RENDEZVOUS + ": " + Printable.quote(endpoint) + " has no TCP port behind its colon");
        }
        Optional<String> backend = evidence.value(BACKEND);
        if (backend.isPresent() && !WORD.matcher(backend.get()).matches()) {
            throw MusterException.configuration(BACKEND + ": " + Printable.quote(backend.get())
                    + " is no rendezvous backend, such as c10d (letters, digits, dots, dashes and underscores)");
        }
        evidence.number(RESTARTS, 0, MOST_RESTARTS);
        if (range().isEmpty()) {
            evidence.number(NODES, 1, OptionTable.MOST_NODES);
        }
    }

    /** Whether a variable of {@code env://} is the platform's word on pods, and not what a launcher gave one of its ranks. */
    boolean speaksOfPods(String name) {
        return evidence.isSet(name) && !evidence.isOfARank();
    }

    private OptionValue fixed() {
        Optional<Matcher> range = range();
        if (range.isEmpty()) {
            return evidence.number(NODES, 1, OptionTable.MOST_NODES).orElseThrow();
        }
        if (isWide(range.get())) {
            throw MusterException.configuration(
                    NODES + "=" + Printable.quote(range.get().group())
                            + " is a range, and no " + RENDEZVOUS
                            + " says where torchrun finds out how many nodes there are. Give --nodes N and --node-index I");
        }
        return new OptionValue(range.get().group(1), NODES);
    }

    /** {@code least:most}, if that is what stands there. */
    private Optional<Matcher> range() {
        Optional<Matcher> range = evidence.value(NODES).map(RANGE::matcher).filter(Matcher::matches);
        if (range.isPresent()) {
            int least = Integer.parseInt(range.get().group(1));
            int most = Integer.parseInt(range.get().group(2));
            if (least < 1 || most < least || most > OptionTable.MOST_NODES) {
                throw MusterException.configuration(
                        NODES + "=" + Printable.quote(range.get().group()) + " is no range of numbers 1.."
                                + OptionTable.MOST_NODES + ", the smaller one first");
            }
        }
        return range;
    }

    private static boolean isWide(Matcher range) {
        return Integer.parseInt(range.group(1)) < Integer.parseInt(range.group(2));
    }

    /** Older operators tell no number of pods but that of all processes. */
    private Optional<OptionValue> ofWorldSize() {
        if (!speaksOfPods(WORLD_SIZE) || !speaksOfPods(RANK)) {
            return Optional.empty();
        }
        int size = worldSize();
        int each = cards().map(cards -> Integer.parseInt(cards.value())).orElse(1);
        int pods = size % each == 0 ? size / each : size;
        if (pods > OptionTable.MOST_NODES) {
            throw MusterException.configuration(WORLD_SIZE + "=" + size + " is more than the " + OptionTable.MOST_NODES
                    + " nodes that a job can have");
        }
        return Optional.of(new OptionValue(Integer.toString(pods), WORLD_SIZE));
    }

    private int worldSize() {
        return evidence.wholeNumber(WORLD_SIZE, 1, OptionTable.MOST_NODES * OptionTable.MOST_CARDS);
    }

    private void checkWorldSize(OptionValue nodes) {
        if (!speaksOfPods(WORLD_SIZE) || !speaksOfPods(RANK)) {
            return;
        }
        int size = worldSize();
        int count = Integer.parseInt(nodes.value());
        OptionalInt each = cards().map(cards -> OptionalInt.of(Integer.parseInt(cards.value())))
                .orElse(OptionalInt.empty());
        // Where nobody says how many processes a pod has, the operator counts pods: the number of one pod's could be
        // any.
        boolean isOfProcesses = each.isPresent() ? size == count * each.getAsInt() : count > 1 && size % count == 0;
        if (size != count && !isOfProcesses) {
            String product = each.isPresent() ? " and " + CARDS + "=" + each.getAsInt() : "";
            throw MusterException.configuration(
                    WORLD_SIZE + "=" + size + ", but " + nodes.origin() + "=" + count + product
                            + ": the world has one rank for each node or for each of their processes. Correct one of them, or give"
                            + " --nodes N");
        }
    }

    /** A variable that torchrun has under a name of its own. */
    private Optional<OptionValue> agreed(String name) {
        String ofTorchrun = OF_TORCHRUN + name;
        Optional<String> first = evidence.value(ofTorchrun);
        Optional<String> second = speaksOfPods(name) ? evidence.value(name) : Optional.empty();
        if (first.isPresent() && second.isPresent() && !first.equals(second)) {
            throw contradiction(ofTorchrun, first.get(), name, second.get());
        }
        return second.map(value -> new OptionValue(value, name))
                .or(() -> first.map(value -> new OptionValue(value, ofTorchrun)));
    }

    private static MusterException contradiction(String one, String value, String other, String otherValue) {
        return MusterException.configuration(one + "=" + Printable.quote(value) + ", but " + other + "="
                + Printable.quote(otherValue) + ". Correct one of them");
    }

    /** The variable by which all this is told: what an engine does because of it names it. */
    String origin() {
        return seen(isElastic() ? RENDEZVOUS : INDEX, NODES, RANK).stream()
                .findFirst()
                .orElse(MASTER_ADDR);
    }

    /** Which of these variables are set. */
    List<String> seen(String... names) {
        return List.of(names).stream().filter(evidence::isSet).toList();
    }
}
