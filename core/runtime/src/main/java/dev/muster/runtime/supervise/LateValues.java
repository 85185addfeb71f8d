package dev.muster.runtime.supervise;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is known only when a process starts.
 *
 * @param addresses of the hosts that were seen with an open port, by the names that conditions give them
 * @param exitCode the launcher's, once the outcome is known
 * @param reason of it, in one line
 */
record LateValues(Map<String, String> addresses, OptionalInt exitCode, Optional<String> reason) {

    /** Nothing has happened yet. */
    static final LateValues NONE = new LateValues(Map.of(), OptionalInt.empty(), Optional.empty());

    LateValues {
        addresses = Map.copyOf(addresses);
    }
}
