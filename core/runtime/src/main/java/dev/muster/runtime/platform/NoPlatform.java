package dev.muster.runtime.platform;

import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Optional;

/** A bare server: only options tell anything. */
final class NoPlatform implements Platform {

    static final KnownPlatform KNOWN = new KnownPlatform(
            PlatformContract.NONE.name(), "none: a bare server", List.of(), evidence -> new NoPlatform());

    @Override
    public PlatformContract contract() {
        return PlatformContract.NONE;
    }

    @Override
    public Optional<String> sign() {
        return Optional.of("no variable of a platform is set");
    }
}
