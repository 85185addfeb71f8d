package dev.muster.runtime.platform;

import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A pod of a TrainJob of Kubeflow Trainer v2 with the runtime for PyTorch. It is a pod of a JobSet, whose variables speak to
 * torchrun.
 */
final class Trainer extends TorchJob {

    private static final String NODE = "node";

    /** Pod names end in the name of the only Job for nodes, and a number. Older versions had another name for this Job. */
    private static final String[] JOBS = {"trainer-node-0", "node-0"};

    Trainer(EvidenceReader evidence) {
        super(evidence, JOBS);
    }

    @Override
    String kind() {
        return "TrainJob";
    }

    @Override
    Optional<String> role() {
        return Optional.of(NODE);
    }

    @Override
    Optional<String> sign() {
        List<String> seen = new ArrayList<>(seen(INDEX, NODES).toList());
        if (seen.isEmpty() || !evidence.isSet(IndexedJob.INDEX)) {
            return Optional.empty();
        }
        seen.add(IndexedJob.INDEX);
        return set(seen);
    }

    @Override
    void readAll() {
        super.readAll();
        startCounts(List.of(IndexedJob.RESTARTS));
    }

    /** Pods are called {@code JOB-node-0-I.JOB}. */
    @Override
    Optional<NumberedName> first() {
        return NumberedName.first(masterAddress(), JOBS);
    }

    @Override
    Optional<OptionValue> index() {
        return super.index().or(() -> evidence.index(IndexedJob.INDEX));
    }

    /** Other pods have node 0's name with another number. If this pod's own name does not fit, no hosts are told. */
    @Override
    List<Host> hosts() {
        int count = count();
        List<Host> hosts = first().map(name -> name.first(count)).orElse(List.of());
        return own.isEmpty() || Kubernetes.hasPodAt(evidence, hosts, index()) ? hosts : List.of();
    }
}
