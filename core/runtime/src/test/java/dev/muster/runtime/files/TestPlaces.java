package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Directories for tests, outside of {@code /tmp}, where all users may write. */
public final class TestPlaces {

    private TestPlaces() {}

    /** A new, empty directory. Other users can write neither to it nor to its parents. The test removes it. */
    public static Path closed() throws IOException {
        for (String place : List.of("/run", System.getProperty("user.home"))) {
            if (Files.isWritable(Path.of(place))) {
                return Files.createTempDirectory(Path.of(place).toRealPath(), "muster-test-");
            }
        }
        throw new IOException("neither /run nor the home directory can be written");
    }
}
