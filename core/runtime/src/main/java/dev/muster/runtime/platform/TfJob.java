package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A replica of a TFJob of Kubeflow's training-operator. The operator tells each replica its place by {@code TF_CONFIG}. In a job of one
 * replica this variable is missing.
 */
final class TfJob extends PlatformReader {

    /** Services are called {@code JOB-TYPE-I}; with the namespace they are hosts. */
    private static final Pattern SERVICE =
            Pattern.compile("([^.]+)-(?:chief|master|worker|ps|evaluator)-[0-9]{1,6}(?:\\..*)?");

    /** Whether the engine has separate containers for ps and workers. True without an engine: then the platform's view counts. */
    private final boolean rolesAreKnown;

    TfJob(EvidenceReader evidence) {
        super(evidence);
        this.rolesAreKnown = evidence.source().engine().isEmpty() || evidence.engineKnowsRole(PS);
    }

    /** Volcano's tensorflow plugin sets the variable, too. Its jobs are known by the variables of the svc plugin. */
    @Override
    Optional<String> sign() {
        Optional<Map<String, Object>> content = TfCluster.peek(evidence);
        if (content.isPresent() && !TfCluster.isThere(content.get())) {
            return Optional.empty();
        }
        if (content.isPresent() && "cloud".equals(content.get().get("environment"))) {
            return Optional.of("set: " + TfCluster.VARIABLE + " with \"environment\":\"cloud\"");
        }
        return evidence.isSet(TfCluster.VARIABLE)
                        && Kubernetes.isPod(evidence)
                        && VolcanoJob.sign(evidence).isEmpty()
                ? Optional.of("set: " + TfCluster.VARIABLE + ", " + Kubernetes.API)
                : Optional.empty();
    }

    @Override
    void readAll() {
        refusal(() -> TfCluster.of(evidence).filter(any -> !rolesAreKnown).flatMap(this::refusal));
        option(OptionTable.JOB_ID, this::jobId);
        if (!evidence.isSet(TfCluster.VARIABLE)) {
            // If the user names this platform and there is no variable, the job has one replica.
            option(OptionTable.NODES, () -> Optional.of(new OptionValue("1", "no " + TfCluster.VARIABLE)));
        } else if (rolesAreKnown) {
            TfCluster.addTo(this);
        } else {
            option(
                    OptionTable.NODES,
                    () -> trainers().isEmpty()
                            ? Optional.empty()
                            : ofNumber(trainers().size()));
            option(OptionTable.NODE_INDEX, this::index);
            role(() -> TfCluster.of(evidence).map(TfCluster::type));
            hosts(this::trainers);
        }
    }

    private static Optional<OptionValue> ofNumber(int number) {
        return Optional.of(EvidenceReader.sourced(number, TfCluster.VARIABLE));
    }

    private Optional<String> refusal(TfCluster found) {
        String engine = evidence.engineName();
        if (!found.isWhole()) {
            return Optional.of("the workers of this TFJob may come and go (enableDynamicWorker), so "
                    + TfCluster.VARIABLE
                    + " names only some of the job's nodes, and " + engine + " must know all. Leave enableDynamicWorker"
                    + " out, or give --nodes N --node-index I --hosts A,B,...");
        }
        if (!found.of(PS).isEmpty()) {
            return Optional.of("this TFJob has ps (" + TfCluster.VARIABLE + "), and " + engine
                    + " knows no roles: every container would train. Use --engine tensorflow-ps, leave the ps out, or"
                    + " use a PyTorchJob; --nodes N --node-index I --hosts A,B,... says which containers are nodes");
        }
        return found.type().equals(EVALUATOR)
                ? Optional.of("this container is the evaluator of a TFJob (" + TfCluster.VARIABLE + "), and " + engine
                        + " knows no roles: it is none of its nodes. Use --engine tensorflow-ps, or leave the"
                        + " evaluator out")
                : Optional.empty();
    }

    private Optional<OptionValue> jobId() {
        Optional<TfCluster> found = TfCluster.of(evidence);
        return found.isEmpty()
                ? Kubernetes.job(job(evidence.hostName()))
                : found.get().hosts().values().stream()
                        .flatMap(ofType -> ofType.values().stream())
                        .flatMap(host -> job(host.name()).stream())
                        .findFirst()
                        .map(job -> new OptionValue(job, TfCluster.VARIABLE));
    }

    private static Optional<String> job(String host) {
        Matcher matcher = SERVICE.matcher(host);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** The index among the replicas that train, the chief first. */
    private Optional<OptionValue> index() {
        TfCluster found = TfCluster.of(evidence).orElseThrow();
        if (TfCluster.CHIEFS.contains(found.type())) {
            return ofNumber(found.index());
        }
        int chiefs = TfCluster.CHIEFS.stream()
                .mapToInt(chief -> found.of(chief).size())
                .sum();
        return WORKER.equals(found.type()) ? ofNumber(chiefs + found.index()) : Optional.empty();
    }

    /** Chief and workers; none where workers come and go. */
    private List<Host> trainers() {
        TfCluster found = TfCluster.of(evidence).orElseThrow();
        List<Host> hosts = new ArrayList<>();
        TfCluster.CHIEFS.forEach(chief -> hosts.addAll(found.of(chief).values()));
        hosts.addAll(found.of(WORKER).values());
        return found.isWhole() ? hosts : List.of();
    }
}
