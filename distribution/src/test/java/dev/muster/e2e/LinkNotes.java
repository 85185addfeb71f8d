package dev.muster.e2e;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/** A directory that all hosts of a job see. Ranks write there how far they are, and wait there for words of the test. */
final class LinkNotes {

    private final Path directory;

    LinkNotes(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectory(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Shell lines that define {@code note WORD} and {@code await WORD}; {@code $me} must be the rank. */
    String words() {
        return String.join(
                "\n",
                "notes=" + directory,
                "note() { echo $$ > \"$notes/.$1-$me\"; mv \"$notes/.$1-$me\" \"$notes/$1-$me\"; }",
                "await() { mkfifo \"$notes/$1.$me\" 2> /dev/null; note waits; read -r _ < \"$notes/$1.$me\"; }");
    }

    /** Says a word to a rank that awaits it, now or later. */
    void say(String word, int rank) {
        // Stays open: the kernel drops the content of a pipe that no process has open.
        try {
            RandomAccessFile pipe = new RandomAccessFile(pipe(word, rank).toFile(), "rw");
            pipe.write("\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The pipe that a rank reads while it awaits a word. */
    Path pipe(String word, int rank) {
        return directory.resolve(word + "." + rank);
    }

    /** Writes an empty file for the ranks. */
    void mark(String name) {
        Scene.write(directory.resolve(name), "");
    }

    /** Writes a file for the ranks, atomically. */
    void leave(String name, String content) {
        Path part = directory.resolve(name + ".part");
        Scene.write(part, content);
        part.toFile().renameTo(directory.resolve(name).toFile());
    }

    boolean has(String word, int rank) {
        return Files.exists(note(word, rank));
    }

    /** The pid of the rank that wrote a note. */
    String read(String word, int rank) {
        return Scene.read(note(word, rank)).strip();
    }

    private Path note(String word, int rank) {
        return directory.resolve(word + "-" + rank);
    }

    /** Waits until this many ranks have written a note. */
    void await(String word, int ranks, Supplier<String> others) {
        for (int each = 0; each < ranks; each++) {
            int rank = each;
            Await.until(
                    Await.LONG, () -> "rank " + rank + " notes " + word + "; " + others.get(), () -> has(word, rank));
        }
    }
}
