package dev.muster.runtime.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootFileTest {

    @TempDir
    Path directory;

    @BeforeEach
    void makeFiles() throws IOException {
        Files.createDirectories(directory.resolve("code"));
        Files.writeString(directory.resolve("code/train.py"), "");
        Files.writeString(directory.resolve("data"), "");
        Files.writeString(directory.resolve("python3"), "");
    }

    @Test
    void theFirstArgumentThatNamesAFileIsMadeAbsolute() {
        BootFile boot = BootFile.of(List.of("python3", "-u", "code/train.py", "data"), directory);

        assertThat(boot.command())
                .containsExactly(
                        "python3", "-u", directory.resolve("code/train.py").toString(), "data");
        assertThat(boot.madeAbsolute()).contains("code/train.py");
    }

    @Test
    void aProgramThatIsAPathIsTheBootFile() {
        assertThat(BootFile.of(List.of("./code/train.py", "data"), directory).command())
                .containsExactly(directory.resolve("code/train.py").toString(), "data");
    }

    @Test
    void whatNamesNoFileOrIsAbsoluteStaysAsItIs() {
        List<String> command = List.of("sh", "-c", "echo hello", "/bin/true", "code", "");

        assertThat(BootFile.of(command, directory).command()).isEqualTo(command);
        assertThat(BootFile.of(command, directory).madeAbsolute()).isEmpty();
    }
}
