package dev.muster.engine.mpi;

import dev.muster.spi.RankLines;
import java.util.List;

/** The form of the output of mpirun and horovodrun. */
final class FailurePatterns {

    /** The prefixes of Open MPI with {@code --tag-output}, which horovodrun uses; of horovodrun; of Hydra with {@code -l}. */
    private static final List<String> PREFIXES = List.of(
            "\\[(?:[^\\]\\s]*@)?[0-9]+,(?<rank>[0-9]+)\\]<std(?:out|err)>: ?",
            "\\[(?<rank>[0-9]+)\\]<std(?:out|err)>: ?",
            "\\[(?<rank>[0-9]+)\\] ");

    /** Open MPI and Hydra print lines around their own messages; horovodrun ends with an exception. */
    private static final String OWN = "(?ms)^-{60,}$.*?^-{60,}$"
            + "|^=+\n=   BAD TERMINATION.*?^=+$"
            + "|^(?:Process [0-9]+ exit with status code|Terminating remaining workers after failure of)[^\n]*$"
            + "|^Traceback \\(most recent call last\\):\n(?:[^\n]*\n){1,30}?"
            + "RuntimeError: Horovod detected that one or more processes exited[^\n]*";

    /** The messages of Open MPI. Other programs do not name the rank; the script end.sh reads their messages. */
    private static final String CULPRIT =
            "(?:Process name: \\[[^\n]*,|(?:that|due to) process rank |MPI_ABORT was invoked on rank )(?<rank>[0-9]+)"
                    + "(?:(?:\\]\\s+Exit code: +| in communicator [^\n]*\n *with errorcode )(?<code>[0-9]+))?";

    static final RankLines LINES = new RankLines(PREFIXES, OWN, CULPRIT);

    private FailurePatterns() {}
}
