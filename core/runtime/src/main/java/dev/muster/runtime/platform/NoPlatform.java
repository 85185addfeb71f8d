package dev.muster.runtime.platform;

import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/** A bare server: only options tell anything. */
final class NoPlatform extends PlatformReader {

    static final String NOTHING = "no variable of a platform is set";

    public static final class Provider extends KnownPlatform {
        public Provider() {
            super(PlatformContract.NONE.name(), "none: a bare server", List.of(), NoPlatform::new);
        }
    }

    private NoPlatform(EvidenceReader evidence) {
        super(evidence, PlatformContract.NONE);
    }

    @Override
    Optional<String> sign() {
        return Optional.of(NOTHING);
    }

    /** Hosts that are given by hand inside a step of Slurm's are not Slurm's business either. */
    @Override
    void tell() {
        refusal(() -> TorchJob.refusalOfRange(evidence));
        Slurm.resourceManager(evidence)
                .ifPresent(manager -> promise(PlatformContract.NONE.withResourceManager(manager)));
    }
}
