package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A directory in which nobody but its owner and root can exchange what lies there.
 *
 * <p>Best is one that nobody else can write to, nor any above it: what sshd demands of the place of keys ({@code StrictModes} in
 * sshd_config). Where there is none, a sticky directory such as {@code /tmp} will do, in which others can only add things; and a
 * volume of a container that belongs to root or to this user, such as an emptyDir of Kubernetes: it is open to all, but nobody
 * else is expected there.
 *
 * @param path without symbolic links
 * @param volume the directory in its path in which others could exchange things, were anybody there
 */
record ClosedPlace(Path path, Optional<Path> volume) {

    private static final Set<PosixFilePermission> WRITE_OF_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private static final int STICKY = 01000;

    /** Belongs to whom this process belongs to. */
    private static final Path SELF = Path.of("/proc/self");

    /** Belongs to root, who has another number in a user namespace that does not know him. */
    private static final Path TOP = Path.of("/");

    private static final Object ROOT = 0;

    /** How much others may do in a place. */
    enum Demand {
        /** They can write nowhere. */
        CLOSED,
        /** They can write where that does no harm. */
        NO_HARM
    }

    /**
     * The place that a directory is.
     *
     * @throws FileException naming the directory in its path that others can write to or own
     * @throws IOException when it does not exist
     */
    static ClosedPlace of(Path directory, Demand demand) throws IOException {
        Path real = directory.toRealPath();
        Set<Object> trusted =
                Set.copyOf(List.of(ROOT, Files.getAttribute(TOP, "unix:uid"), Files.getAttribute(SELF, "unix:uid")));
        Optional<Path> volume = Optional.empty();
        for (Path each = real; each != null; each = each.getParent()) {
            PosixFileAttributes attributes =
                    Files.readAttributes(each, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            Object owner = attribute(each, "uid");
            if (!trusted.contains(owner)) {
                throw new FileException((each.equals(real) ? "" : each + " ") + "belongs to user " + owner);
            }
            if (attributes.permissions().stream().anyMatch(WRITE_OF_OTHERS::contains)) {
                if (demand == Demand.CLOSED || !(isSticky(each) || isVolume(each))) {
                    throw new FileException((each.equals(real) ? "" : each + " ") + "can be written by others");
                }
                volume = isSticky(each) ? volume : Optional.of(each);
            }
        }
        return new ClosedPlace(real, volume);
    }

    /** Whether something is a directory, no link to one, that belongs to this user. */
    static boolean isOwnDirectory(Path path) throws IOException {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                && attribute(path, "uid").equals(Files.getAttribute(SELF, "unix:uid"));
    }

    private static boolean isSticky(Path directory) throws IOException {
        return ((Integer) attribute(directory, "mode") & STICKY) != 0;
    }

    /** Whether something is mounted there. */
    private static boolean isVolume(Path directory) throws IOException {
        @Nullable Path parent = directory.getParent();
        return parent != null && !attribute(directory, "dev").equals(attribute(parent, "dev"));
    }

    private static Object attribute(Path directory, String name) throws IOException {
        return Files.getAttribute(directory, "unix:" + name, LinkOption.NOFOLLOW_LINKS);
    }
}
