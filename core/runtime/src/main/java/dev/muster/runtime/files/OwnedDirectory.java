package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A directory that somebody's runs use one after the other, each from an empty one. A file in it tells whose it is. */
public final class OwnedDirectory {

    static final String MARK = ".muster-owner";

    private static final int LONGEST_MARK = 4096;

    private final Path directory;
    private final String owner;

    private OwnedDirectory(Path directory, String owner) {
        this.directory = directory;
        this.owner = owner;
    }

    /**
     * Makes the directory, or empties it when it was made for the same owner. Nothing is removed from any other.
     *
     * @param directory absolute
     * @throws FileException when it cannot be made or emptied, or belongs to somebody else
     */
    public static void make(Path directory, String owner) throws FileException {
        new OwnedDirectory(directory, owner).make();
    }

    private void make() throws FileException {
        if (Files.isSymbolicLink(directory)) {
            throw new FileException(shown() + " is a symbolic link, and what it leads to is not emptied");
        }
        Directories.make(directory);
        try {
            Optional<String> mark = mark();
            refuseOthers(mark);
            content().forEach(Directories::remove);
            List<Path> left = content();
            if (!left.isEmpty()) {
                throw new FileException("cannot empty " + shown() + ": cannot remove "
                        + Printable.escape(left.get(0).toString()));
            }
            if (mark.isEmpty()) {
                AtomicFile.write(directory, MARK, owner + "\n");
            }
        } catch (FileException refused) {
            throw refused;
        } catch (IOException e) {
            throw new FileException("cannot empty " + shown() + ": " + Reasons.of(e), e);
        }
    }

    private void refuseOthers(Optional<String> mark) throws IOException {
        if (mark.isEmpty() && !content().isEmpty()) {
            throw new FileException(shown() + " has files and was not made by Muster, so it is not emptied");
        }
        if (mark.isPresent() && !mark.get().equals(owner)) {
            throw new FileException(shown() + " was made for " + Printable.quote(mark.get()) + ", not for "
                    + Printable.quote(owner) + ", so it is not emptied");
        }
    }

    /** What is in it beside the mark. */
    private List<Path> content() throws IOException {
        List<Path> content = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (!entry.equals(directory.resolve(MARK))) {
                    content.add(entry);
                }
            }
        }
        return content;
    }

    /** Whose it is, where that can be told. */
    private Optional<String> mark() throws IOException {
        Path mark = directory.resolve(MARK);
        if (!Files.isRegularFile(mark, LinkOption.NOFOLLOW_LINKS) || Files.size(mark) > LONGEST_MARK) {
            return Optional.empty();
        }
        return Optional.of(new String(Files.readAllBytes(mark), StandardCharsets.UTF_8).strip());
    }

    private String shown() {
        return "the directory " + Printable.escape(directory.toString());
    }
}
