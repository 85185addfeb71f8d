package dev.muster.runtime.files;

import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A program in its own private directory, in the first place that allows programs. */
public record PrivateProgram(Path path) implements AutoCloseable {

    /** The path must leave room for the path of a socket beside it, which has a limit. */
    private static final int LONGEST = 96;

    /**
     * Writes the program.
     *
     * @param environment names places, as for {@link RunDirectory}
     * @throws MusterException 78, with the places, if no place allows programs
     */
    public static PrivateProgram write(Map<String, String> environment, String name, byte[] content) {
        List<String> problems = new ArrayList<>();
        List<String> places =
                RunDirectoryPlaces.of(environment, RunDirectory.TEMPORARY).usual();
        return RunDirectoryPlaces.make(
                        places, place -> write(RunDirectoryPlaces.makeIn(place), name, content), problems)
                .map(PrivateProgram::new)
                .orElseThrow(() -> MusterException.configuration("no program can be run in "
                        + String.join(", ", problems)
                        + ". Set TMPDIR to a directory in which programs may be run, one that is not mounted noexec"));
    }

    private static Path write(Path directory, String name, byte[] content) throws IOException {
        Path file = directory.resolve(name);
        try {
            if (file.toString().length() > LONGEST) {
                throw new IOException("its name is too long");
            }
            Files.write(file, content);
            Files.setPosixFilePermissions(file, Modes.PRIVATE_DIRECTORY.value());
            if (!Files.isExecutable(file)) {
                throw new IOException("programs may not be run there");
            }
            return file;
        } catch (IOException unfit) {
            Directories.remove(directory);
            throw unfit;
        }
    }

    /** Removes the program and its directory. */
    @Override
    public void close() {
        Directories.remove(path.resolveSibling("").toAbsolutePath());
    }
}
