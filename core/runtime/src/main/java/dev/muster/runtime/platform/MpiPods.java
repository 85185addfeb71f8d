package dev.muster.runtime.platform;

import dev.muster.runtime.config.SafeName;
import dev.muster.spi.Host;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What Kubeflow's operators tell the pods of MPI jobs: the launcher by a hostfile, the others by nothing but keys. */
final class MpiPods {

    /** Where both operators mount the list of the hosts. */
    private static final String PLACE = "/etc/mpi/hostfile";

    /** By which it is told to Open MPI, Intel MPI and MPICH. */
    private static final List<String> VARIABLES =
            List.of("OMPI_MCA_orte_default_hostfile", "I_MPI_HYDRA_HOST_FILE", "HYDRA_HOST_FILE");

    /** The keys of Trainer's runtimes for MPI are this account's. */
    private static final String KEYS_OF_TRAINER = "/home/mpiuser/.ssh/authorized_keys";

    private static final String NODE_OF_TRAINER = "node-0";
    private static final String COMMENT = "#";

    private final EvidenceReader evidence;

    MpiPods(EvidenceReader evidence) {
        this.evidence = evidence;
    }

    /** Whether this is a pod of a runtime for MPI of Trainer v2. */
    static boolean areOfTrainer(EvidenceReader evidence) {
        return evidence.isSet(IndexedJob.INDEX)
                && (new MpiPods(evidence).variable().isPresent() || isNodeOfTrainer(evidence));
    }

    private static boolean isNodeOfTrainer(EvidenceReader evidence) {
        return NumberedName.of(NumberedName.label(evidence.facts().machine().hostName()))
                        .flatMap(name -> name.before(NODE_OF_TRAINER))
                        .isPresent()
                && evidence.facts().exists(KEYS_OF_TRAINER);
    }

    /** The variable that says where the hosts are listed; where no other tells of the operators, it names their place. */
    Optional<String> variable() {
        boolean isTold = evidence.isSet(MpiJob.ROLE);
        return VARIABLES.stream()
                .filter(name -> evidence.value(name)
                        .filter(path -> path.equals(PLACE) || (isTold && path.startsWith("/")))
                        .isPresent())
                .findFirst();
    }

    /** The hosts on which ranks run, in order; none where the list is not there or cannot be read: the engine says why. */
    List<Host> hosts() {
        Optional<String> text = variable().flatMap(evidence::value).flatMap(evidence.facts()::text);
        Set<String> names = new LinkedHashSet<>();
        for (String line : text.orElse("").split("\n", -1)) {
            String content = line.contains(COMMENT) ? line.substring(0, line.indexOf(COMMENT)) : line;
            if (!content.isBlank()) {
                names.add(content.strip().split("[\\s:]", 2)[0]);
            }
        }
        return names.stream().allMatch(SafeName::matches) ? EvidenceReader.hosts(names) : List.of();
    }

    /** Which of them this pod is: a launcher that works too is one of them; 0 where it is none. */
    int ownIndex() {
        String own = NumberedName.label(evidence.facts().machine().hostName());
        List<String> names =
                hosts().stream().map(host -> NumberedName.label(host.name())).toList();
        return Math.max(0, names.indexOf(own));
    }

    /** The job, by the domain of the hosts: {@code JOB-worker-0.JOB.NAMESPACE.svc}. */
    Optional<String> job() {
        return hosts().stream()
                .map(Host::name)
                .filter(name -> name.indexOf('.') > 0)
                .map(name -> NumberedName.label(name.substring(name.indexOf('.') + 1)))
                .filter(SafeName::matches)
                .findFirst();
    }
}
