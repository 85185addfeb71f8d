package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A place that tells its nodes by a list of hosts, by a count and an index, or by all of them. What differs from one to the next is
 * where each stands: a row for each.
 */
final class ClusterReader extends PlatformReader {

    /** What SageMaker writes into every container, whatever the image does. */
    static final String SAGEMAKER_FILE = "/opt/ml/input/config/resourceconfig.json";

    /** What a place can tell. */
    private enum Fact {
        NODES,
        INDEX,
        /** All nodes in their order; where there is no index, this one's place is it. */
        HOSTS,
        /** Node 0; the others are called after it, with their index. */
        LEADER,
        /** What this node is called in the list; elsewhere that is its host name. */
        SELF,
        CARDS,
        JOB_ID
    }

    /**
     * A place.
     *
     * @param sources where each fact stands: variables, or paths of files, with commas between them
     * @param variables all that it sets
     */
    private record Row(String name, String title, Map<Fact, String> sources, List<String> variables) {}

    private static final Row SKYPILOT = new Row(
            "skypilot",
            "SkyPilot",
            Map.of(
                    Fact.NODES, "SKYPILOT_NUM_NODES",
                    Fact.INDEX, "SKYPILOT_NODE_RANK",
                    Fact.HOSTS, "SKYPILOT_NODE_IPS",
                    Fact.CARDS, "SKYPILOT_NUM_GPUS_PER_NODE",
                    Fact.JOB_ID, "SKYPILOT_TASK_ID"),
            List.of("SKYPILOT_*"));

    private static final Row LEADER_WORKER_SET = new Row(
            "leaderworkerset",
            "LeaderWorkerSet of Kubernetes",
            Map.of(
                    Fact.NODES, "LWS_GROUP_SIZE",
                    Fact.INDEX, "LWS_WORKER_INDEX",
                    Fact.LEADER, "LWS_LEADER_ADDRESS",
                    Fact.JOB_ID, "LWS_LEADER_ADDRESS"),
            List.of("LWS_*"));

    private static final Row SAGEMAKER = new Row(
            "sagemaker",
            "SageMaker training jobs",
            Map.of(
                    Fact.HOSTS,
                    "SM_HOSTS," + SAGEMAKER_FILE,
                    Fact.SELF,
                    "SM_CURRENT_HOST," + SAGEMAKER_FILE,
                    Fact.CARDS,
                    "SM_NUM_GPUS",
                    Fact.JOB_ID,
                    "TRAINING_JOB_NAME"),
            List.of("SM_*", "TRAINING_JOB_NAME"));

    private static final Row PBS =
            new Row("pbs", "PBS", Map.of(Fact.HOSTS, "PBS_NODEFILE", Fact.JOB_ID, "PBS_JOBID"), List.of("PBS_*"));

    private static final Row LSF = new Row(
            "lsf",
            "LSF",
            Map.of(Fact.HOSTS, "LSB_DJOB_HOSTFILE,LSB_MCPU_HOSTS,LSB_HOSTS", Fact.JOB_ID, "LSB_JOBID,LSB_JOBINDEX"),
            List.of("LSB_*"));

    private static final Row GRID_ENGINE = new Row(
            "grid-engine",
            "Grid Engine",
            Map.of(Fact.HOSTS, "PE_HOSTFILE", Fact.JOB_ID, "JOB_ID,SGE_TASK_ID"),
            List.of("PE_HOSTFILE", "NHOSTS", "SGE_*"));

    /** The platform that a row tells of. */
    abstract static class RowPlatform extends KnownPlatform {
        private RowPlatform(Row row) {
            super(row.name(), row.title(), row.variables(), at -> new ClusterReader(at, row));
        }
    }

    public static final class SkyPilot extends RowPlatform {
        public SkyPilot() {
            super(SKYPILOT);
        }
    }

    public static final class LeaderWorkerSet extends RowPlatform {
        public LeaderWorkerSet() {
            super(LEADER_WORKER_SET);
        }
    }

    public static final class SageMaker extends RowPlatform {
        public SageMaker() {
            super(SAGEMAKER);
        }
    }

    public static final class Pbs extends RowPlatform {
        public Pbs() {
            super(PBS);
        }
    }

    public static final class Lsf extends RowPlatform {
        public Lsf() {
            super(LSF);
        }
    }

    public static final class GridEngine extends RowPlatform {
        public GridEngine() {
            super(GRID_ENGINE);
        }
    }

    private final Row row;

    private ClusterReader(EvidenceReader evidence, Row row) {
        super(evidence, PlatformContract.named(row.name()).withIndexVariables(sources(row, Fact.INDEX)));
        this.row = row;
    }

    @Override
    Optional<String> sign() {
        return told(Fact.HOSTS)
                .or(() -> told(Fact.LEADER))
                .map(source -> (source.startsWith("/") ? "there is: " : "set: ") + source);
    }

    @Override
    void tell() {
        List<String> own = new ArrayList<>(sources(row, Fact.INDEX));
        own.addAll(sources(row, Fact.SELF));
        own.removeIf(source -> source.startsWith("/"));
        promise(PlatformContract.named(row.name())
                .withLocalVariables(own)
                .withIndexVariables(sources(row, Fact.INDEX)));
        option(OptionTable.JOB_ID, this::jobId);
        option(OptionTable.NODES, this::nodes);
        option(OptionTable.NODE_INDEX, this::index);
        option(
                OptionTable.CARDS,
                () -> told(Fact.CARDS).flatMap(name -> evidence.number(name, 0, OptionTable.MOST_CARDS)));
        hosts(() -> EvidenceReader.hosts(names()));
    }

    private static List<String> sources(Row row, Fact fact) {
        return Optional.ofNullable(row.sources().get(fact))
                .map(names -> List.of(names.split(",", -1)))
                .orElse(List.of());
    }

    /** The first source of a fact that is there. */
    private Optional<String> told(Fact fact) {
        return sources(row, fact).stream()
                .filter(source -> source.startsWith("/") ? evidence.facts().exists(source) : evidence.isSet(source))
                .findFirst();
    }

    /** By numbers alone two jobs of different places would be one. */
    private Optional<OptionValue> jobId() {
        List<String> set = sources(row, Fact.JOB_ID).stream()
                .filter(name -> evidence.value(name)
                        .filter(value -> !value.equals("0") && !value.equals("undefined"))
                        .isPresent())
                .toList();
        String id = set.stream()
                .map(name -> NumberedName.label(evidence.value(name).orElse("")))
                .map(value -> value.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("-$", ""))
                .collect(Collectors.joining("-"));
        boolean isNumber = id.matches("[0-9-]+");
        return set.isEmpty()
                ? Optional.empty()
                : Optional.of(new OptionValue(isNumber ? row.name() + "-" + id : id, String.join(", ", set)));
    }

    private Optional<OptionValue> nodes() {
        Optional<OptionValue> count =
                told(Fact.NODES).flatMap(name -> evidence.number(name, 1, OptionTable.MOST_NODES));
        Optional<String> list = told(Fact.HOSTS);
        if (list.isEmpty()) {
            return count;
        }
        OptionValue hosts = EvidenceReader.told(names().size(), list.get());
        count.filter(told -> !told.value().equals(hosts.value())).ifPresent(told -> {
            throw MusterException.configuration(told.origin() + "=" + told.value() + ", but " + list.get() + " names "
                    + hosts.value() + " hosts. Correct one of them, or give --nodes N and --node-index I");
        });
        return Optional.of(hosts);
    }

    private Optional<OptionValue> index() {
        Optional<String> variable = told(Fact.INDEX);
        if (variable.isPresent() || told(Fact.HOSTS).isEmpty()) {
            return variable.flatMap(evidence::index);
        }
        List<String> names = names();
        String own = self();
        int index = IntStream.range(0, names.size())
                .filter(node -> isCalled(names.get(node), own))
                .findFirst()
                .orElseGet(() -> names.size() == 1 ? 0 : -1);
        if (index < 0) {
            throw MusterException.configuration("this host, " + Printable.quote(own) + ", is none of the "
                    + names.size() + " of " + told(Fact.HOSTS).orElseThrow() + " (" + names.get(0)
                    + ", ...). Give --node-index I");
        }
        return Optional.of(EvidenceReader.told(index, told(Fact.HOSTS).orElseThrow()));
    }

    private boolean isCalled(String name, String own) {
        return name.equals(own)
                || evidence.facts().machine().addresses().contains(name)
                || (name.matches(".*[A-Za-z].*") && NumberedName.label(name).equals(NumberedName.label(own)));
    }

    private String self() {
        Optional<String> source = told(Fact.SELF);
        Optional<String> file = source.filter(path -> path.startsWith("/"));
        if (file.isPresent()) {
            return file.flatMap(evidence.facts()::text)
                    .map(text -> Json.read(text) instanceof JsonReading.Complete whole
                            ? String.valueOf(whole.content().get("current_host"))
                            : "")
                    .orElse("");
        }
        return source.flatMap(evidence::value).orElse(evidence.facts().machine().hostName());
    }

    /** All nodes in their order; none where only their count is known. */
    private List<String> names() {
        Optional<String> list = told(Fact.HOSTS);
        List<String> names = list.map(source -> HostNames.in(evidence, source)).orElseGet(this::afterTheLeader);
        list.filter(source -> names.isEmpty() || !names.stream().allMatch(Hosts::isHost))
                .ifPresent(source -> {
                    throw MusterException.configuration(source + " names no hosts that can be read: "
                            + Printable.quote(String.join(",", names)) + ". Give --hosts A,B,... and --node-index I");
                });
        return names;
    }

    /** Of a pod {@code a-0.b} the others are {@code a-0-1.b}, {@code a-0-2.b} and so on. */
    private List<String> afterTheLeader() {
        Optional<String> leader = told(Fact.LEADER).flatMap(evidence::host).map(OptionValue::value);
        int count = nodes().map(nodes -> Integer.parseInt(nodes.value())).orElse(0);
        return leader.isEmpty()
                ? List.of()
                : IntStream.range(0, count)
                        .mapToObj(node -> after(leader.get(), node))
                        .toList();
    }

    private static String after(String leader, int node) {
        String label = NumberedName.label(leader);
        return node == 0 ? leader : label + "-" + node + leader.substring(label.length());
    }
}
