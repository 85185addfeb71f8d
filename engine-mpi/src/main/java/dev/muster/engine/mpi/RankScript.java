package dev.muster.engine.mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * The shell script between the launcher of the ranks and every rank. It keeps on the rank's own host where the rank is and how it
 * ended, since mpirun often tells nobody which rank it was that failed.
 *
 * <p>Whoever runs something for a rank sets {@link #PLACE} in its environment: the private directory of that node's launcher,
 * which has the script and takes its notes. Where it is not set the rank runs without.
 */
final class RankScript {

    /** The private directory of the launcher on the rank's host. */
    static final String PLACE = "MUSTER_RANKS";

    private static final String RUN =
            "[ ! -r \"${" + PLACE + "-}/rank.sh\" ] || . \"$" + PLACE + "/rank.sh\"; exec \"$@\"";

    private RankScript() {}

    /** The user's command as mpirun has to start it. */
    static List<String> around(List<String> shell, List<String> command) {
        List<String> words = new ArrayList<>(shell);
        words.addAll(List.of("-c", RUN, "rank"));
        words.addAll(command);
        return words;
    }
}
