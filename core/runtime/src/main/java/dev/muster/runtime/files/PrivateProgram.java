package dev.muster.runtime.files;

import java.nio.file.Path;
import java.util.Map;

/** A program in a private directory of its own, in the first place where programs may be run. */
public final class PrivateProgram implements AutoCloseable {

    private final Path path;

    private PrivateProgram(Path path) {
        this.path = path;
    }

    /**
     * Writes it.
     *
     * @param environment names places, as for {@link RunDirectory}
     * @throws dev.muster.runtime.errors.MusterException 78, with the places, where there is none
     */
    public static PrivateProgram write(Map<String, String> environment, String name, byte[] content) {
        RunPlaces places = RunPlaces.of(environment, RunDirectory.TEMPORARY);
        return new PrivateProgram(places.makeProgram(name, content));
    }

    public Path path() {
        return path;
    }

    /** Removes it with its directory. */
    @Override
    public void close() {
        Directories.remove(path.resolveSibling("").toAbsolutePath());
    }
}
