package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/**
 * A pod of an MPI job of Kubeflow: of an MPIJob of its mpi-operator, or of a TrainJob with a runtime for MPI. The operator runs
 * sshd in the workers and writes a hostfile for the launcher pod. Only this pod runs the command.
 */
final class MpiJob extends PlatformReader {

    static final String ROLE = "K_MPI_JOB_ROLE";
    private static final String LAUNCHER = "launcher";

    /** Where both operators mount the list of the hosts. */
    private static final String PLACE = "/etc/mpi/hostfile";

    /** The variables with its path, for Open MPI, Intel MPI and MPICH. */
    private static final List<String> VARIABLES =
            List.of("OMPI_MCA_orte_default_hostfile", "I_MPI_HYDRA_HOST_FILE", "HYDRA_HOST_FILE");

    /** The keys of Trainer's MPI runtimes belong to this account. */
    private static final String KEYS_OF_TRAINER = "/home/mpiuser/.ssh/authorized_keys";

    private static final String NODE_OF_TRAINER = "node-0";

    private final boolean isTrainer;

    MpiJob(EvidenceReader evidence, boolean isTrainer) {
        super(evidence);
        this.isTrainer = isTrainer;
    }

    private Optional<OptionValue> nodes() {
        int count = hosts().size();
        return variable(evidence).filter(any -> count > 0).map(variable -> EvidenceReader.sourced(count, variable));
    }

    /** The first operator sets no role. Its launcher pod is known by the hostfile. */
    @Override
    Optional<String> sign() {
        if (isTrainer) {
            return Optional.of("set: " + IndexedJob.INDEX + ", with "
                    + variable(evidence).orElse("keys for MPI and the host name of a node"));
        }
        boolean isFirst = Kubernetes.isPod(evidence) && !evidence.isSet(IndexedJob.INDEX);
        return evidence.isSet(ROLE)
                ? Optional.of("set: " + ROLE)
                : variable(evidence).filter(variable -> isFirst).map(variable -> "set: " + variable);
    }

    @Override
    void readAll() {
        if (isTrainer) {
            setContract(
                    known -> PlatformContract.named(known.name()).withLocalVariables(List.of(ROLE, IndexedJob.INDEX)));
        }
        refusal(this::refusal);
        option(OptionTable.JOB_ID, this::jobId);
        option(OptionTable.NODES, this::nodes);
        // A launcher pod outside the list counts as node 0: no other pod runs a launcher.
        option(OptionTable.NODE_INDEX, () -> nodes().map(nodes -> EvidenceReader.sourced(ownIndex(), nodes.origin())));
        role(() -> Optional.of(isLauncher() ? LAUNCHER : isTrainer ? "node" : WORKER));
        hosts(this::hosts);
        // The workers run sshd already. A variable of MPI itself names the hostfile.
        option("sshd", () -> Optional.of(new OptionValue("none", roleOrigin())));
    }

    private Optional<String> refusal() {
        String kind = isTrainer ? "a TrainJob for MPI" : "an MPIJob";
        if (!isLauncher()) {
            return Optional.of("this is a worker of " + kind + " (" + roleOrigin()
                    + "): it serves ssh, and its ranks are started by the launcher. Give Muster to the launcher as its"
                    + " command, and leave the workers theirs, sshd");
        }
        return evidence.source().engine().isEmpty() || evidence.engineLogsIn()
                ? Optional.empty()
                : Optional.of(kind + " (" + roleOrigin() + ") starts its command in the launcher alone, and "
                        + evidence.engineName()
                        + " boots a job from all its nodes. Use --engine mpi here, or a PyTorchJob, a TFJob or a"
                        + " Volcano job for this engine; --platform none boots the launcher alone");
    }

    /** The launcher is called {@code JOB-launcher}, a worker {@code JOB-worker-I}, and all are in the domain {@code JOB}. */
    private Optional<OptionValue> jobId() {
        Optional<String> ofHosts = job();
        if (ofHosts.isPresent()) {
            return ofHosts.map(job -> new OptionValue(job, variable(evidence).orElse(ROLE)));
        }
        String own = evidence.ownLabel();
        String end = "-" + LAUNCHER;
        return Kubernetes.job(
                own.endsWith(end) && own.length() > end.length()
                        ? Optional.of(own.substring(0, own.length() - end.length()))
                        : NumberedName.of(own).flatMap(found -> found.before(WORKER)));
    }

    private boolean isLauncher() {
        Optional<String> role = evidence.value(ROLE);
        if (role.isEmpty()) {
            return variable(evidence).isPresent();
        }
        if (!role.get().equals(LAUNCHER) && !role.get().equals(WORKER)) {
            throw MusterException.configuration(
                    ROLE + ": " + Printable.quote(role.get()) + " is neither " + LAUNCHER + " nor " + WORKER);
        }
        return role.get().equals(LAUNCHER);
    }

    private String roleOrigin() {
        return evidence.isSet(ROLE) ? ROLE : variable(evidence).orElse(IndexedJob.INDEX);
    }

    /** Whether this is a pod of a runtime for MPI of Trainer v2. */
    static boolean isTrainerPod(EvidenceReader evidence) {
        return evidence.isSet(IndexedJob.INDEX) && (variable(evidence).isPresent() || isTrainerNode(evidence));
    }

    private static boolean isTrainerNode(EvidenceReader evidence) {
        return NumberedName.of(evidence.ownLabel())
                        .flatMap(name -> name.before(NODE_OF_TRAINER))
                        .isPresent()
                && evidence.source().exists(KEYS_OF_TRAINER);
    }

    /** The variable that names the hostfile. If no role is set, it must name the operators' place. */
    private static Optional<String> variable(EvidenceReader evidence) {
        boolean isTold = evidence.isSet(ROLE);
        return VARIABLES.stream()
                .filter(name -> evidence.value(name)
                        .filter(path -> path.equals(PLACE) || (isTold && path.startsWith("/")))
                        .isPresent())
                .findFirst();
    }

    /** The hosts on which ranks run, in order; none if the list is missing or unreadable: the engine says why. */
    private List<Host> hosts() {
        List<String> names = variable(evidence).stream()
                .flatMap(variable -> HostNames.in(evidence, variable).stream())
                .map(name -> name.split(":", 2)[0])
                .distinct()
                .toList();
        return names.stream().allMatch(SafeName::matches) ? EvidenceReader.hosts(names) : List.of();
    }

    /** Which of them this pod is: a launcher that works too is one of them; 0 where it is none. */
    private int ownIndex() {
        return Math.max(0, evidence.position(hosts()));
    }

    /** The job, by the domain of the hosts: {@code JOB-worker-0.JOB.NAMESPACE.svc}. */
    private Optional<String> job() {
        return hosts().stream()
                .map(Host::name)
                .filter(name -> name.indexOf('.') > 0)
                .map(name -> NumberedName.label(name.substring(name.indexOf('.') + 1)))
                .filter(SafeName::matches)
                .findFirst();
    }
}
