package dev.muster.spi;

/**
 * A directory that processes expect. The runtime makes its parents too, and keeps what exists.
 *
 * @param path absolute
 * @param purpose for messages, for example {@code working directory of rank 3}
 * @param required whether the runtime refuses the job when it cannot make the directory; else it warns the user
 * @since 0.1
 */
@Stability(stable = true)
public record RequiredDirectory(String path, String purpose, boolean required) {

    /** A directory without which the job is refused. */
    public static RequiredDirectory of(String path, String purpose) {
        return new RequiredDirectory(path, purpose, true);
    }

    /** The same directory; when the runtime cannot make it, it only warns the user. */
    public RequiredDirectory orWarn() {
        return new RequiredDirectory(path, purpose, false);
    }
}
