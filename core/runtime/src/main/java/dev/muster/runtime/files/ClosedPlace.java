package dev.muster.runtime.files;

import dev.muster.runtime.files.Trust.Seen;
import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

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

    /**
     * What needs no quotes and no escapes, as sshd, ssh, mpirun and shells have them, each others. In none of them a path can
     * have all characters, and mpirun has no quotes at all.
     */
    private static final Pattern PLAIN = Pattern.compile("[\\p{L}\\p{N}/_.,+@=~-]*");

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
     * @throws FileException naming the directory in its path that others can write to or own, or when its path has characters
     *     that not all programs take
     * @throws IOException when it does not exist
     */
    static ClosedPlace of(Path directory, Demand demand) throws IOException {
        Path real = directory.toRealPath();
        List<Seen> way = Trust.way(real);
        Optional<Path> volume = Optional.empty();
        for (int index = way.size() - 1; index >= 0; index--) {
            Seen each = way.get(index);
            String name = each.path().equals(real) ? "" : each.path() + " ";
            if (!Trust.isTrusted(each.facts().uid())) {
                throw new FileException(name + "belongs to user " + each.facts().uid());
            }
            if (each.facts().othersWrite() || each.facts().groupWrites()) {
                boolean isSticky = each.facts().isSticky();
                if (demand == Demand.CLOSED || !(isSticky || Trust.isVolume(each))) {
                    throw new FileException(name + "can be written by others");
                }
                volume = isSticky ? volume : Optional.of(each.path());
            }
        }
        if (!PLAIN.matcher(real.toString()).matches()) {
            throw new FileException("has characters that programs such as ssh and mpirun cannot be told");
        }
        return new ClosedPlace(real, volume);
    }

    /** Whether something is a directory, no link to one, that belongs to this user. */
    static boolean isOwnDirectory(Path path) throws IOException {
        Facts facts = Facts.of(path, LinkOption.NOFOLLOW_LINKS);
        return facts.isDirectory() && facts.uid() == Trust.ownUid();
    }
}
