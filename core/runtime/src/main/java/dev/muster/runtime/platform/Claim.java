package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import java.util.OptionalInt;

/**
 * What something in a launcher's surroundings says of the size of its job.
 *
 * @param text for example {@code SLURM_NNODES=3 says that the job has 3 nodes}
 * @param nodes how many nodes the job has, two or more; empty: several, or nobody can tell how many
 * @param isDoubtful whether it may well mean nothing here: the user should know of it, and nothing is refused
 */
public record Claim(String text, OptionalInt nodes, boolean isDoubtful) {

    static Claim ofNodes(String origin, int count) {
        return new Claim(origin + " says that the job has " + count + " nodes", OptionalInt.of(count), false);
    }

    /** Whoever is not the first is not the only one. */
    static Claim ofIndex(String text, int index) {
        return new Claim(
                text + " says that this is not the first of the job's nodes",
                OptionalInt.of(Math.min(index, OptionTable.MOST_NODES) + 1),
                false);
    }

    /** One that does not say how many nodes there are. */
    static Claim ofOthers(String text) {
        return new Claim(text, OptionalInt.empty(), false);
    }

    /** A variable that says by being there that the job has several nodes. */
    static Claim ofPresence(String variable) {
        return ofOthers(variable + " is set: the job may have several nodes, and it does not say how many");
    }

    Claim doubtful() {
        return new Claim(text, nodes, true);
    }

    /** Whether a plan over so many nodes leaves some of the job's out. */
    public boolean contradicts(int planned) {
        return !isDoubtful && isMoreThan(planned);
    }

    /** Whether it is not sure that a plan over so many nodes leaves some of the job's out. */
    public boolean isDoubtOf(int planned) {
        return isDoubtful && isMoreThan(planned);
    }

    private boolean isMoreThan(int planned) {
        return planned < nodes.orElse(2);
    }
}
