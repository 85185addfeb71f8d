package dev.muster.spi;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A node's name and address.
 *
 * @param name as the platform gives it, usually a DNS name
 * @param address an IP address, if it is known without a name lookup
 * @param port where this node's process listens, if the platform decides that
 * @since 0.1
 */
@Stability(stable = true)
public record Host(String name, Optional<String> address, OptionalInt port) {

    /** A node on which the engine, not the platform, decides on ports. */
    public static Host of(String name, Optional<String> address) {
        return new Host(name, address, OptionalInt.empty());
    }
}
