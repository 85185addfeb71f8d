package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/**
 * A pod of an MPI job of Kubeflow: of an MPIJob of its mpi-operator, or of a TrainJob with a runtime for MPI. The operator runs
 * sshd in the workers and writes a hostfile for the launcher, which alone runs the command.
 */
final class MpiJob extends PlatformReader {

    private static final String NAME = "mpijob";
    private static final String NAME_OF_TRAINER = "trainer";
    static final String ROLE = "K_MPI_JOB_ROLE";
    private static final String LAUNCHER = "launcher";
    private static final String WORKER = "worker";

    public static final class Provider extends KnownPlatform {
        public Provider() {
            super(
                    NAME,
                    "Kubeflow MPIJob (mpi-operator)",
                    List.of("K_MPI_*", "OMPI_MCA_orte_default_hostfile", "I_MPI_HYDRA_HOST_FILE", "HYDRA_HOST_FILE"),
                    evidence -> new MpiJob(evidence, false));
        }
    }

    private final MpiPods pods;
    private final boolean isOfTrainer;

    private MpiJob(EvidenceReader evidence, boolean isOfTrainer) {
        super(
                evidence,
                PlatformContract.named(isOfTrainer ? NAME_OF_TRAINER : NAME)
                        .withLocalVariables(List.of(ROLE, IndexedJob.INDEX)));
        this.isOfTrainer = isOfTrainer;
        this.pods = new MpiPods(evidence);
    }

    static PlatformReader ofTrainer(EvidenceReader evidence) {
        return new MpiJob(evidence, true);
    }

    private Optional<OptionValue> nodes() {
        int count = pods.hosts().size();
        return pods.variable().filter(any -> count > 0).map(variable -> EvidenceReader.told(count, variable));
    }

    /** The first operator had no variable for the role; its launcher has the hostfile. */
    @Override
    Optional<String> sign() {
        if (isOfTrainer) {
            return Optional.of("set: " + IndexedJob.INDEX + ", with "
                    + pods.variable().orElse("keys for MPI and the host name of a node"));
        }
        boolean isFirst = Kubernetes.isAround(evidence) && !evidence.isSet(IndexedJob.INDEX);
        return evidence.isSet(ROLE)
                ? Optional.of("set: " + ROLE)
                : pods.variable().filter(variable -> isFirst).map(variable -> "set: " + variable);
    }

    @Override
    void tell() {
        refusal(this::refusal);
        option(OptionTable.JOB_ID, this::jobId);
        option(OptionTable.NODES, this::nodes);
        // A launcher that is none of the hosts stands in for the first: nobody else is asked.
        option(
                OptionTable.NODE_INDEX,
                () -> nodes().map(nodes -> EvidenceReader.told(pods.ownIndex(), nodes.origin())));
        role(() -> Optional.of(isLauncher() ? LAUNCHER : isOfTrainer ? "node" : WORKER));
        hosts(pods::hosts);
        // The workers serve ssh; where they are listed is told in a variable of MPI itself.
        option("sshd", () -> Optional.of(new OptionValue("none", roleOrigin())));
    }

    private Optional<String> refusal() {
        String kind = isOfTrainer ? "a TrainJob for MPI" : "an MPIJob";
        if (!isLauncher()) {
            return Optional.of("this is a worker of " + kind + " (" + roleOrigin()
                    + "): it serves ssh, and its ranks are started by the launcher. Give Muster to the launcher as its"
                    + " command, and leave the workers theirs, sshd");
        }
        return evidence.facts().engine().isEmpty() || evidence.engineLogsIn()
                ? Optional.empty()
                : Optional.of(kind + " (" + roleOrigin() + ") starts its command in the launcher alone, and "
                        + evidence.engineName()
                        + " boots a job from all its nodes. Use --engine mpi here, or a PyTorchJob, a TFJob or a"
                        + " Volcano job for this engine; --platform none boots the launcher alone");
    }

    /** The launcher is called {@code JOB-launcher}, a worker {@code JOB-worker-I}, and all are in the domain {@code JOB}. */
    private Optional<OptionValue> jobId() {
        Optional<String> ofHosts = pods.job();
        if (ofHosts.isPresent()) {
            return ofHosts.map(job -> new OptionValue(job, pods.variable().orElse(ROLE)));
        }
        String own = NumberedName.label(evidence.facts().machine().hostName());
        String end = "-" + LAUNCHER;
        return Kubernetes.job(
                own.endsWith(end) && own.length() > end.length()
                        ? Optional.of(own.substring(0, own.length() - end.length()))
                        : NumberedName.of(own).flatMap(found -> found.before(WORKER)));
    }

    private boolean isLauncher() {
        Optional<String> role = evidence.value(ROLE);
        if (role.isEmpty()) {
            return pods.variable().isPresent();
        }
        if (!role.get().equals(LAUNCHER) && !role.get().equals(WORKER)) {
            throw MusterException.configuration(
                    ROLE + ": " + Printable.quote(role.get()) + " is neither " + LAUNCHER + " nor " + WORKER);
        }
        return role.get().equals(LAUNCHER);
    }

    private String roleOrigin() {
        return evidence.isSet(ROLE) ? ROLE : pods.variable().orElse(IndexedJob.INDEX);
    }
}
