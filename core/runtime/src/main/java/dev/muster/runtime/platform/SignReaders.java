package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.Host;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The signs that are more than one number in one variable. */
final class SignReaders {

    static final List<String> TABLE_VARIABLES =
            List.of("RANK_TABLE_FILE_V_1_0", "RANK_TABLE_FILE", "MINDSPORE_HCCL_CONFIG_PATH");

    /** Where platforms write the rank table of a job: ModelArts, and the first of MindX DL's two places. */
    static final List<String> TABLES = List.of("/user/config/jobstart_hccl.json", MindXDl.TABLE);

    private static final String PET_NODES = "PET_NNODES";
    private static final Pattern APULIS_WORKER = Pattern.compile("DLWS_SD_worker([0-9]{1,6})_IP");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9}):([0-9]{1,9})");

    private SignReaders() {}

    static Optional<Integer> number(Evidence evidence, String variable, int most) {
        return evidence.value(variable).map(value -> Signs.wholeNumber(variable, value.strip(), most));
    }

    /** A number of two or more. */
    static Optional<Integer> count(Evidence evidence, String variable) {
        return number(evidence, variable, Signs.MOST).filter(number -> number > 1);
    }

    /** Whoever is not the first is not the only one. */
    static Optional<Claim> index(Evidence evidence, String variable) {
        return number(evidence, variable, Signs.MOST)
                .filter(number -> number > 0)
                .map(number -> new Claim(
                        variable + "=" + number + " says that this is not the first of the job's nodes",
                        OptionalInt.of(Math.min(number, OptionTable.MOST_NODES) + 1)));
    }

    /** A variable that says by being there that the job has several nodes. */
    static Optional<Claim> anyValue(Evidence evidence, String variable) {
        return evidence.value(variable)
                .map(value -> new Claim(
                        variable + " is set: the job may have several nodes, and it does not say how many",
                        OptionalInt.empty()));
    }

    /** A number, or {@code least:most} where torchrun shall find out. */
    static Optional<Claim> petNodes(Evidence evidence) {
        Optional<String> value = evidence.value(PET_NODES);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Matcher range = RANGE.matcher(value.get());
        if (!range.matches()) {
            return count(evidence, PET_NODES).map(nodes -> nodes(PET_NODES, nodes));
        }
        return Integer.parseInt(range.group(2)) > 1
                ? Optional.of(new Claim(
                        PET_NODES + "=" + value.get() + " says that the job may have several nodes",
                        OptionalInt.empty()))
                : Optional.empty();
    }

    /** Where torchrun shall find out how many nodes there are, unless there is one at most. */
    static Optional<Claim> rendezvous(Evidence evidence) {
        Optional<String> nodes = evidence.value(PET_NODES);
        return nodes.isPresent() && petNodes(evidence).isEmpty()
                ? Optional.empty()
                : anyValue(evidence, "PET_RDZV_ENDPOINT");
    }

    /** All containers of all tasks. */
    static Optional<Claim> volcanoCounts(Evidence evidence) {
        long sum = 0;
        List<String> seen = new ArrayList<>();
        for (Map.Entry<String, String> variable :
                evidence.environment().variables().entrySet()) {
            String name = variable.getKey();
            if (VolcanoTasks.task(name, VolcanoTasks.NUMBER).isPresent()
                    && !variable.getValue().isEmpty()) {
                sum += Signs.wholeNumber(name, variable.getValue().strip(), Signs.MOST);
                seen.add(name + "=" + variable.getValue().strip());
            }
        }
        return sum > 1
                ? Optional.of(nodesOf(String.join(", ", seen), (int) Math.min(sum, OptionTable.MOST_NODES)))
                : Optional.empty();
    }

    static Optional<Claim> volcanoHosts(Evidence evidence) {
        int hosts = 0;
        VolcanoTasks tasks = new VolcanoTasks(evidence);
        for (List<Host> ofTask : tasks.hosts().values()) {
            hosts += ofTask.size();
        }
        return hosts > 1
                ? Optional.of(nodesOf(String.join(" and ", tasks.lists()), Math.min(hosts, OptionTable.MOST_NODES)))
                : Optional.empty();
    }

    /** The env plugin without the svc plugin tells every container its index, and nobody how many there are. */
    static Optional<Claim> volcanoIndexAlone(Evidence evidence) {
        Optional<String> index = evidence.firstSet(VolcanoTasks.INDICES);
        boolean isCounted = evidence.environment().variables().keySet().stream()
                .anyMatch(name -> VolcanoTasks.task(name, VolcanoTasks.NUMBER).isPresent()
                        || VolcanoTasks.task(name, VolcanoTasks.HOSTS).isPresent());
        return isCounted ? Optional.empty() : index.flatMap(variable -> anyValue(evidence, variable));
    }

    /** One alone may be a leftover of anybody; all three are somebody's plan. */
    static Optional<Claim> worldSize(Evidence evidence) {
        if (!evidence.isSet("RANK") || !evidence.isSet("MASTER_ADDR")) {
            return Optional.empty();
        }
        return count(evidence, "WORLD_SIZE")
                .map(size -> new Claim(
                        "WORLD_SIZE=" + size + " (with RANK and MASTER_ADDR) says that others belong to this job",
                        OptionalInt.empty()));
    }

    /** Without a master nobody has to have planned it. */
    static Optional<Claim> worldWithoutMaster(Evidence evidence) {
        return evidence.isSet("RANK") && !evidence.isSet("MASTER_ADDR")
                ? count(evidence, "WORLD_SIZE")
                        .map(size -> new Claim(
                                        "WORLD_SIZE=" + size + " (with RANK) says that others may belong to this job",
                                        OptionalInt.empty())
                                .doubtful())
                : Optional.empty();
    }

    /** Whoever tells torchrun how many processes each node has, tells it the number of nodes; an image may tell the first only. */
    static Optional<Claim> cardsOfNodes(Evidence evidence) {
        return evidence.isSet(PET_NODES)
                ? Optional.empty()
                : anyValue(evidence, "PET_NPROC_PER_NODE").map(Claim::doubtful);
    }

    /** Of those that JAX needs, the number of processes may be missing. */
    static Optional<Claim> coordinator(Evidence evidence) {
        return evidence.isSet("PROCESS_ID") && !evidence.isSet("NUM_PROCESSES")
                ? anyValue(evidence, "COORDINATOR_ADDRESS")
                : Optional.empty();
    }

    /** Every container is told the addresses of all workers. */
    static Optional<Claim> apulisWorkers(Evidence evidence) {
        return evidence.environment().variables().keySet().stream()
                .map(APULIS_WORKER::matcher)
                .filter(Matcher::matches)
                .max(Comparator.comparingInt(found -> Integer.parseInt(found.group(1))))
                .filter(found -> !found.group(1).equals("0"))
                .map(found -> nodesOf(
                        found.group() + " (with those before it)",
                        Math.min(Integer.parseInt(found.group(1)), OptionTable.MOST_NODES - 1) + 1));
    }

    /** A ps is counted apart from the workers. */
    static Optional<Claim> apulisIndex(Evidence evidence) {
        return evidence.value("DLWS_ROLE_NAME").filter("ps"::equals).isPresent()
                ? Optional.empty()
                : index(evidence, "DLWS_ROLE_IDX");
    }

    /** The members of the cluster, as far as they are counted: the list of a role may be an object. */
    static Optional<Claim> tfConfig(Evidence evidence) {
        Optional<Map<String, Object>> config = TfCluster.content(evidence);
        int members = 0;
        if (config.isPresent() && config.get().get("cluster") instanceof Map<?, ?> cluster) {
            for (Object role : cluster.values()) {
                members += size(role);
            }
        }
        return members > 1 || config.filter(TfCluster::isDynamic).isPresent()
                ? Optional.of(new Claim(
                        TfCluster.VARIABLE + " says that others belong to this job: its cluster has " + members
                                + " members",
                        OptionalInt.empty()))
                : config.filter(content -> !TfCluster.isThere(content)).flatMap(SignReaders::taskOfNoCluster);
    }

    /** Whoever is told which task he is has others beside him, unless he is the first: then it may be a job of one. */
    private static Optional<Claim> taskOfNoCluster(Map<String, Object> config) {
        if (!(config.get("task") instanceof Map<?, ?> task)) {
            return Optional.empty();
        }
        boolean isFirst = !(task.get("index") instanceof Number index) || index.longValue() == 0;
        Claim claim = new Claim(
                TfCluster.VARIABLE + " tells which task this is, and has no cluster to say who the others are",
                OptionalInt.empty());
        return Optional.of(isFirst ? claim.doubtful() : claim);
    }

    /** A table that lists several servers or cards, where only this node's would be started. */
    static Optional<Claim> rankTables(Evidence evidence) {
        List<String> paths = new ArrayList<>();
        for (String variable : TABLE_VARIABLES) {
            evidence.value(variable).filter(path -> path.startsWith("/")).ifPresent(paths::add);
        }
        paths.addAll(TABLES);
        evidence.files()
                .names(MindXDl.OPERATOR_TABLES)
                .forEach(job -> paths.add(MindXDl.OPERATOR_TABLES + "/" + job + MindXDl.OPERATOR_TABLE));
        for (String path : paths) {
            Optional<Claim> claim = evidence.files().text(path).flatMap(text -> rankTable(path, text));
            if (claim.isPresent() && claim.get().nodes().isEmpty() && evidence.engineReadsTable()) {
                continue;
            }
            if (claim.isPresent()) {
                return claim;
            }
        }
        return Optional.empty();
    }

    /** In a job of MindX DL the table, or Volcano's plugins, count the containers; the table may be written later. */
    static Optional<Claim> mindXAlone(Evidence evidence) {
        boolean isTold = evidence.engineReadsTable()
                || evidence.files().isFile(MindXDl.TABLE)
                || !evidence.files().names(MindXDl.OPERATOR_TABLES).isEmpty()
                || !new VolcanoTasks(evidence).lists().isEmpty();
        return isTold ? Optional.empty() : anyValue(evidence, MindXDl.ADDRESS).map(Claim::doubtful);
    }

    private static Optional<Claim> rankTable(String path, String text) {
        Set<Object> servers = new HashSet<>();
        Optional<Map<String, Object>> table = object(text);
        table.ifPresent(content -> collect(content, servers));
        if (table.isPresent() && servers.size() == 1) {
            return Optional.empty();
        }
        String words =
                servers.isEmpty() ? "does not tell yet of how many servers" : "is of " + servers.size() + " servers";
        return Optional.of(new Claim(
                "rank table " + path + " " + words,
                servers.isEmpty() ? OptionalInt.empty() : OptionalInt.of(servers.size())));
    }

    /** Every family of tables but the newest names its servers so. */
    private static void collect(Object value, Set<Object> servers) {
        if (value instanceof Map<?, ?> object) {
            if (object.get("server_id") instanceof String server && !object.containsKey("super_pod_id")) {
                servers.add(server);
            }
            object.values().forEach(child -> collect(child, servers));
        } else if (value instanceof Collection<?> list) {
            list.forEach(child -> collect(child, servers));
        }
    }

    private static Optional<Map<String, Object>> object(String text) {
        JsonReading reading = Json.read(text);
        return reading instanceof JsonReading.Complete complete ? Optional.of(complete.content()) : Optional.empty();
    }

    private static int size(Object role) {
        if (role instanceof Map<?, ?> byIndex) {
            return byIndex.size();
        }
        return role instanceof Collection<?> list ? list.size() : 1;
    }

    private static Claim nodes(String variable, int count) {
        return nodesOf(variable + "=" + count, count);
    }

    private static Claim nodesOf(String origin, int count) {
        return new Claim(origin + " says that the job has " + count + " nodes", OptionalInt.of(count));
    }
}
