package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A directory that somebody's runs use one after the other, each from an empty one. A file in it tells whose it is. */
public final class OwnedDirectory {

    static final String MARK = ".muster-owner";

    private static final int LONGEST_MARK = 4096;

    private OwnedDirectory() {}

    /**
     * Makes the directory, or empties it when it was made for the same owner. Nothing is removed from any other.
     *
     * @param directory absolute
     * @throws FileException when it cannot be made or emptied, or belongs to somebody else
     */
    public static void make(Path directory, String owner) throws FileException {
        if (Files.isSymbolicLink(directory)) {
            throw new FileException(shown(directory) + " is a symbolic link, and what it leads to is not emptied");
        }
        Directories.make(directory);
        try {
            refuseOthers(directory, owner);
            Directories.empty(directory, MARK::equals);
            Optional<Path> left = firstIn(directory);
            if (left.isPresent()) {
                throw new IOException(
                        "cannot remove " + Printable.escape(left.get().toString()));
            }
            AtomicFile.write(directory, MARK, owner + "\n");
        } catch (FileException refused) {
            throw refused;
        } catch (IOException e) {
            throw new FileException("cannot empty " + shown(directory) + ": " + IoReasons.of(e), e);
        }
    }

    private static void refuseOthers(Path directory, String owner) throws IOException {
        Optional<String> mark = mark(directory.resolve(MARK));
        if (mark.isEmpty() && firstIn(directory).isPresent()) {
            throw new FileException(shown(directory) + " has files and was not made by Muster, so it is not emptied");
        }
        if (mark.isPresent() && !mark.get().equals(owner)) {
            throw new FileException(shown(directory) + " was made for " + Printable.quote(mark.get()) + ", not for "
                    + Printable.quote(owner) + ", so it is not emptied");
        }
    }

    private static String shown(Path directory) {
        return "the directory " + Printable.escape(directory.toString());
    }

    /** Whose it is, where that can be told. */
    private static Optional<String> mark(Path mark) throws IOException {
        boolean isOne = Files.isRegularFile(mark, LinkOption.NOFOLLOW_LINKS) && Files.size(mark) <= LONGEST_MARK;
        return isOne
                ? Optional.of(new String(Files.readAllBytes(mark), StandardCharsets.UTF_8).strip())
                : Optional.empty();
    }

    /** Something that is in it beside the mark. */
    private static Optional<Path> firstIn(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> !entry.endsWith(MARK)).findFirst();
        }
    }
}
