package dev.muster.runtime.platform;

import java.util.OptionalInt;

/**
 * What something in a launcher's surroundings says of the size of its job.
 *
 * @param text for example {@code SLURM_NNODES=3 says that the job has 3 nodes}
 * @param nodes how many nodes the job has, two or more; empty: several, or nobody can tell how many
 * @param isDoubtful whether it may well mean nothing here: the user should know of it, and nothing is refused
 */
public record Claim(String text, OptionalInt nodes, boolean isDoubtful) {

    /** One that has to be followed. */
    Claim(String text, OptionalInt nodes) {
        this(text, nodes, false);
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
