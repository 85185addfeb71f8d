package dev.muster.runtime.diagnostics;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The rank of which a process that started several says that it failed first.
 *
 * @param local its rank on the node, where that was said
 * @param code its exit code, or the negative number of the signal that ended it, where that was said
 * @param otherHost where it ran, if that was said and was not this node
 */
public record FailedRank(int rank, OptionalInt local, OptionalInt code, OptionalLong pid, Optional<String> otherHost) {

    public FailedRank(int rank, OptionalInt local, OptionalInt code, OptionalLong pid) {
        this(rank, local, code, pid, Optional.empty());
    }

    /** The same with the place where it ran. */
    public FailedRank on(Optional<String> host) {
        return new FailedRank(rank, local, code, pid, host);
    }
}
