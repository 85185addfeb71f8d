package dev.muster.runtime.inputs;

import java.util.Set;
import java.util.TreeSet;

/**
 * Waits until the card faults of this node's ranks are over. Before that nothing is started.
 *
 * @param ranks of this node
 * @param isRequired whether a fault was listed: then a missing list is not the end of the fault
 */
record ResetSource(ResetFile file, Set<Integer> ranks, boolean isRequired) implements Source {

    static final String ID = "reset-file";

    private static final String ADVICE =
            "Find out why the platform does not recover the cards, or wait longer with" + " --input-timeout";

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String subject() {
        return file.subject();
    }

    @Override
    public String origin() {
        return " (named by " + file.origin() + ")";
    }

    @Override
    public ReadAttempt read() {
        ResetFile.Seen seen = file.read();
        if (!seen.isThere() || !seen.isComplete()) {
            // Such a list tells neither a fault nor the end of one.
            return isRequired ? new ReadAttempt.NotYet(problem(seen), ADVICE) : ReadAttempt.Ready.WITHOUT;
        }
        TreeSet<Integer> faulty = new TreeSet<>(seen.faulty());
        faulty.retainAll(ranks);
        return faulty.isEmpty()
                ? ReadAttempt.Ready.WITHOUT
                : new ReadAttempt.NotYet(
                        "lists " + (faulty.size() == 1 ? "rank " : "ranks ")
                                + String.join(
                                        ",",
                                        faulty.stream().map(String::valueOf).toList())
                                + " as not recovered",
                        ADVICE);
    }

    private static String problem(ResetFile.Seen seen) {
        if (seen.isThere()) {
            return "is not settled (FaultFlushing)";
        }
        return seen.problem().isEmpty() ? "does not exist" : seen.problem();
    }
}
