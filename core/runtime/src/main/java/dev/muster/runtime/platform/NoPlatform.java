package dev.muster.runtime.platform;

import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/** A bare server: only options tell anything. */
final class NoPlatform implements Platform {

    static final KnownPlatform KNOWN =
            new KnownPlatform(PlatformContract.NONE.name(), "none: a bare server", List.of(), NoPlatform::new);

    private final Evidence evidence;

    private NoPlatform(Evidence evidence) {
        this.evidence = evidence;
    }

    @Override
    public PlatformContract contract() {
        // Hosts that are given by hand inside a step of Slurm's are not Slurm's business either.
        return Slurm.resourceManager(evidence)
                .map(manager -> PlatformContract.named(PlatformContract.NONE.name())
                        .resourceManager(manager)
                        .build())
                .orElse(PlatformContract.NONE);
    }

    @Override
    public Optional<String> sign() {
        return Optional.of("no variable of a platform is set");
    }
}
