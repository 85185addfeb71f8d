package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.text.Printable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who belongs to a job by {@code TF_CONFIG}, and who of them this container is. An engine that knows TensorFlow looks closer.
 *
 * @param hosts of every type of task, by index
 * @param isWhole whether all are named. Where workers may come and go (Kubeflow's {@code enableDynamicWorker}), each sees only
 *     itself and the ps, and a ps sees no worker
 * @param type of this container
 * @param index of this container among those of its type
 */
record TfCluster(SortedMap<String, SortedMap<Integer, String>> hosts, boolean isWhole, String type, int index) {

    static final String VARIABLE = "TF_CONFIG";

    static final String PS = "ps";
    static final String WORKER = "worker";
    static final String EVALUATOR = "evaluator";
    /** Both are words for the process that decides the job. */
    static final List<String> CHIEFS = List.of("chief", "master");

    private static final String CLUSTER = "cluster";
    private static final String TASK = "task";
    private static final List<String> TYPES = List.of("chief", "master", WORKER, PS, EVALUATOR);
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([0-9A-Fa-f:.%]{2,64})]|([^:]*)):[0-9]{1,5}");
    private static final int LONGEST_SHOWN = 80;

    /** What the variable holds, JSON or not; empty: it is not set. */
    static Optional<JsonReading> reading(Evidence evidence) {
        return evidence.value(VARIABLE).map(text -> Json.read(text));
    }

    /** The JSON of the variable; empty: it is not set. */
    static Optional<Map<String, Object>> content(Evidence evidence) {
        Optional<JsonReading> reading = reading(evidence);
        if (reading.isPresent() && !(reading.get() instanceof JsonReading.Complete)) {
            throw MusterException.configuration(VARIABLE + " is no JSON object: "
                    + quoted(evidence.value(VARIABLE).orElse("")) + ". Correct it, or unset it");
        }
        return reading.map(complete -> ((JsonReading.Complete) complete).content());
    }

    /** Whether a cluster is spoken of in which the workers may come and go. */
    static boolean isDynamic(Map<String, Object> content) {
        return content.get(CLUSTER) instanceof Map<?, ?> cluster && cluster.get(WORKER) instanceof Map<?, ?>;
    }

    /** Whether a cluster is spoken of at all. */
    static boolean isThere(Map<String, Object> content) {
        return content.containsKey(CLUSTER);
    }

    /** @throws MusterException when it has another form */
    static TfCluster read(Map<String, Object> content) {
        SortedMap<String, SortedMap<Integer, String>> hosts = new TreeMap<>();
        int members = 0;
        for (Map.Entry<?, ?> list : object(content, CLUSTER).entrySet()) {
            String type = type("/" + CLUSTER, list.getKey());
            SortedMap<Integer, String> ofType = list(type, list.getValue());
            hosts.put(type, ofType);
            members += ofType.size();
        }
        if (members > OptionTable.MOST_NODES) {
            throw wrong("/" + CLUSTER + " has " + members + " members; at most " + OptionTable.MOST_NODES
                    + " are possible");
        }
        Map<?, ?> task = object(content, TASK);
        String type = type("/" + TASK + "/type", task.get("type"));
        TfCluster cluster = new TfCluster(hosts, !isDynamic(content), type, index(task.get("index")));
        cluster.refuseWhoIsNotThere();
        return cluster;
    }

    /** The hosts of a type of task, by index. */
    SortedMap<Integer, String> of(String wanted) {
        return hosts.getOrDefault(wanted, new TreeMap<>());
    }

    /** Kubeflow lists an evaluator; others leave it out, since it takes no part in the training. */
    private void refuseWhoIsNotThere() {
        boolean isBeside = type.equals(EVALUATOR) && of(EVALUATOR).isEmpty();
        if (!isBeside && !of(type).containsKey(index)) {
            throw wrong("/task says that this is " + type + " " + index + ", but /cluster has "
                    + (of(type).isEmpty() ? "no " + type : "only " + of(type).size() + " of them"));
        }
    }

    /** An array, or an object by index where not all are known. */
    private static SortedMap<Integer, String> list(String type, @Nullable Object list) {
        String pointer = "/" + CLUSTER + "/" + type;
        SortedMap<Integer, String> hosts = new TreeMap<>();
        if (list instanceof Map<?, ?> object) {
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                int index = WholeNumber.parse(entry.getKey().toString(), 0, OptionTable.MOST_NODES - 1)
                        .orElseThrow(() -> wrong(pointer + ": " + shown(entry.getKey()) + " is no index"));
                hosts.put(index, host(pointer, entry.getValue()));
            }
        } else if (list instanceof Collection<?> array) {
            for (Object entry : array) {
                hosts.put(hosts.size(), host(pointer, entry));
            }
        } else {
            throw wrong(pointer + " is " + shown(list) + ", not a list of addresses");
        }
        return hosts;
    }

    private static String host(String pointer, @Nullable Object address) {
        Matcher matcher = ADDRESS.matcher(address instanceof String text ? text : "");
        if (!matcher.matches()) {
            throw wrong(pointer + ": " + shown(address) + " is no host:port");
        }
        return matcher.group(1) != null
                ? matcher.group(1)
                : Variables.safeName(VARIABLE + ", " + pointer, matcher.group(2), "a host name");
    }

    private static String type(String pointer, @Nullable Object type) {
        if (!(type instanceof String text) || !TYPES.contains(text)) {
            throw wrong(pointer + ": " + shown(type) + " is not one of " + String.join(", ", TYPES));
        }
        return text;
    }

    private static int index(@Nullable Object index) {
        if (!(index instanceof Long number) || number < 0 || number >= OptionTable.MOST_NODES) {
            throw wrong("/task/index is " + shown(index) + ", not a whole number 0.." + (OptionTable.MOST_NODES - 1));
        }
        return number.intValue();
    }

    private static Map<?, ?> object(Map<String, Object> content, String key) {
        Object value = content.get(key);
        if (value instanceof Map<?, ?> object) {
            return object;
        }
        throw wrong("/" + key + " is " + shown(value) + ", not an object");
    }

    private static String shown(@Nullable Object value) {
        if (value == null) {
            return "null or missing";
        }
        if (value instanceof Map<?, ?>) {
            return "an object";
        }
        return value instanceof Collection<?> ? "a list" : quoted(value.toString());
    }

    private static String quoted(String text) {
        return Printable.quote(text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...");
    }

    private static MusterException wrong(String problem) {
        return MusterException.configuration(VARIABLE + ", " + problem
                + ". Correct it, or give --platform none where nobody else belongs to this job");
    }
}
