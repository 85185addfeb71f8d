package dev.muster.e2e;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A pipe at which processes wait, without taking time from anybody, until the test lets all of them go on at the same moment. */
final class Gate {

    private final Path pipe;

    Gate(Scene scene) {
        pipe = scene.beside("gate");
        scene.command("mkfifo", pipe.toString()).run().endedWith(0);
    }

    /** What a script waits with. */
    String words() {
        return "read -r gone < " + pipe;
    }

    /**
     * Lets so many processes go on, also those that come later.
     *
     * @param meanwhile what takes until they have gone on
     */
    <T> T open(int processes, Supplier<T> meanwhile) {
        // Opened for both, it waits for nobody.
        try (RandomAccessFile opened = new RandomAccessFile(pipe.toFile(), "rw")) {
            opened.write("\n".repeat(processes).getBytes(StandardCharsets.UTF_8));
            return meanwhile.get();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
