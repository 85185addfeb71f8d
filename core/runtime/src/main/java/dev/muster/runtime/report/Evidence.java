package dev.muster.runtime.report;

import dev.muster.runtime.diagnostics.FailedRank;
import dev.muster.runtime.process.Termination;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the failed process, beside its end. Secrets are masked. Terminal control characters are escaped.
 *
 * @param node the node's name for users; empty: unknown
 * @param command the command in one line, perhaps shortened; empty: unknown
 * @param words the last words of the process
 * @param culprit the first failed rank, if the process started several ranks and reports it
 */
public record Evidence(String node, String command, Words words, Optional<FailedRank> culprit) {

    /** How a rank ended, if the process that started it reports it. */
    public static Optional<Termination> endOf(FailedRank rank) {
        return rank.code().stream()
                .mapToObj(code -> code < 0 ? Termination.signalled(-code) : Termination.exited(code))
                .findFirst();
    }

    /**
     * What was printed last.
     *
     * @param lines the lines that explain the failure; empty: nothing was printed
     * @param printer the id of the process that printed them, if it is another one
     * @param isOwn whether all lines are certainly of the failed process or rank
     */
    public record Words(List<String> lines, Optional<String> printer, boolean isOwn) {

        /** Who printed the lines, if several share the output and no line tells its printer. */
        Optional<String> speaker() {
            return isOwn ? Optional.empty() : printer.map(id -> id + " and its ranks");
        }
    }
}
