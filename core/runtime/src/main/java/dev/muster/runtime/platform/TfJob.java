package dev.muster.runtime.platform;

import dev.muster.runtime.json.JsonReading;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
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
final class TfJob {

    private static final String NAME = "tfjob";

    static final KnownPlatform KNOWN =
            new KnownPlatform(NAME, "Kubeflow TFJob (training-operator)", List.of(TfCluster.VARIABLE), TfJob::read);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .variables(TfCluster.VARIABLE)
            .localVariables(List.of(TfCluster.VARIABLE))
            .advice(new PlatformContract.Advice(List.of(TfCluster.VARIABLE), Optional.empty(), Optional.empty()))
            .build();

    /** Services are called {@code JOB-TYPE-I}; with the namespace they are hosts. */
    private static final Pattern SERVICE =
            Pattern.compile("([^.]+)-(?:chief|master|worker|ps|evaluator)-[0-9]{1,6}(?:\\..*)?");

    private final Evidence evidence;

    /** Empty: the variable is not set. */
    private final Answer<TfCluster> cluster;

    /** Whether the engine gives ps and workers containers of their own; where there is no engine, the platform's view counts. */
    private final boolean rolesAreKnown;

    private TfJob(Evidence evidence) {
        this.evidence = evidence;
        this.cluster = Answer.of(() -> TfCluster.content(evidence).map(TfCluster::read));
        this.rolesAreKnown = evidence.engine().isEmpty() || evidence.engineKnowsRole(TfCluster.PS);
    }

    private static PlatformFacts read(Evidence evidence) {
        return new TfJob(evidence).facts();
    }

    private PlatformFacts facts() {
        return PlatformFacts.on(evidence, CONTRACT, sign())
                .refusal(() -> cluster.get().filter(any -> !rolesAreKnown).flatMap(this::refusal))
                .jobId(this::jobId)
                .nodes(this::nodes)
                .index(() -> cluster.get().flatMap(this::index))
                .role(() -> cluster.get().map(TfCluster::type))
                .hosts(() -> cluster.get()
                        .filter(TfCluster::isWhole)
                        .map(this::hosts)
                        .orElse(List.of()))
                .hostsByRole(() -> cluster.get()
                        .filter(found -> rolesAreKnown && found.isWhole())
                        .map(TfJob::hostsByRole)
                        .orElse(Map.of()))
                .build();
    }

    /** Volcano's tensorflow plugin sets the variable, too, and its svc plugin those by which it is known. */
    private Optional<String> sign() {
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
        return evidence.isSet(TfCluster.VARIABLE)
                        && evidence.isSet(Kubernetes.API)
                        && new VolcanoJob(evidence).sign().isEmpty()
                ? Optional.of("set: " + TfCluster.VARIABLE + ", " + Kubernetes.API)
                : Optional.empty();
    }

    private Optional<String> refusal(TfCluster found) {
        String engine = evidence.engineName();
        if (!found.isWhole()) {
            return Optional.of("the workers of this TFJob may come and go (enableDynamicWorker), so "
                    + TfCluster.VARIABLE
                    + " names only some of the job's nodes, and " + engine + " must know all. Leave enableDynamicWorker"
                    + " out, or give --nodes N --node-index I --hosts A,B,...");
        }
        if (!found.of(TfCluster.PS).isEmpty()) {
            return Optional.of("this TFJob has ps (" + TfCluster.VARIABLE + "), and " + engine
                    + " knows no roles: every container would train. Use --engine tensorflow-ps, leave the ps out, or use a"
                    + " PyTorchJob; --nodes N --node-index I --hosts A,B,... says which containers are nodes");
        }
        return found.type().equals(TfCluster.EVALUATOR)
                ? Optional.of(
                        "this container is the evaluator of a TFJob (" + TfCluster.VARIABLE + "), and " + engine
                                + " knows no roles: it is none of its nodes. Use --engine tensorflow-ps, or leave the evaluator out")
                : Optional.empty();
    }

    private Optional<OptionValue> jobId() {
        Optional<TfCluster> found = cluster.get();
        if (found.isEmpty()) {
            return Kubernetes.job(job(evidence.machine().hostName()));
        }
        return found.get().hosts().values().stream()
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
    private Optional<OptionValue> nodes() {
        Optional<TfCluster> found = cluster.get();
        return found.isEmpty()
                ? Optional.of(new OptionValue("1", "no " + TfCluster.VARIABLE))
                : found.filter(TfCluster::isWhole)
                        .map(whole -> rolesAreKnown
                                ? containers(whole)
                                : trainers(whole).size())
                        .map(count -> new OptionValue(Integer.toString(count), TfCluster.VARIABLE));
    }

    private static int containers(TfCluster cluster) {
        int named = cluster.hosts().values().stream().mapToInt(Map::size).sum();
        boolean isBeside = cluster.of(cluster.type()).isEmpty();
        return isBeside ? named + 1 : named;
    }

    /** Within its type where the engine knows types; else among those that train, the chief first. */
    private Optional<OptionValue> index(TfCluster found) {
        boolean isTrainer = TfCluster.WORKER.equals(found.type()) || isChief(found.type());
        int index = found.index() + (rolesAreKnown ? 0 : before(found));
        return rolesAreKnown || isTrainer
                ? Optional.of(new OptionValue(Integer.toString(index), TfCluster.VARIABLE))
                : Optional.empty();
    }

    private List<Host> hosts(TfCluster found) {
        return Variables.hosts(rolesAreKnown ? found.of(found.type()).values() : trainers(found));
    }

    private static Map<String, List<Host>> hostsByRole(TfCluster found) {
        Map<String, List<Host>> byRole = new TreeMap<>();
        found.hosts().forEach((type, hosts) -> byRole.put(type, Variables.hosts(hosts.values())));
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
}
