package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory by a name of a few bytes, however long its path is: for what the system allows no long path. */
public final class ShortName implements AutoCloseable {

    private final DirectoryStream<Path> held;
    private final Path path;

    private ShortName(DirectoryStream<Path> held, Path path) {
        this.held = held;
        this.path = path;
    }

    /** @throws IOException it cannot be opened, or the system shows no descriptors */
    @SuppressWarnings("StreamResourceLeak") // It is held until this is closed.
    public static ShortName of(Path directory) throws IOException {
        DirectoryStream<Path> held = Files.newDirectoryStream(directory);
        try {
            Path path = Descriptors.find(descriptor -> Files.isSameFile(descriptor, directory))
                    .orElseThrow(() -> new IOException("/proc/self/fd does not show " + directory));
            return new ShortName(held, path);
        } catch (IOException | RuntimeException unknown) {
            held.close();
            throw unknown;
        }
    }

    /** Only in this process, and as long as this is open. */
    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        held.close();
    }
}
