package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import java.util.OptionalInt;

/**
 * A sign that the job has several nodes.
 *
 * @param text for example {@code SLURM_NNODES=3 says that the job has 3 nodes}
 * @param nodes how many nodes the job has, at least two; empty: several, but the number is unknown
 * @param isDoubtful whether the sign may mean nothing here: the launcher warns, and does not refuse the job
 */
public record Claim(String text, OptionalInt nodes, boolean isDoubtful) {

    static Claim ofNodes(String origin, int count) {
        return new Claim(origin + " says that the job has " + count + " nodes", OptionalInt.of(count), false);
    }

    /** A node with an index above 0 is not the only one. */
    static Claim ofIndex(String text, int index) {
        return new Claim(
                text + " says that this is not the first of the job's nodes",
                OptionalInt.of(Math.min(index, OptionTable.MOST_NODES) + 1),
                false);
    }

    /** A claim without a number of nodes. */
    static Claim ofOthers(String text) {
        return new Claim(text, OptionalInt.empty(), false);
    }

    /** A claim by a variable that is set only where there may be several nodes. */
    static Claim ofPresence(String variable) {
        return ofOthers(variable + " is set: the job may have several nodes, and it does not say how many");
    }

    Claim doubtful() {
        return new Claim(text, nodes, true);
    }

    /** Whether a plan for this number of nodes leaves out nodes of the job. */
    public boolean contradicts(int planned) {
        return !isDoubtful && isMoreThan(planned);
    }

    /** Whether a plan for this number of nodes may leave out nodes of the job. */
    public boolean isDoubtOf(int planned) {
        return isDoubtful && isMoreThan(planned);
    }

    private boolean isMoreThan(int planned) {
        return planned < nodes.orElse(2);
    }
}
