package dev.muster.runtime.files;

import dev.muster.runtime.files.Trust.Seen;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A directory that this launcher writes to, and others perhaps, too. No link of theirs is followed on the way to it, neither to
 * write nor to make directories.
 *
 * @param path as users know it; absolute
 * @param warning what others could do there
 */
public record LogPlace(Path path, Optional<String> warning) {

    /**
     * The directory, which is made with those above it where they are missing.
     *
     * @param directory absolute
     * @throws FileException it cannot be made, or somebody else has put a link on the way
     */
    public static LogPlace make(Path directory) throws FileException {
        try {
            Trust.refuseOthersLinks(directory);
            Directories.make(directory);
            Trust.refuseOthersLinks(directory);
            return new LogPlace(
                    directory,
                    flaw(directory)
                            .map(flaw -> "the log directory " + shown(directory) + " is not safe from other users: "
                                    + flaw
                                    + "; logs are written there all the same, and nothing is followed or overwritten"));
        } catch (FileException refused) {
            throw refused;
        } catch (IOException unreadable) {
            throw new FileException(
                    "cannot use the directory " + shown(directory) + ": " + Reasons.of(unreadable), unreadable);
        }
    }

    /** Whom a directory belongs to matters where it need not be the system that has put it there. */
    private static Optional<String> flaw(Path directory) throws IOException {
        List<Seen> way = Trust.way(directory);
        Facts above = way.get(0).facts();
        for (Seen each : way) {
            Facts facts = each.facts();
            if (facts.isDirectory() && Trust.isOpen(each)) {
                return Optional.of(shown(each.path()) + " is writable by others (" + facts.permissions() + ")");
            }
            if (facts.isDirectory() && above.othersWrite() && !Trust.isTrusted(facts.uid())) {
                return Optional.of(
                        shown(each.path()) + " belongs to uid " + facts.uid() + ", which is neither root nor you");
            }
            above = facts.isDirectory() ? facts : above;
        }
        return Optional.empty();
    }

    private static String shown(Path path) {
        return Printable.escape(path.toString());
    }
}
