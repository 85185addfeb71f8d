package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A pod whose place is told by torchrun's options as variables ({@code PET_*}), and by the variables of {@code env://}. There RANK counts
 * pods, and WORLD_SIZE counts pods or all processes. Scripts for such a platform read these variables, not {@code --init_method}. They must
 * be started once for each card.
 */
abstract class TorchJob extends PlatformReader {

    static final String NODES = "PET_NNODES";
    static final String INDEX = "PET_NODE_RANK";
    static final String CARDS = "PET_NPROC_PER_NODE";
    static final String RENDEZVOUS = "PET_RDZV_ENDPOINT";
    static final String RANK = "RANK";
    static final String WORLD_SIZE = "WORLD_SIZE";
    static final String MASTER_ADDR = "MASTER_ADDR";
    static final String MASTER_PORT = "MASTER_PORT";

    /** The option of engines that follow such variables. */
    static final String ADDRESS_OPTION = "master-addr";

    static final String PORT_OPTION = "master-port";
    private static final String PROCESSES_OPTION = "processes";
    private static final String OF_TORCHRUN = "PET_";

    /** With these values torchrun counts cards or cores itself. */
    private static final Set<String> COUNTED_BY_TORCHRUN = Set.of("auto", "gpu", "cpu", "xpu");

    /** The parts of pod names between the job's name and the number. */
    private final String[] ends;

    /** The name of this pod, if it has this form. */
    final Optional<NumberedName> own;

    TorchJob(EvidenceReader evidence, String... ends) {
        super(evidence);
        this.ends = ends;
        this.own = Kubernetes.podName(evidence).filter(name -> name.before(ends).isPresent());
    }

    /** Takes options of the engine from the variables of {@code env://}. */
    static void addMasterOptions(PlatformReader reader) {
        EvidenceReader evidence = reader.evidence;
        reader.option(ADDRESS_OPTION, () -> evidence.host(MASTER_ADDR));
        reader.option(PORT_OPTION, () -> evidence.number(MASTER_PORT, 1, OptionTable.HIGHEST_PORT));
        reader.option(
                PROCESSES_OPTION,
                () -> Optional.of(new OptionValue("per-card", MASTER_ADDR))
                        .filter(way -> evidence.isSet(MASTER_ADDR)
                                && evidence.engineHasChoice(PROCESSES_OPTION, way.value())));
    }

    @Override
    void readAll() {
        refusal(this::refusal);
        option(OptionTable.JOB_ID, this::jobId);
        option(
                OptionTable.NODES,
                () -> isElastic() ? Optional.of(new OptionValue(range().orElse("1:1"), RENDEZVOUS)) : nodes());
        option(OptionTable.NODE_INDEX, this::index);
        option(OptionTable.CARDS, this::cards);
        role(this::role);
        hosts(this::hosts);
        // Scripts take these from variables; they know no arguments for it.
        option(ADDRESS_OPTION, this::masterAddress);
        option(
                PORT_OPTION,
                () -> variable(MASTER_PORT)
                        .flatMap(variable -> evidence.number(variable, 1, OptionTable.HIGHEST_PORT)));
        option(
                PROCESSES_OPTION,
                () -> Optional.of(isElastic() ? "torchrun" : "per-card")
                        .filter(way -> evidence.engineHasChoice(PROCESSES_OPTION, way))
                        .map(way -> new OptionValue(way, origin())));
    }

    /** What the platform calls its jobs. */
    abstract String kind();

    /** The first pod's name, if the master address has it. */
    abstract Optional<NumberedName> first();

    private Optional<OptionValue> jobId() {
        return first().flatMap(name -> name.before(ends))
                .map(job -> new OptionValue(job, masterAddress().orElseThrow().origin()))
                .or(() -> Kubernetes.job(own.flatMap(name -> name.before(ends))));
    }

    abstract Optional<String> role();

    abstract List<Host> hosts();

    /** The variable that is the origin of the values that follow from several variables. */
    private String origin() {
        return seen(isElastic() ? RENDEZVOUS : INDEX, NODES, RANK).findFirst().orElse(MASTER_ADDR);
    }

    /** Which of these variables are set. */
    Stream<String> seen(String... names) {
        return Stream.of(names).filter(evidence::isSet);
    }

    /** Whether torchrun must find the nodes: this node's index or the number of nodes is not told. */
    boolean isElastic() {
        return evidence.isSet(RENDEZVOUS)
                && (!evidence.isSet(INDEX) || range().filter(TorchJob::isWide).isPresent());
    }

    /** Why the engine cannot boot this job: only torchrun finds the nodes, or their number is not told. */
    Optional<String> refusal() {
        boolean canRun = evidence.source().engine().isEmpty() || evidence.engineHasChoice(PROCESSES_OPTION, "torchrun");
        if (isElastic() && !canRun) {
            return Optional.of("this is an elastic " + kind() + " (" + RENDEZVOUS
                    + "): only torchrun finds out how many nodes there are, and " + evidence.engineName()
                    + " runs none. Use --engine pytorch-gpu, or a job without elasticPolicy");
        }
        return isElastic() || nodes().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "the variables of a " + kind() + " do not tell how many nodes the job has: neither " + NODES
                                + " nor " + WORLD_SIZE + " (with " + RANK
                                + ") is set. Give --nodes N, the same on all nodes");
    }

    /** Refuses a range of nodes in torchrun's variable where the user says that there is no platform. */
    static Optional<String> refusalOfRange(EvidenceReader evidence) {
        return evidence.value(NODES)
                .filter(nodes -> nodes.contains(":") && evidence.engineHasChoice(PROCESSES_OPTION, "torchrun"))
                .map(nodes -> NODES + "=" + Printable.quote(nodes)
                        + " is a range: an elastic PyTorchJob tells no node its"
                        + " index. Give --nodes N and --node-index I, or start torchrun itself instead of Muster");
    }

    /** The number of nodes, if it is fixed. Older operators tell the number of all processes only. */
    Optional<OptionValue> nodes() {
        if (isElastic()) {
            return Optional.empty();
        }
        if (evidence.isSet(NODES)) {
            return range().map(this::fixed);
        }
        if (!describesPods(WORLD_SIZE) || !describesPods(RANK)) {
            return Optional.empty();
        }
        int size = evidence.wholeNumber(WORLD_SIZE, 1, OptionTable.MOST_NODES * OptionTable.MOST_CARDS);
        int each = cards().map(cards -> Integer.parseInt(cards.value())).orElse(1);
        return Optional.of(EvidenceReader.sourced(size % each == 0 ? size / each : size, WORLD_SIZE));
    }

    private OptionValue fixed(String range) {
        if (isWide(range)) {
            throw MusterException.configuration(NODES + "=" + Printable.quote(range) + " is a range, and no "
                    + RENDEZVOUS + " says where torchrun finds out how many nodes there are. Give --nodes N and"
                    + " --node-index I");
        }
        return new OptionValue(range.split(":", 2)[0], NODES);
    }

    /** {@code least:most}; a number is both. */
    private Optional<String> range() {
        return evidence.value(NODES)
                .filter(DetectedPlatform::isRange)
                .or(() -> evidence.number(NODES, 1, OptionTable.MOST_NODES)
                        .map(number -> number.value() + ":" + number.value()));
    }

    private static boolean isWide(String range) {
        String[] ends = range.split(":", 2);
        return !ends[0].equals(ends[1]);
    }

    /** The number of nodes by the user, else by the variables; 0: unknown. */
    int count() {
        return evidence.userNodes()
                .orElseGet(() ->
                        nodes().map(nodes -> Integer.parseInt(nodes.value())).orElse(0));
    }

    /** This node's index, if a variable tells it. */
    Optional<OptionValue> index() {
        return evidence.index(INDEX).or(() -> describesPods(RANK) ? evidence.index(RANK) : Optional.empty());
    }

    /** How many processes each node shall have. */
    private Optional<OptionValue> cards() {
        boolean isCounted =
                evidence.value(CARDS).filter(COUNTED_BY_TORCHRUN::contains).isPresent();
        return isCounted ? Optional.empty() : evidence.number(CARDS, 1, OptionTable.MOST_CARDS);
    }

    /** Where node 0 is. */
    Optional<OptionValue> masterAddress() {
        return variable(MASTER_ADDR).flatMap(evidence::host);
    }

    /** The variable that is set: this one, or torchrun's own with {@code PET_} in front. */
    private Optional<String> variable(String name) {
        return describesPods(name) ? Optional.of(name) : evidence.firstSet(List.of(OF_TORCHRUN + name));
    }

    /** Whether a variable of {@code env://} describes pods. If not, a launcher set it for a rank. */
    boolean describesPods(String name) {
        // Kubernetes sets such a variable for a service called "master".
        boolean isServiceLink = evidence.value(name).orElse("").startsWith("tcp://");
        return evidence.isSet(name) && !isServiceLink && !evidence.isOfARank();
    }
}
