package dev.muster.runtime.files;

import java.nio.file.Path;

/** The kernel's names of this process's open files. Such a name leads to the open file, even if its path now leads to another one. */
public final class Descriptors {

    /** The directory of all names. Some systems do not have it. */
    public static final Path ALL = Path.of("/proc/self/fd");

    private Descriptors() {}

    /** The name of a descriptor, open or not. */
    public static Path of(int descriptor) {
        return ALL.resolve(Integer.toString(descriptor));
    }
}
