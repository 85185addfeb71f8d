package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * Writes files of which the newest has a name that never changes. What had the name stays beside it with its number:
 * {@code result.json} is the newest, {@code result.1.json} the oldest. Nothing is ever read, replaced or removed, whoever
 * wrote it and however many write at the same moment.
 */
public final class NewestFile {

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");

    private final Path directory;
    private final String stem;
    private final String suffix;
    private final Path newest;

    /**
     * Nothing is written yet.
     *
     * @param directory exists
     * @param stem the name without the suffix
     * @param suffix with its dot
     */
    public NewestFile(Path directory, String stem, String suffix) {
        this.directory = directory;
        this.stem = stem;
        this.suffix = suffix;
        this.newest = directory.resolve(NameLength.fit(stem + suffix));
    }

    /**
     * Writes the newest file with mode 0640, less the umask.
     *
     * @param content of the file that is the n-th, counted from 1. It is asked again when others wrote meanwhile
     * @throws FileException the file was not written, and what was there is there under its old name
     */
    public void write(IntFunction<byte[]> content) throws FileException {
        try {
            while (!tryToWrite(content)) {
                // Somebody else was quicker; that file is older than this one now.
            }
        } catch (IOException e) {
            throw new FileException("cannot write " + Printable.escape(newest.toString()) + ": " + Reasons.of(e), e);
        }
    }

    private boolean tryToWrite(IntFunction<byte[]> content) throws IOException {
        if (!Files.exists(newest, LinkOption.NOFOLLOW_LINKS)) {
            Path written = AtomicFile.writeBeside(directory, content.apply(highest() + 1));
            return giveName(written);
        }
        if (Files.isDirectory(newest, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(newest.toString(), null, "it is a directory");
        }
        int older = reserve();
        Path kept = numbered(older);
        boolean isMoved = false;
        try {
            // Before anything is moved: the disk may be full.
            Path written = AtomicFile.writeBeside(directory, content.apply(older + 1));
            isMoved = moveOrRemove(written, kept);
            return isMoved && giveName(written);
        } finally {
            if (!isMoved) {
                Files.deleteIfExists(kept);
            }
        }
    }

    /** An empty file with a number that is nobody else's now. */
    private int reserve() throws IOException {
        for (int number = highest() + 1; ; number++) {
            try {
                Files.createFile(numbered(number));
                return number;
            } catch (FileAlreadyExistsException taken) {
                // By another launcher, at this moment.
            }
        }
    }

    /**
     * Moves the newest file itself away, also when it is a link; false when another launcher has done so. What was written to
     * take its place is removed unless it can.
     */
    private boolean moveOrRemove(Path written, Path kept) throws IOException {
        try {
            Files.move(newest, kept, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (NoSuchFileException gone) {
            Files.deleteIfExists(written);
            return false;
        } catch (IOException refused) {
            Files.deleteIfExists(written);
            throw refused;
        }
    }

    /** Gives a file the name if nobody has it; false when somebody has. */
    private boolean giveName(Path written) throws IOException {
        try {
            // A rename would replace what another launcher has written in between.
            Files.createLink(newest, written);
        } catch (FileAlreadyExistsException taken) {
            return false;
        } catch (FileSystemException | UnsupportedOperationException noLinks) {
            // Object stores that are mounted as directories have no links.
            Files.move(written, newest, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(written);
        }
        return true;
    }

    /** The highest number that is there; 0 when there is none, or the directory cannot be listed. */
    private int highest() throws IOException {
        int highest = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                highest = Math.max(
                        highest, numberOf(String.valueOf(entry.getFileName())).orElse(0));
            }
        } catch (AccessDeniedException notReadable) {
            return 0;
        } catch (DirectoryIteratorException interrupted) {
            throw interrupted.getCause();
        }
        return highest;
    }

    private OptionalInt numberOf(String name) {
        int to = name.length() - suffix.length();
        int from = name.lastIndexOf('.', to - 1) + 1;
        if (from >= to || !NUMBER.matcher(name.substring(from, to)).matches()) {
            return OptionalInt.empty();
        }
        int number = Integer.parseInt(name.substring(from, to));
        return name.equals(nameOf(number)) ? OptionalInt.of(number) : OptionalInt.empty();
    }

    private Path numbered(int number) {
        return directory.resolve(nameOf(number));
    }

    private String nameOf(int number) {
        return NameLength.fit(stem + "." + number + suffix);
    }
}
