package dev.muster.spi;

/**
 * A directory that processes expect; parents are made too, and what is there stays.
 *
 * @param path absolute
 * @param purpose for messages, for example {@code working directory of rank 3}
 * @param required whether the job is refused when it cannot be made; else the user is warned
 * @since 0.1
 */
@Stability(stable = true)
public record RequiredDirectory(String path, String purpose, boolean required) {

    /** A directory without which the job is refused. */
    public static RequiredDirectory of(String path, String purpose) {
        return new RequiredDirectory(path, purpose, true);
    }

    /** The same directory; when it cannot be made the user is only warned. */
    public RequiredDirectory orWarn() {
        return new RequiredDirectory(path, purpose, false);
    }
}
