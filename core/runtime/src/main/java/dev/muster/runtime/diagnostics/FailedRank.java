package dev.muster.runtime.diagnostics;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The rank of which a process that started several says that it failed first.
 *
 * @param local its rank on the node, where that was said
 * @param code its exit code, or the negative number of the signal that ended it, where that was said
 */
public record FailedRank(int rank, OptionalInt local, OptionalInt code, OptionalLong pid) {}
