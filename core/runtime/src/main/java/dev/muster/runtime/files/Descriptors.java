package dev.muster.runtime.files;

import java.nio.file.Path;

/** The system's own names of what this process has open. They lead to what was opened, whatever has its name by now. */
public final class Descriptors {

    /** The directory with the names of all; none where the system has no such names. */
    public static final Path ALL = Path.of("/proc/self/fd");

    private Descriptors() {}

    /** Its name, whether it is open or not. */
    public static Path of(int descriptor) {
        return ALL.resolve(Integer.toString(descriptor));
    }
}
