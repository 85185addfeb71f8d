package dev.muster.spi;

import java.util.Optional;

/**
 * A node's name and address.
 *
 * @param name as the platform gives it, usually a DNS name
 * @param address an IP address, where known without asking
 * @since 0.1
 */
@Stability(stable = true)
public record Host(String name, Optional<String> address) {}
