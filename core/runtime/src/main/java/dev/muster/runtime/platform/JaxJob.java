package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;

/**
 * A pod of a JAXJob of Kubeflow's training operator: each worker has one process. No built-in engine boots JAX. Engines of plugins learn
 * the nodes here, and JAX scripts keep their variables.
 */
final class JaxJob extends PlatformReader {

    private static final String ADDRESS = "COORDINATOR_ADDRESS";
    private static final String COUNT = "NUM_PROCESSES";
    private static final String INDEX = "PROCESS_ID";

    JaxJob(EvidenceReader evidence) {
        super(evidence);
    }

    @Override
    Optional<String> sign() {
        List<String> all = List.of(ADDRESS, COUNT, INDEX);
        return set(all).filter(any -> all.stream().allMatch(evidence::isSet));
    }

    @Override
    void readAll() {
        option(OptionTable.JOB_ID, this::jobId);
        option(OptionTable.NODES, () -> Optional.of(EvidenceReader.sourced(count(), COUNT)));
        option(OptionTable.NODE_INDEX, () -> evidence.index(INDEX));
        role(() -> Optional.of(WORKER));
        hosts(this::hosts);
        // A coordinator whose name is not the operator's is still node 0.
        option(TorchJob.ADDRESS_OPTION, () -> coordinator().isEmpty() ? evidence.host(ADDRESS) : Optional.empty());
    }

    private Optional<OptionValue> jobId() {
        return coordinator()
                .flatMap(name -> name.before(WORKER))
                .map(job -> new OptionValue(job, ADDRESS))
                .or(() -> Kubernetes.podName(evidence).flatMap(name -> Kubernetes.job(name.before(WORKER))));
    }

    private List<Host> hosts() {
        return coordinator()
                .map(name -> name.first(evidence.userNodes().orElseGet(this::count)))
                .orElse(List.of());
    }

    private int count() {
        return evidence.wholeNumber(COUNT, 1, OptionTable.MOST_NODES);
    }

    private Optional<NumberedName> coordinator() {
        return NumberedName.first(evidence.host(ADDRESS), WORKER);
    }
}
