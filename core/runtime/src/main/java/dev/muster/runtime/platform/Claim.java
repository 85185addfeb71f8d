package dev.muster.runtime.platform;

import java.util.OptionalInt;

/**
 * What something in a launcher's surroundings says of the size of its job.
 *
 * @param text for example {@code SLURM_NNODES=3 says that the job has 3 nodes}
 * @param nodes how many nodes the job has, two or more; empty: several, or nobody can tell how many
 */
public record Claim(String text, OptionalInt nodes) {

    /** Whether a plan over so many nodes leaves some of the job's out. */
    public boolean contradicts(int planned) {
        return planned < nodes.orElse(2);
    }
}
