package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;

/**
 * A directory that nobody but its owner and root can write to, nor any above it: what sshd demands of the place of keys
 * ({@code StrictModes} in sshd_config). A directory such as {@code /tmp}, where all may write, is none, sticky or not.
 */
final class ClosedPlace {

    private static final Set<PosixFilePermission> WRITE_OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    /** Belongs to whom this process belongs to. */
    private static final Path SELF = Path.of("/proc/self");

    /** Belongs to root, who has another number in a user namespace that does not know him. */
    private static final Path TOP = Path.of("/");

    private static final Object ROOT = 0;

    private ClosedPlace() {}

    /**
     * The directory without symbolic links.
     *
     * @throws FileException naming the directory in its path that others can write to or own
     * @throws IOException when it does not exist
     */
    static Path real(Path directory) throws IOException {
        Path real = directory.toRealPath();
        Set<Object> trusted =
                Set.copyOf(List.of(ROOT, Files.getAttribute(TOP, "unix:uid"), Files.getAttribute(SELF, "unix:uid")));
        for (Path each = real; each != null; each = each.getParent()) {
            PosixFileAttributes attributes =
                    Files.readAttributes(each, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            Object owner = Files.getAttribute(each, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            if (!trusted.contains(owner)) {
                throw new FileException((each.equals(real) ? "" : each + " ") + "belongs to user " + owner);
            }
            if (attributes.permissions().stream().anyMatch(WRITE_OF_OTHERS::contains)) {
                throw new FileException((each.equals(real) ? "" : each + " ") + "can be written by others");
            }
        }
        return real;
    }
}
