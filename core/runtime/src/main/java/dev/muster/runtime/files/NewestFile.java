package dev.muster.runtime.files;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes files whose newest has a fixed name. An older one stays beside it, with a number: {@code result.json} is the newest,
 * {@code result.1.json} the oldest. No file is ever read, replaced or removed, whoever wrote it.
 */
public final class NewestFile {

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");

    private final Path directory;
    private final String stem;
    private final String suffix;
    private final Path newest;

    /**
     * Writes nothing yet.
     *
     * @param directory exists
     * @param stem the name without the suffix
     * @param suffix with its dot
     */
    public NewestFile(Path directory, String stem, String suffix) {
        this.directory = directory;
        this.stem = stem;
        this.suffix = suffix;
        this.newest = directory.resolve(stem + suffix);
    }

    /** The path of the newest file. */
    public Path newest() {
        return newest;
    }

    /**
     * Writes the newest file with mode 0640, less the umask.
     *
     * @param content makes the text of file number n, from 1
     * @throws FileException the file was not written; the former file keeps its name
     */
    public void write(IntFunction<String> content) throws FileException {
        try {
            boolean isWritten = false;
            while (!isWritten) {
                isWritten = tryToWrite(content);
            }
        } catch (IOException e) {
            throw new FileException("cannot write " + Printable.escape(newest.toString()) + ": " + IoReasons.of(e), e);
        }
    }

    private boolean tryToWrite(IntFunction<String> content) throws IOException {
        if (Files.isDirectory(newest, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(newest.toString(), null, "it is a directory");
        }
        boolean isFirst = !Files.exists(newest, LinkOption.NOFOLLOW_LINKS);
        int older = isFirst ? highest() : highest() + 1;
        // Write before any move, because the disk may be full.
        Path written = AtomicFile.writeBeside(directory, content.apply(older + 1), Modes.FILE);
        try {
            if (!isFirst) {
                Files.move(newest, numbered(older));
            }
            Files.move(written, newest);
            return true;
        } catch (FileAlreadyExistsException taken) {
            // Another launcher took the name first.
            return false;
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /** The highest number in use; 0: none. */
    private int highest() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.flatMapToInt(entry -> numberOf(String.valueOf(entry.getFileName())).stream())
                    .max()
                    .orElse(0);
        } catch (UncheckedIOException interrupted) {
            throw Objects.requireNonNull(interrupted.getCause());
        }
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
        return stem + "." + number + suffix;
    }
}
