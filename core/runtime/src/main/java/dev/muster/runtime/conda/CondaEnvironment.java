package dev.muster.runtime.conda;

import java.nio.file.Path;

/**
 * A conda environment that is there.
 *
 * @param prefix its directory; absolute
 * @param name as {@code CONDA_DEFAULT_ENV} has it: the name where it has one, else the prefix
 * @param origin who chose it: an option or variables
 */
public record CondaEnvironment(Path prefix, String name, String origin) {

    /** ModelArts' images: where conda is installed. */
    static final String IMAGE_ROOT = "ANACONDA_DIR";

    /** Where its programs are. */
    public Path programs() {
        return prefix.resolve("bin");
    }
}
