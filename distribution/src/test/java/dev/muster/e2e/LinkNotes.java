package dev.muster.e2e;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/** A directory that all hosts of a job see: there ranks note how far they are, and wait for what a test tells them. */
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

    /** Shell lines after which {@code note WORD} and {@code await WORD} can be said; {@code $me} must be the rank. */
    String words() {
        return String.join(
                "\n",
                "notes=" + directory,
                "note() { echo $$ > \"$notes/.$1-$me\"; mv \"$notes/.$1-$me\" \"$notes/$1-$me\"; }",
                "await() { mkfifo \"$notes/$1.$me\" 2> /dev/null; note waits; read -r _ < \"$notes/$1.$me\"; }");
    }

    /** Lets a rank go on that awaits a word, now or later. */
    void say(String word, int rank) {
        // Not closed: what is in a pipe that nobody has open is lost.
        try {
            RandomAccessFile pipe = new RandomAccessFile(pipe(word, rank).toFile(), "rw");
            pipe.write("\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What a rank reads that awaits a word. */
    Path pipe(String word, int rank) {
        return directory.resolve(word + "." + rank);
    }

    /** Leaves a file without content for ranks to see. */
    void mark(String name) {
        Scene.write(directory.resolve(name), "");
    }

    /** Leaves a file for ranks to see, whole from the first moment on. */
    void leave(String name, String content) {
        Path part = directory.resolve(name + ".part");
        Scene.write(part, content);
        part.toFile().renameTo(directory.resolve(name).toFile());
    }

    boolean has(String word, int rank) {
        return Files.exists(note(word, rank));
    }

    /** The pid of the rank that has noted something. */
    String read(String word, int rank) {
        return Scene.read(note(word, rank)).strip();
    }

    private Path note(String word, int rank) {
        return directory.resolve(word + "-" + rank);
    }

    /** Waits until so many ranks have noted something. */
    void await(String word, int ranks, Supplier<String> others) {
        for (int each = 0; each < ranks; each++) {
            int rank = each;
            Await.until(
                    Await.LONG, () -> "rank " + rank + " notes " + word + "; " + others.get(), () -> has(word, rank));
        }
    }
}
