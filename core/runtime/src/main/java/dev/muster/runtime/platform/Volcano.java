package dev.muster.runtime.platform;

import java.util.List;
import java.util.Optional;

/**
 * A container of a Volcano job. Its plugins tell what they are there for: svc the hosts, env the index, and those for frameworks the
 * variables of PyTorch and TensorFlow.
 */
final class Volcano extends VolcanoJob {

    /** All of them are the pytorch plugin's; torchrun's and Kubeflow's come with others. */
    private static final List<String> OF_PYTORCH =
            List.of(TorchJob.MASTER_ADDR, TorchJob.MASTER_PORT, TorchJob.RANK, TorchJob.WORLD_SIZE);

    Volcano(EvidenceReader evidence) {
        super(evidence);
    }

    @Override
    Optional<String> sign() {
        return sign(evidence);
    }

    /** Its tensorflow plugin tells every container more. */
    @Override
    boolean isByVolcano() {
        return !(evidence.isSet(TfCluster.VARIABLE) && evidence.engineKnowsRole(PS));
    }

    @Override
    void tell() {
        super.tell();
        if (!isByVolcano()) {
            TfCluster.tell(this);
        }
        boolean isOfPyTorch = OF_PYTORCH.stream().allMatch(evidence::isSet)
                && !evidence.isSet(TorchJob.NODES)
                && !evidence.isOfARank();
        if (isOfPyTorch) {
            TorchJob.tellOfMaster(this);
        }
    }
}
