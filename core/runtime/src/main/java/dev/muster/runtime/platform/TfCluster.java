package dev.muster.runtime.platform;

import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The members of a job by {@code TF_CONFIG}, and which of them this container is.
 *
 * @param hosts of every type of task, by index
 * @param isWhole whether all members are named. If workers may come and go (Kubeflow's {@code enableDynamicWorker}), each sees only itself
 *     and the ps, and a ps sees no worker
 * @param type of this container
 * @param index of this container among those of its type
 */
record TfCluster(SortedMap<String, SortedMap<Integer, Host>> hosts, boolean isWhole, String type, int index) {

    static final String VARIABLE = "TF_CONFIG";
    private static final String PS = "ps";
    private static final String WORKER = "worker";
    private static final String EVALUATOR = "evaluator";

    /** Both are words for the process that decides the job. */
    static final List<String> CHIEFS = List.of("chief", "master");

    private static final String CLUSTER = "cluster";
    private static final String TASK = "task";
    private static final List<String> TYPES = List.of("chief", "master", WORKER, PS, EVALUATOR);
    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[A-Za-z0-9._-]+)?)]|([^:]*)):([0-9]{1,5})");
    private static final int LONGEST_SHOWN = 80;

    /** With this option the user lists the workers. */
    private static final String LISTS_OPTION = "worker-hosts";

    /** The JSON of the variable; empty: it is not set, or is no JSON. */
    static Optional<Map<String, Object>> peek(EvidenceReader evidence) {
        return evidence.value(VARIABLE).flatMap(text -> Json.read(text).object());
    }

    /** The JSON of the variable; empty: it is not set. */
    static Optional<Map<String, Object>> content(EvidenceReader evidence) {
        Optional<Map<String, Object>> content = peek(evidence);
        if (content.isEmpty() && evidence.isSet(VARIABLE)) {
            throw MusterException.configuration(VARIABLE + " is no JSON object: "
                    + shown(evidence.value(VARIABLE).orElse("")) + ". Correct it, or unset it");
        }
        return content;
    }

    /** Whether the content has a cluster in which workers may come and go. */
    static boolean isDynamic(Map<String, Object> content) {
        return content.get(CLUSTER) instanceof Map<?, ?> cluster && cluster.get(WORKER) instanceof Map<?, ?>;
    }

    /** Whether the content has a cluster. */
    static boolean isThere(Map<String, Object> content) {
        return content.containsKey(CLUSTER);
    }

    /** Empty: the variable is not set. */
    static Optional<TfCluster> of(EvidenceReader evidence) {
        return content(evidence).map(TfCluster::read);
    }

    /** @throws MusterException when it has another form */
    private static TfCluster read(Map<String, Object> content) {
        SortedMap<String, SortedMap<Integer, Host>> hosts = new TreeMap<>();
        for (Map.Entry<?, ?> list : object(content, CLUSTER).entrySet()) {
            String type = type("/" + CLUSTER, list.getKey());
            hosts.put(type, list("/" + CLUSTER + "/" + type, list.getValue()));
        }
        Map<?, ?> task = object(content, TASK);
        String type = type("/" + TASK + "/type", task.get("type"));
        int index = index(task.get("index"));
        TfCluster cluster = new TfCluster(hosts, !isDynamic(content), type, index);
        // Kubeflow lists an evaluator; others leave it out, since it takes no part in the training.
        boolean isBeside = type.equals(EVALUATOR) && !hosts.isEmpty();
        if (!isBeside && !cluster.of(type).containsKey(index)) {
            throw wrong("/" + TASK, type + " " + index, "not in /" + CLUSTER);
        }
        return cluster;
    }

    /** Reports the cluster to an engine with separate containers for ps and workers. */
    static void addTo(PlatformReader reader) {
        EvidenceReader evidence = reader.evidence;
        Supplier<Optional<TfCluster>> found = () -> of(evidence);
        reader.option(OptionTable.NODES, () -> found.get().map(TfCluster::nodes));
        reader.option(
                OptionTable.NODE_INDEX,
                () -> found.get().map(cluster -> EvidenceReader.sourced(cluster.index(), VARIABLE)));
        reader.role(() -> found.get().map(cluster -> cluster.role(evidence)));
        reader.hosts(() -> found.get()
                .map(cluster -> List.copyOf(cluster.of(cluster.type()).values()))
                .orElse(List.of()));
        reader.hostsByRole(() -> found.get().map(TfCluster::hostsByRole).orElse(Map.of()));
    }

    /** The number of members, and an evaluator outside the cluster. If workers come and go, there are at least two containers. */
    private OptionValue nodes() {
        int named = hosts.values().stream().mapToInt(Map::size).sum() + (of(type).isEmpty() ? 1 : 0);
        return isWhole
                ? EvidenceReader.sourced(named, VARIABLE)
                : new OptionValue(Math.max(2, named) + ":" + OptionTable.MOST_NODES, VARIABLE);
    }

    /** Refuses options that contradict the variable, since the processes read the variable themselves. */
    private String role(EvidenceReader evidence) {
        if (evidence.option(LISTS_OPTION).isEmpty()) {
            String own = Integer.toString(index);
            refuseOther(evidence, OptionTable.NODE_INDEX, own, "this container is " + type + " " + index);
            String count = nodes().value();
            refuseOther(evidence, OptionTable.HOSTS, VARIABLE, "the hosts are those of its cluster");
            refuseOther(evidence, OptionTable.NODES, isWhole ? count : "", "the job has " + count + " containers");
        }
        return type;
    }

    /** @param told what the variable says; empty: an option cannot contradict it */
    private static void refuseOther(EvidenceReader evidence, Option option, String told, String meaning) {
        Optional<OptionValue> other = evidence.option(option.name())
                .filter(said -> !told.isEmpty() && !said.value().equals(told));
        if (other.isPresent()) {
            throw MusterException.configuration(
                    other.get().origin() + "=" + other.get().value() + ", but " + VARIABLE + " says that " + meaning
                            + ". Leave it out, or give --platform none where " + VARIABLE + " means nothing");
        }
    }

    /** If workers come and go, this container is the only known worker. */
    private Map<String, List<Host>> hostsByRole() {
        Map<String, List<Host>> byRole = new TreeMap<>();
        hosts.forEach((role, listed) -> byRole.put(role, List.copyOf(listed.values())));
        if (!isWhole) {
            Host own = of(WORKER).get(index);
            byRole.put(WORKER, own != null && type.equals(WORKER) ? List.of(own) : List.of());
        }
        return byRole;
    }

    /** The hosts of a type of task, by index. */
    SortedMap<Integer, Host> of(String wanted) {
        return hosts.getOrDefault(wanted, new TreeMap<>());
    }

    /** An array of hosts, or an object by index if not all are known. */
    private static SortedMap<Integer, Host> list(String pointer, @Nullable Object list) {
        SortedMap<Integer, Host> hosts = new TreeMap<>();
        if (list instanceof Map<?, ?> object) {
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                int index = WholeNumber.parse(entry.getKey().toString(), 0, OptionTable.MOST_NODES - 1)
                        .orElseThrow(() -> wrong(pointer, entry.getKey(), "no index"));
                hosts.put(index, host(pointer, entry.getValue()));
            }
        } else if (list instanceof Collection<?> array) {
            array.forEach(entry -> hosts.put(hosts.size(), host(pointer, entry)));
        } else {
            throw wrong(pointer, list, "no list of addresses");
        }
        return hosts;
    }

    private static Host host(String pointer, @Nullable Object address) {
        Matcher matcher = ADDRESS.matcher(address instanceof String text ? text : "");
        int port = matcher.matches() ? Integer.parseInt(matcher.group(3)) : 0;
        if (port < 1 || port > OptionTable.HIGHEST_PORT) {
            throw wrong(pointer, address, "no host:port");
        }
        String name = matcher.group(1) != null
                ? matcher.group(1)
                : EvidenceReader.safeName(VARIABLE + ", " + pointer, matcher.group(2), "a host name");
        return new Host(name, Optional.empty(), OptionalInt.of(port));
    }

    private static String type(String pointer, @Nullable Object type) {
        if (type instanceof String text && TYPES.contains(text)) {
            return text;
        }
        throw wrong(pointer, type, "not one of " + String.join(", ", TYPES));
    }

    private static int index(@Nullable Object index) {
        return WholeNumber.parse(String.valueOf(index), 0, OptionTable.MOST_NODES - 1)
                .orElseThrow(() -> wrong("/task/index", index, "no whole number 0.." + (OptionTable.MOST_NODES - 1)));
    }

    private static Map<?, ?> object(Map<String, Object> content, String key) {
        if (content.get(key) instanceof Map<?, ?> object) {
            return object;
        }
        throw wrong("/" + key, content.get(key), "no object");
    }

    private static String shown(@Nullable Object value) {
        return Printable.quote(Shortened.begun(LONGEST_SHOWN, String.valueOf(value)));
    }

    private static MusterException wrong(String pointer, @Nullable Object value, String problem) {
        return MusterException.configuration(VARIABLE + ", " + pointer + ": " + shown(value) + " is " + problem
                + ". Correct it, or give --platform none where nobody else belongs to this job");
    }
}
