package dev.muster.runtime.report;

import dev.muster.runtime.diagnostics.FailedRank;
import dev.muster.runtime.process.Termination;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the process whose failure ended the job, beside its end. Secrets are masked, and nothing in it can do anything
 * to a terminal.
 *
 * @param node where it ran, for users; empty when nobody says
 * @param command what was run, in one line and perhaps shortened; empty when that is not known
 * @param words what it said last
 * @param culprit which of its ranks failed first, where it started several and says so
 */
public record Evidence(String node, String command, Words words, Optional<FailedRank> culprit) {

    /** How a rank ended, where its launcher says so. */
    public static Optional<Termination> endOf(FailedRank rank) {
        return rank.code().stream()
                .mapToObj(code -> code < 0 ? Termination.signalled(-code) : Termination.exited(code))
                .findFirst();
    }

    /**
     * What was said last.
     *
     * @param lines what tells why the process failed; none when nothing was said
     * @param printer the id of the process that printed them, where that was not the process itself
     * @param areItsOwn whether nobody else's can be among them
     */
    public record Words(List<String> lines, Optional<String> printer, boolean areItsOwn) {

        /** Whose they are, where others share the output and nothing tells which line is whose. */
        Optional<String> speaker() {
            return areItsOwn ? Optional.empty() : printer.map(id -> id + " and its ranks");
        }
    }
}
