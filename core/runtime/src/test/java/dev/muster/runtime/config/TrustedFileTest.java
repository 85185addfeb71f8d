package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustedFileTest {

    @TempDir
    private Path directory;

    @Test
    void anOwnFileThatOthersMayReadIsTrusted() throws IOException {
        assertThat(TrustedFile.problem(file("rw-rw-r--"))).isEmpty();
    }

    @Test
    void aFileThatOthersMayWriteIsNot() throws IOException {
        Path file = file("rw-r--rw-");

        assertThat(TrustedFile.problem(file)).contains("is writable by others (0646)");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertThat(TrustedFile.problem(link)).contains("is writable by others (0646)");
    }

    @Test
    void aMissingFileIsAnError() {
        assertThatThrownBy(() -> TrustedFile.problem(directory.resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
    }

    private Path file(String permissions) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
}
