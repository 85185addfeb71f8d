package dev.muster.e2e;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A pipe at which processes wait, without using the CPU, until the test lets all of them go on at the same moment. */
final class Gate {

    private final Path pipe;

    Gate(Scene scene) {
        pipe = scene.beside("gate");
        scene.command("mkfifo", pipe.toString()).run().endedWith(0);
    }

    /** The shell line with which a script waits. */
    String words() {
        return "read -r gone < " + pipe;
    }

    /**
     * Lets this many processes go on, also those that come later.
     *
     * @param meanwhile runs while the gate is open, and must end after they have gone on
     */
    <T> T open(int processes, Supplier<T> meanwhile) {
        // Opening a pipe for reading and writing does not block.
        try (RandomAccessFile opened = new RandomAccessFile(pipe.toFile(), "rw")) {
            opened.write("\n".repeat(processes).getBytes(StandardCharsets.UTF_8));
            return meanwhile.get();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
