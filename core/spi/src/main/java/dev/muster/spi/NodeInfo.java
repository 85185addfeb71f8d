package dev.muster.spi;

import java.util.List;
import java.util.Optional;

/**
 * Facts of the machine that the launcher runs on.
 *
 * @param hostName the machine's own host name
 * @param addresses the IP addresses of its interfaces, loopback ones last, in a stable order
 * @param uid the numeric user id the launcher runs as
 * @param home the user's home directory, if the user has one
 * @param usableCores the processors that this launcher may use (affinity and CPU quota), at least 1
 * @since 0.1
 */
@Stability(stable = true)
public record NodeInfo(String hostName, List<String> addresses, int uid, Optional<String> home, int usableCores) {

    public NodeInfo {
        addresses = List.copyOf(addresses);
    }
}
