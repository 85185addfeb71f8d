package dev.muster.spi;

import java.util.Map;
import java.util.Optional;

/**
 * What a platform promises to its jobs, in words that no engine needs to know the platform for.
 *
 * @param name for messages, for example {@code modelarts}; {@code none} when there is no platform
 * @param rendezvousPort the TCP port on which the platform lets the first node of a job meet the others, if it has one
 * @param files the files that this platform writes into a job's containers
 * @since 0.1
 */
public record PlatformContract(String name, Optional<Integer> rendezvousPort, Map<WellKnownFile, String> files) {

    /** The kinds of file that platforms write for jobs. */
    public enum WellKnownFile {
        /** The rank table of the job, as JSON. */
        RANK_TABLE
    }

    /** No platform: a bare server. */
    public static final PlatformContract NONE = new PlatformContract("none", Optional.empty(), Map.of());

    public PlatformContract {
        files = Map.copyOf(files);
    }

    /** Where the platform writes a file of this kind, if it does. */
    public Optional<String> file(WellKnownFile kind) {
        return Optional.ofNullable(files.get(kind));
    }
}
