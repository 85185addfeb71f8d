package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {

    @TempDir
    private Path root;

    private Path self;

    @BeforeEach
    void aLowLimit() throws IOException {
        self = Files.createDirectories(root.resolve("proc/self"));
        Files.createDirectories(self.resolve("fd/0"));
        limits("64", "128");
    }

    @Test
    void whatFitsIsNotRefused() {
        assertThatCode(() -> new OpenFiles(root).require(10)).doesNotThrowAnyException();
    }

    @Test
    void whatTheLimitForbidsIsRefused() {
        assertThatThrownBy(() -> new OpenFiles(root).require(60))
                .isInstanceOf(MusterException.class)
                .hasMessageContaining("RLIMIT_NOFILE (ulimit -n) is 64 (hard limit 128)")
                .hasMessageContaining("60 processes need 139 open files");
    }

    @Test
    void whatTheLauncherKeepsOfAnEarlierRunIsNotAskedForAgain() throws IOException {
        limits("28", "28");
        OpenFiles files = new OpenFiles(root);
        files.require(2);
        for (int file = 1; file <= 6; file++) {
            Files.createDirectory(self.resolve("fd/" + file));
        }

        assertThatCode(() -> files.require(2)).doesNotThrowAnyException();
        assertThatThrownBy(() -> new OpenFiles(root).require(2)).hasMessageContaining("2 processes need 29 open files");
    }

    @Test
    void whoHostsRanksHasTheHardLimit() {
        OpenFiles files = new OpenFiles(root);

        assertThatCode(() -> files.requireOf("mpirun", 128)).doesNotThrowAnyException();
        assertThatThrownBy(() -> files.requireOf("mpirun", 129))
                .isInstanceOf(MusterException.class)
                .hasMessageContaining("mpirun needs 129 open files for its ranks")
                .hasMessageContaining("RLIMIT_NOFILE (ulimit -n) is 128. Raise it");
    }

    @Test
    void withoutALimitNothingIsRefused() throws IOException {
        limits("unlimited", "unlimited");
        assertThatCode(() -> new OpenFiles(root).require(100_000)).doesNotThrowAnyException();
        Files.delete(self.resolve("limits"));
        assertThatCode(() -> new OpenFiles(root).require(100_000)).doesNotThrowAnyException();
    }

    private void limits(String soft, String hard) throws IOException {
        Files.writeString(self.resolve("limits"), "Max open files  " + soft + "  " + hard + "  files\n");
    }
}
