package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Directories for tests that must not lie where all may write, as temporary directories do. */
public final class TestPlaces {

    private TestPlaces() {}

    /** A new, empty directory that others cannot write to, nor any above it. To be removed by the test. */
    public static Path closed() throws IOException {
        for (String place : List.of("/run", System.getProperty("user.home"))) {
            if (Files.isWritable(Path.of(place))) {
                return Files.createTempDirectory(Path.of(place).toRealPath(), "muster-test-");
            }
        }
        throw new IOException("neither /run nor the home directory can be written");
    }
}
