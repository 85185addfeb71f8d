package dev.muster.spi;

import java.util.Optional;

/**
 * A directory that processes expect; parents are made too.
 *
 * @param path absolute
 * @param purpose for messages, for example {@code working directory of rank 3}
 * @param required whether the job is refused when it cannot be made; else the user is warned
 * @param emptiedFor whose directory it is, for example a job's id, when the processes want it empty: what an earlier run left
 *     there is removed, but only from a directory that was made for the same owner, as a file {@code .muster-owner} in it
 *     tells. One with other content counts as one that cannot be made. Empty: what is there stays
 * @since 0.1
 */
public record RequiredDirectory(String path, String purpose, boolean required, Optional<String> emptiedFor) {

    /** A directory without which the job is refused, and whose content stays. */
    public static RequiredDirectory of(String path, String purpose) {
        return new RequiredDirectory(path, purpose, true, Optional.empty());
    }

    /** The same directory; when it cannot be made the user is only warned. */
    public RequiredDirectory orWarn() {
        return new RequiredDirectory(path, purpose, false, emptiedFor);
    }

    /** The same directory, emptied of what an earlier run of this owner left there. */
    public RequiredDirectory emptied(String owner) {
        return new RequiredDirectory(path, purpose, required, Optional.of(owner));
    }
}
