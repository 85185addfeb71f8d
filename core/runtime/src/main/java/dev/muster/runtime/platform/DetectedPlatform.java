package dev.muster.runtime.platform;

import dev.muster.spi.PlatformContract;

/**
 * The platform that we are on.
 *
 * @param why how we know, for the plan: variables that are set, or an option
 */
public record DetectedPlatform(PlatformContract contract, String why) {

    public String name() {
        return contract.name();
    }
}
