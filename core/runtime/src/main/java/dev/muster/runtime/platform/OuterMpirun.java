package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A launcher that an outer mpirun started, one on each node. The mpirun tells the number of nodes and this node's index. Other platforms
 * describe the allocation only, and mpirun decides which nodes run. The ranks may use another MPI, so they get none of the outer mpirun's
 * variables.
 */
final class OuterMpirun extends PlatformReader {

    private static final String NAME = "mpirun";

    /** The variables of one kind of mpirun. The local size tells MPICH's from srun's. */
    private record Names(String size, String rank, String localSize) {}

    private static final List<Names> KINDS = List.of(
            new Names("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"),
            new Names("PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"),
            new Names("MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"));

    /** The addresses of Open MPI 4's mpirun: {@code 1147207680.0;tcp://192.0.2.2,10.0.0.2:43889}. */
    private static final String HEAD = "OMPI_MCA_orte_hnp_uri";

    private static final Pattern ADDRESSES = Pattern.compile("tcp://([0-9.,]+):");
    private static final String NAMESPACE = "PMIX_NAMESPACE";
    private static final int MOST = 1_000_000_000;

    OuterMpirun(EvidenceReader evidence) {
        super(evidence);
    }

    /** Inside a rank of Muster the variables describe that rank, so they are no sign of an outer mpirun. */
    @Override
    Optional<String> sign() {
        return isSingle() || evidence.isOfMuster() ? Optional.empty() : names().map(names -> "set: " + names.size());
    }

    /** Whether mpirun started this launcher alone. That says nothing of the job, and its variables are for this launcher only. */
    boolean isSingle() {
        return !evidence.isOfMuster()
                && names().flatMap(names -> evidence.value(names.size())).equals(Optional.of("1"));
    }

    private Optional<Names> names() {
        return KINDS.stream()
                .filter(names -> evidence.isSet(names.size()) && evidence.isSet(names.localSize()))
                .findFirst();
    }

    @Override
    void readAll() {
        refusal(this::refusal);
        option(
                OptionTable.JOB_ID,
                () -> evidence.value(NAMESPACE)
                        .map(job -> new OptionValue(NAME + "-" + job.replaceAll("[^A-Za-z0-9._-]+", "-"), NAMESPACE)));
        option(
                OptionTable.NODES,
                () -> names().flatMap(names -> evidence.number(names.size(), 1, OptionTable.MOST_NODES)));
        option(OptionTable.NODE_INDEX, () -> names().flatMap(names -> evidence.index(names.rank())));
        option(TorchJob.ADDRESS_OPTION, this::address);
    }

    private Optional<String> refusal() {
        if (names().isEmpty()) {
            return Optional.of("no variable of an mpirun is set");
        }
        Names names = names().get();
        int here = evidence.integer(names.localSize(), 1, MOST).orElse(1);
        return here == 1
                ? Optional.empty()
                : Optional.of(names.localSize() + "=" + here + ": mpirun has started " + here
                        + " launchers on this node, and each would start all processes of the node. Start one on each"
                        + " node: mpirun --map-by ppr:1:node muster ... (MPICH: mpiexec -ppn 1), or give the training"
                        + " command to muster --engine mpi; --platform none boots this node alone");
    }

    /** The address of mpirun's host, which usually is node 0. If it is not, node 0 sees that and leaves the address out. */
    private Optional<OptionValue> address() {
        Matcher head = ADDRESSES.matcher(evidence.value(HEAD).orElse(""));
        List<String> all = head.find() ? List.of(head.group(1).split(",", -1)) : List.of();
        boolean isFirst = names().flatMap(names -> evidence.value(names.rank())).equals(Optional.of("0"));
        boolean isHere = all.stream().anyMatch(evidence.source().machine().addresses()::contains);
        return all.stream().findFirst().filter(any -> !isFirst || isHere).map(first -> new OptionValue(first, HEAD));
    }
}
