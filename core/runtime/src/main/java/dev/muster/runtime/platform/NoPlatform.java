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

    /** Hosts that are given by hand inside a step of Slurm's are not Slurm's business either. */
    @Override
    void tell() {
        refusal(() -> TorchJob.refusalOfRange(evidence));
        Slurm.resourceManager(evidence).ifPresent(manager -> promise(none -> none.withResourceManager(manager)));
    }
}
