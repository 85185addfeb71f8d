package dev.muster.runtime.diagnostics;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The rank that failed first, as reported by the process that started it.
 *
 * @param local its rank on the node, if reported
 * @param code its exit code, or the negative number of the signal that ended it, if reported
 * @param otherHost where it ran, if reported and not this node
 */
public record FailedRank(int rank, OptionalInt local, OptionalInt code, OptionalLong pid, Optional<String> otherHost) {

    public FailedRank(int rank, OptionalInt local, OptionalInt code, OptionalLong pid) {
        this(rank, local, code, pid, Optional.empty());
    }

    /** The same with the host where it ran. */
    public FailedRank on(Optional<String> host) {
        return new FailedRank(rank, local, code, pid, host);
    }
}
