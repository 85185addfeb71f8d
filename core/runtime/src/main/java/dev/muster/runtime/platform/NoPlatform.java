package dev.muster.runtime.platform;

import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/** A bare server: only options tell anything. */
final class NoPlatform {

    static final KnownPlatform KNOWN =
            new KnownPlatform(PlatformContract.NONE.name(), "none: a bare server", List.of(), NoPlatform::read);

    private NoPlatform() {}

    private static PlatformFacts read(Evidence evidence) {
        return PlatformFacts.on(evidence, contract(evidence), Optional.of("no variable of a platform is set"))
                .build();
    }

    /** Hosts that are given by hand inside a step of Slurm's are not Slurm's business either. */
    private static PlatformContract contract(Evidence evidence) {
        return Slurm.resourceManager(evidence)
                .map(manager -> PlatformContract.named(PlatformContract.NONE.name())
                        .resourceManager(manager)
                        .build())
                .orElse(PlatformContract.NONE);
    }
}
