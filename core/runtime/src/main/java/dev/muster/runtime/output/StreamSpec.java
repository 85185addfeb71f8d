package dev.muster.runtime.output;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * What becomes of the output of one process.
 *
 * @param id the process's id in the plan
 * @param name how messages call the process, for example {@code rank 3}
 * @param prefix put before each of its lines on the console; may be empty
 * @param logFile receives the output byte for byte; empty: the console alone shows it
 * @param kept how many of the last bytes are kept in memory
 * @param ranks how ranks are taken apart that print through it
 */
public record StreamSpec(
        String id, String name, String prefix, Optional<Path> logFile, int kept, Optional<RankStreams> ranks) {

    /**
     * The output of several ranks.
     *
     * @param tag stands before each piece of a rank's output: a regular expression with a group {@code rank}
     * @param stream what becomes of the output of a rank
     */
    public record RankStreams(String tag, IntFunction<StreamSpec> stream) {}

    /** Of a rank that a process of the plan starts. */
    public static String idOfRank(int rank) {
        return "rank-" + rank;
    }

    /** Of a process that prints for itself. */
    public StreamSpec(String id, String name, String prefix, Optional<Path> logFile, int kept) {
        this(id, name, prefix, logFile, kept, Optional.empty());
    }

    /** Enough of one rank's output to tell why it failed, and a thousand ranks fit into a small heap. */
    public static final int USUALLY_KEPT = 16 * 1024;
}
