package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Signs of several nodes that frameworks leave in several variables, or in files. */
final class FrameworkSigns {

    private static final List<String> TABLE_VARIABLES =
            List.of("RANK_TABLE_FILE_V_1_0", "RANK_TABLE_FILE", "MINDSPORE_HCCL_CONFIG_PATH");

    /** Where platforms write the rank table of a job: ModelArts, and the first of MindX DL's two places. */
    private static final List<String> TABLES = List.of("/user/config/jobstart_hccl.json", MindXDl.TABLE);

    /** All formats of rank tables have this key for each server. */
    private static final Pattern SERVER = Pattern.compile("\"server_id\"\\s*:\\s*\"([^\"]*)\"");

    private FrameworkSigns() {}

    /**
     * The number of nodes for torchrun, or {@code least:most} where torchrun finds it out. If only the number of processes per node is set,
     * the sign is doubtful: an image may set it.
     */
    static Optional<Claim> torchrun(EvidenceReader evidence) {
        Optional<String> value = evidence.value(TorchJob.NODES);
        if (value.isEmpty()) {
            return presence(evidence, TorchJob.RENDEZVOUS)
                    .or(() -> presence(evidence, TorchJob.CARDS).map(Claim::doubtful));
        }
        Optional<String> range = value.filter(DetectedPlatform::isRange);
        if (range.isPresent()) {
            return range.filter(nodes -> Integer.parseInt(nodes.split(":", 2)[1]) > 1)
                    .map(nodes ->
                            Claim.ofOthers(TorchJob.NODES + "=" + nodes + " says that the job may have several nodes"));
        }
        return several(evidence, TorchJob.NODES).map(count -> Claim.ofNodes(TorchJob.NODES + "=" + count, count));
    }

    /** WORLD_SIZE alone may be left over from something else. Together with RANK and MASTER_ADDR it describes a job. */
    static Optional<Claim> worldSize(EvidenceReader evidence) {
        boolean isNumbered = evidence.isSet(TorchJob.RANK);
        boolean isPlanned = isNumbered && evidence.isSet(TorchJob.MASTER_ADDR);
        String others = isPlanned ? " (with RANK and MASTER_ADDR)" : isNumbered ? " (with RANK)" : "";
        return several(evidence, TorchJob.WORLD_SIZE)
                .map(size -> Claim.ofOthers("WORLD_SIZE=" + size + others + " says that others "
                        + (isPlanned ? "" : "may ") + "belong to this job"))
                .map(claim -> isPlanned ? claim : claim.doubtful());
    }

    /**
     * Counts the members of the cluster. The list of a role may be an object. A task without a cluster is a sign of other members, but a
     * doubtful one for index 0: the job may have one member.
     */
    static Optional<Claim> tensorFlow(EvidenceReader evidence) {
        Map<String, Object> config = TfCluster.content(evidence).orElse(Map.of());
        if (!TfCluster.isThere(config)) {
            return otherCluster(config).or(() -> taskAlone(config));
        }
        int members = config.get("cluster") instanceof Map<?, ?> cluster
                ? cluster.values().stream().mapToInt(FrameworkSigns::members).sum()
                : 0;
        return members > 1 || TfCluster.isDynamic(config)
                ? Optional.of(Claim.ofOthers(TfCluster.VARIABLE
                        + " says that others belong to this job: its cluster has " + members + " members"))
                : Optional.empty();
    }

    /** A cluster under a key other than {@code cluster}. */
    private static Optional<Claim> otherCluster(Map<String, Object> config) {
        return config.entrySet().stream()
                .filter(each -> !each.getKey().equals("task") && each.getValue() instanceof Map)
                .findFirst()
                .map(other -> Claim.ofOthers(TfCluster.VARIABLE + " says by /" + other.getKey()
                        + " that others belong to this job, and Muster reads /cluster only"));
    }

    private static Optional<Claim> taskAlone(Map<String, Object> config) {
        if (!(config.get("task") instanceof Map<?, ?> task)) {
            return Optional.empty();
        }
        Claim claim = Claim.ofOthers(
                TfCluster.VARIABLE + " tells which task this is, and has no cluster to say who the others are");
        boolean isLater = task.get("index") instanceof Number index && index.longValue() != 0;
        return Optional.of(isLater ? claim : claim.doubtful());
    }

    private static int members(Object role) {
        return role instanceof Map<?, ?> byIndex
                ? byIndex.size()
                : role instanceof Collection<?> list ? list.size() : 1;
    }

    /** A table that lists several servers, where only this node's ranks would be started. */
    static Optional<Claim> rankTables(EvidenceReader evidence) {
        List<String> paths = new ArrayList<>();
        for (String variable : TABLE_VARIABLES) {
            evidence.value(variable).filter(path -> path.startsWith("/")).ifPresent(paths::add);
        }
        paths.addAll(TABLES);
        paths.addAll(MindXDl.operatorTables(evidence));
        return paths.stream()
                .flatMap(path -> evidence.source().text(path).flatMap(text -> rankTable(path, text)).stream())
                .filter(claim -> claim.nodes().isPresent() || !evidence.engineReadsTable())
                .findFirst();
    }

    /** The number of servers is not sure while the table is being written. */
    private static Optional<Claim> rankTable(String path, String text) {
        boolean isWhole = text.strip().endsWith("}");
        long servers = SERVER.matcher(text)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .count();
        if (!isWhole || servers == 0) {
            return Optional.of(Claim.ofOthers("rank table " + path + " does not tell yet of how many servers"));
        }
        return servers == 1
                ? Optional.empty()
                : Optional.of(new Claim(
                        "rank table " + path + " is of " + servers + " servers", OptionalInt.of((int) servers), false));
    }

    /** A job of MindX DL in which neither a rank table nor Volcano's plugins count the containers. The table may come later. */
    static Optional<Claim> mindXAlone(EvidenceReader evidence) {
        boolean isTold = evidence.engineReadsTable()
                || !MindXDl.operatorTables(evidence).isEmpty()
                || evidence.source().exists(MindXDl.TABLE)
                || !new VolcanoTasks(evidence).lists().isEmpty();
        return isTold ? Optional.empty() : presence(evidence, MindXDl.ADDRESS).map(Claim::doubtful);
    }

    private static Optional<Claim> presence(EvidenceReader evidence, String variable) {
        return Optional.of(variable).filter(evidence::isSet).map(Claim::ofPresence);
    }

    /** A number of two or more. */
    private static Optional<Integer> several(EvidenceReader evidence, String variable) {
        return evidence.integer(variable, 0, Sign.MOST).filter(number -> number > 1);
    }

    /** The number of containers of all tasks. The env plugin alone tells a container its index, but not this number. */
    static Optional<Claim> volcano(EvidenceReader evidence) {
        List<String> seen = new ArrayList<>();
        int sum = 0;
        for (Map.Entry<String, String> variable :
                evidence.source().environment().entrySet()) {
            boolean isCount =
                    VolcanoTasks.task(variable.getKey(), VolcanoTasks.NUMBER).isPresent();
            if (isCount && !variable.getValue().isEmpty()) {
                sum += evidence.wholeNumber(variable.getKey(), 0, OptionTable.MOST_NODES);
                seen.add(variable.getKey() + "=" + variable.getValue());
            }
        }
        if (sum > 1) {
            return Optional.of(Claim.ofNodes(String.join(", ", seen), sum));
        }
        boolean isTold = !seen.isEmpty() || !new VolcanoTasks(evidence).lists().isEmpty();
        return isTold
                ? Optional.empty()
                : evidence.firstSet(VolcanoTasks.INDICES).map(Claim::ofPresence);
    }
}
