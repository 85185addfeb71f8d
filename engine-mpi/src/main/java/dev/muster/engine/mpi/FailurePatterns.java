package dev.muster.engine.mpi;

import dev.muster.spi.RankLines;
import java.util.List;

/** How the output of an mpirun or a horovodrun reads. */
final class FailurePatterns {

    /** Open MPI's with {@code --tag-output}, which horovodrun asks for; horovodrun's own; Hydra's with {@code -l}. */
    private static final List<String> PREFIXES = List.of(
            "\\[(?:[^\\]\\s]*@)?[0-9]+,(?<rank>[0-9]+)\\]<std(?:out|err)>: ?",
            "\\[(?<rank>[0-9]+)\\]<std(?:out|err)>: ?",
            "\\[(?<rank>[0-9]+)\\] ");

    /** Open MPI draws lines around what it says, Hydra others; horovodrun ends with an exception of its own. */
    private static final String OWN = "(?ms)^-{60,}$.*?^-{60,}$"
            + "|^=+\n=   BAD TERMINATION.*?^=+$"
            + "|^(?:Process [0-9]+ exit with status code|Terminating remaining workers after failure of)[^\n]*$"
            + "|^Traceback \\(most recent call last\\):\n(?:[^\n]*\n){1,30}?"
            + "RuntimeError: Horovod detected that one or more processes exited[^\n]*";

    /** Open MPI's words. Those of others name no rank; the script under which they run understands them. */
    private static final String CULPRIT =
            "(?:Process name: \\[[^\n]*,|(?:that|due to) process rank |MPI_ABORT was invoked on rank )(?<rank>[0-9]+)"
                    + "(?:(?:\\]\\s+Exit code: +| in communicator [^\n]*\n *with errorcode )(?<code>[0-9]+))?";

    static final RankLines LINES = new RankLines(PREFIXES, OWN, CULPRIT);

    private FailurePatterns() {}
}
