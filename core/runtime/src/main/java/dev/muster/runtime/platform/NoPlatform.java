package dev.muster.runtime.platform;

import java.util.Optional;

/** A bare server: only options tell anything. */
final class NoPlatform extends PlatformReader {

    static final String NOTHING = "no variable of a platform is set";

    NoPlatform(EvidenceReader evidence) {
        super(evidence);
    }

    @Override
    Optional<String> sign() {
        return Optional.of(NOTHING);
    }

    /** The user may name hosts inside a step of Slurm. MPI must not start processes by Slurm then, either. */
    @Override
    void readAll() {
        refusal(() -> TorchJob.refusalOfRange(evidence));
        Slurm.resourceManager(evidence).ifPresent(manager -> setContract(none -> none.withResourceManager(manager)));
    }
}
