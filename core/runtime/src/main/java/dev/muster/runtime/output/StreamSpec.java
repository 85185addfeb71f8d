package dev.muster.runtime.output;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What to do with the output of one process.
 *
 * @param id the process's id in the plan
 * @param name how messages call the process, for example {@code rank 3}
 * @param rank the process's rank; empty: it is not a rank
 * @param prefix put before each of its lines on the console; may be empty
 * @param logFile receives the output byte for byte; empty: only the console shows it
 * @param kept how many of the last bytes are kept in memory
 */
public record StreamSpec(String id, String name, OptionalInt rank, String prefix, Optional<Path> logFile, int kept) {

    /** The id of a rank that a process of the plan starts. */
    public static String idOfRank(int rank) {
        return "rank-" + rank;
    }

    /** Enough output to tell why a rank failed. A thousand ranks still fit into a small heap. */
    public static final int USUALLY_KEPT = 16 * 1024;
}
