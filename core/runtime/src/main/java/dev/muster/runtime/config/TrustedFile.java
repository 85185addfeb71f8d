package dev.muster.runtime.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Tells whether somebody else could have written a file that decides what the launcher does. */
public final class TrustedFile {

    private static final int WRITABLE_BY_OTHERS = 0002;
    private static final int PERMISSIONS = 07777;
    private static final Path SELF = Path.of("/proc/self");

    private TrustedFile() {}

    /** Why the file, or the file that a link leads to, is not trusted; to be read after its name. Empty: it is trusted. */
    public static Optional<String> problem(Path file) throws IOException {
        int mode = attribute(file, "mode");
        int owner = attribute(file, "uid");
        if ((mode & WRITABLE_BY_OTHERS) != 0) {
            return Optional.of("is writable by others (0" + Integer.toOctalString(mode & PERMISSIONS) + ")");
        }
        return owner == 0 || owner == attribute(SELF, "uid")
                ? Optional.empty()
                : Optional.of("belongs to uid " + owner + ", which is neither root nor you");
    }

    private static int attribute(Path file, String name) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:" + name);
    }
}
