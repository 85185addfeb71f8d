package dev.muster.runtime.platform;

import java.util.List;
import java.util.Optional;

/**
 * A container of a Volcano job. Each plugin of Volcano tells its part: svc the hosts, env the index, and the framework plugins the
 * variables of PyTorch and TensorFlow.
 */
final class Volcano extends VolcanoJob {

    /** The variables of the pytorch plugin. torchrun and Kubeflow set others besides these. */
    private static final List<String> OF_PYTORCH =
            List.of(TorchJob.MASTER_ADDR, TorchJob.MASTER_PORT, TorchJob.RANK, TorchJob.WORLD_SIZE);

    Volcano(EvidenceReader evidence) {
        super(evidence);
    }

    @Override
    Optional<String> sign() {
        return sign(evidence);
    }

    /** For an engine with ps, the variable of Volcano's tensorflow plugin tells more. */
    @Override
    boolean isByVolcano() {
        return !(evidence.isSet(TfCluster.VARIABLE) && evidence.engineKnowsRole(PS));
    }

    @Override
    void readAll() {
        super.readAll();
        if (!isByVolcano()) {
            TfCluster.addTo(this);
        }
        boolean isOfPyTorch = OF_PYTORCH.stream().allMatch(evidence::isSet)
                && !evidence.isSet(TorchJob.NODES)
                && !evidence.isOfARank();
        if (isOfPyTorch) {
            TorchJob.addMasterOptions(this);
        }
    }
}
