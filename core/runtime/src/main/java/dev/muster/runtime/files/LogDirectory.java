package dev.muster.runtime.files;

import dev.muster.runtime.files.Trust.PathStep;
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
public record LogDirectory(Path path, Optional<String> warning) {

    /**
     * The directory, which is made with those above it where they are missing.
     *
     * @param directory absolute
     * @throws FileException it cannot be made, or somebody else has put a link on the way
     */
    public static LogDirectory make(Path directory) throws FileException {
        try {
            Trust.refuseOthersLinks(directory);
            Directories.make(directory);
            Trust.refuseOthersLinks(directory);
            return new LogDirectory(
                    directory,
                    flaw(directory)
                            .map(flaw -> "the log directory " + shown(directory) + " is not safe from other users: "
                                    + flaw
                                    + "; logs are written there all the same, and nothing is followed or overwritten"));
        } catch (FileException refused) {
            throw refused;
        } catch (IOException unreadable) {
            throw new FileException(
                    "cannot use the directory " + shown(directory) + ": " + IoReasons.of(unreadable), unreadable);
        }
    }

    /** Whom a directory belongs to matters where it need not be the system that has put it there. */
    private static Optional<String> flaw(Path directory) throws IOException {
        List<PathStep> way = Trust.way(directory);
        FileStatus above = way.get(0).status();
        for (PathStep each : way) {
            FileStatus status = each.status();
            if (status.isDirectory() && Trust.isOpen(each)) {
                return Optional.of(shown(each.path()) + " is writable by others (" + status.permissions() + ")");
            }
            if (status.isDirectory() && above.othersWrite() && !Trust.isTrusted(status.uid())) {
                return Optional.of(
                        shown(each.path()) + " belongs to uid " + status.uid() + ", which is neither root nor you");
            }
            above = status.isDirectory() ? status : above;
        }
        return Optional.empty();
    }

    private static String shown(Path path) {
        return Printable.escape(path.toString());
    }
}
