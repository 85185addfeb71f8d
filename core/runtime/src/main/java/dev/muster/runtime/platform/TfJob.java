package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A replica of a TFJob of Kubeflow's training-operator, which tells each of them its place by {@code TF_CONFIG}. A job of one
 * replica gets none: nothing tells such a pod of any other.
 */
final class TfJob implements Platform {

    private static final String NAME = "tfjob";

    static final KnownPlatform KNOWN =
            new KnownPlatform(NAME, "Kubeflow TFJob (training-operator)", List.of(TfCluster.VARIABLE), TfJob::new);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .variables(TfCluster.VARIABLE)
            .localVariables(List.of(TfCluster.VARIABLE))
            .advice(new PlatformContract.Advice(List.of(TfCluster.VARIABLE), Optional.empty(), Optional.empty()))
            .build();

    /** Services are called {@code JOB-TYPE-I}; with the namespace they are hosts. */
    private static final Pattern SERVICE =
            Pattern.compile("([^.]+)-(?:chief|master|worker|ps|evaluator)-[0-9]{1,6}(?:\\..*)?");

    private final Evidence evidence;

    private TfJob(Evidence evidence) {
        this.evidence = evidence;
    }

    @Override
    public PlatformContract contract() {
        return CONTRACT;
    }

    /** Volcano's tensorflow plugin sets the variable, too, and its svc plugin those by which it is known. */
    @Override
    public Optional<String> sign() {
        // To look whether it is ours must not fail.
        Optional<Map<String, Object>> content = TfCluster.reading(evidence)
                .filter(JsonReading.Complete.class::isInstance)
                .map(reading -> ((JsonReading.Complete) reading).content());
        if (content.isPresent() && !TfCluster.isThere(content.get())) {
            return Optional.empty();
        }
        if (content.isPresent() && "cloud".equals(content.get().get("environment"))) {
            return Optional.of("set: " + TfCluster.VARIABLE + " with \"environment\":\"cloud\"");
        }
        boolean isVolcano = Volcano.KNOWN.reader().apply(evidence).sign().isPresent();
        return evidence.isSet(TfCluster.VARIABLE) && evidence.isSet(Kubernetes.API) && !isVolcano
                ? Optional.of("set: " + TfCluster.VARIABLE + ", " + Kubernetes.API)
                : Optional.empty();
    }

    @Override
    public Optional<String> refusal() {
        Optional<TfCluster> cluster = cluster();
        if (cluster.isEmpty() || rolesAreKnown()) {
            return Optional.empty();
        }
        String engine = "engine " + evidence.engine().orElseThrow().id();
        if (!cluster.get().isWhole()) {
            return Optional.of("the workers of this TFJob may come and go (enableDynamicWorker), so "
                    + TfCluster.VARIABLE
                    + " names only some of the job's nodes, and " + engine + " must know all. Leave enableDynamicWorker"
                    + " out, or give --nodes N --node-index I --hosts A,B,...");
        }
        if (!cluster.get().of(TfCluster.PS).isEmpty()) {
            return Optional.of("this TFJob has ps (" + TfCluster.VARIABLE + "), and " + engine
                    + " knows no roles: every container would train. Use --engine tensorflow-ps, leave the ps out, or use a"
                    + " PyTorchJob; --nodes N --node-index I --hosts A,B,... says which containers are nodes");
        }
        return cluster.get().type().equals(TfCluster.EVALUATOR)
                ? Optional.of(
                        "this container is the evaluator of a TFJob (" + TfCluster.VARIABLE + "), and " + engine
                                + " knows no roles: it is none of its nodes. Use --engine tensorflow-ps, or leave the evaluator out")
                : Optional.empty();
    }

    @Override
    public Optional<OptionValue> jobId() {
        Optional<TfCluster> cluster = cluster();
        if (cluster.isEmpty()) {
            return job(evidence.machine().hostName()).map(job -> new OptionValue(job, "host name"));
        }
        return cluster.get().hosts().values().stream()
                .flatMap(ofType -> ofType.values().stream())
                .flatMap(host -> job(host).stream())
                .findFirst()
                .map(job -> new OptionValue(job, TfCluster.VARIABLE));
    }

    private static Optional<String> job(String host) {
        Matcher matcher = SERVICE.matcher(host);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** Who is asked for by name has one replica when no variable is there; where workers may come and go nobody knows. */
    @Override
    public Optional<Setting> nodes() {
        Optional<TfCluster> cluster = cluster();
        if (cluster.isEmpty()) {
            return Optional.of(Setting.ofPlatform(OptionTable.NODES, "1", "no " + TfCluster.VARIABLE));
        }
        if (!cluster.get().isWhole()) {
            return Optional.empty();
        }
        int count = rolesAreKnown()
                ? containers(cluster.get())
                : trainers(cluster.get()).size();
        return Optional.of(Setting.ofPlatform(OptionTable.NODES, Integer.toString(count), TfCluster.VARIABLE));
    }

    private static int containers(TfCluster cluster) {
        int named = cluster.hosts().values().stream().mapToInt(Map::size).sum();
        boolean isBeside = cluster.of(cluster.type()).isEmpty();
        return isBeside ? named + 1 : named;
    }

    /** Within its type where the engine knows types; else among those that train, the chief first. */
    @Override
    public Optional<Setting> nodeIndex() {
        return cluster()
                .filter(cluster ->
                        rolesAreKnown() || TfCluster.WORKER.equals(cluster.type()) || isChief(cluster.type()))
                .map(cluster -> cluster.index() + (rolesAreKnown() ? 0 : before(cluster)))
                .map(index -> Setting.ofPlatform(OptionTable.NODE_INDEX, Integer.toString(index), TfCluster.VARIABLE));
    }

    @Override
    public Optional<String> role() {
        return cluster().map(TfCluster::type);
    }

    @Override
    public List<Host> hosts() {
        Optional<TfCluster> cluster = cluster().filter(TfCluster::isWhole);
        if (cluster.isEmpty()) {
            return List.of();
        }
        return rolesAreKnown()
                ? named(cluster.get().of(cluster.get().type()).values())
                : named(trainers(cluster.get()));
    }

    @Override
    public Map<String, List<Host>> hostsByRole() {
        Map<String, List<Host>> byRole = new TreeMap<>();
        if (rolesAreKnown()) {
            cluster()
                    .filter(TfCluster::isWhole)
                    .ifPresent(cluster ->
                            cluster.hosts().forEach((type, hosts) -> byRole.put(type, named(hosts.values()))));
        }
        return byRole;
    }

    /** The hosts of chief and workers. */
    private static List<String> trainers(TfCluster cluster) {
        List<String> hosts = new ArrayList<>();
        TfCluster.CHIEFS.forEach(chief -> hosts.addAll(cluster.of(chief).values()));
        hosts.addAll(cluster.of(TfCluster.WORKER).values());
        return hosts;
    }

    /** How many nodes come before the first of this container's type. */
    private static int before(TfCluster cluster) {
        int before = 0;
        for (String chief : TfCluster.CHIEFS) {
            before += isChief(cluster.type()) ? 0 : cluster.of(chief).size();
        }
        return before;
    }

    private static boolean isChief(String type) {
        return TfCluster.CHIEFS.contains(type);
    }

    private static List<Host> named(Collection<String> names) {
        return names.stream().map(name -> new Host(name, Optional.empty())).toList();
    }

    /** Whether the engine gives ps and workers containers of their own; where there is no engine, the platform's view counts. */
    private boolean rolesAreKnown() {
        return evidence.engine().isEmpty() || evidence.engineKnowsRole(TfCluster.PS);
    }

    private Optional<TfCluster> cluster() {
        return TfCluster.content(evidence).map(TfCluster::read);
    }
}
