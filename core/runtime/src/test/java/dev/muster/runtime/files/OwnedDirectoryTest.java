package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnedDirectoryTest {

    private static final String MARK = OwnedDirectory.MARK;

    @TempDir
    private Path base;

    @Test
    void isMadeWithItsParentsAndSaysWhoseItIs() throws IOException {
        Path made = base.resolve("a/rank0");

        OwnedDirectory.make(made, "job-1");

        assertThat(made).isDirectoryContaining(entry -> entry.endsWith(MARK));
        assertThat(made.resolve(MARK)).hasContent("job-1\n");
    }

    @Test
    void losesWhatAnEarlierRunLeftAndNothingBehindLinks() throws IOException {
        Path made = base.resolve("rank0");
        Path mine = Files.writeString(base.resolve("mine"), "precious");
        Path kept = Files.createDirectories(base.resolve("kept"));
        Files.writeString(kept.resolve("checkpoint"), "precious");
        OwnedDirectory.make(made, "job-1");
        Files.writeString(Files.createDirectories(made.resolve("kernel_meta/x")).resolve("y"), "old");
        Files.createSymbolicLink(made.resolve("file"), mine);
        Files.createSymbolicLink(made.resolve("directory"), kept);

        OwnedDirectory.make(made, "job-1");

        assertThat(made).isDirectoryNotContaining(entry -> !entry.endsWith(MARK));
        assertThat(made.resolve(MARK)).hasContent("job-1\n");
        assertThat(mine).hasContent("precious");
        assertThat(kept.resolve("checkpoint")).hasContent("precious");
    }

    @Test
    void keepsWhatMusterHasNotMade() throws IOException {
        Path theirs = Files.createDirectory(base.resolve("rank0"));
        Files.writeString(theirs.resolve("train.py"), "x");

        assertThatThrownBy(() -> OwnedDirectory.make(theirs, "job-1"))
                .isInstanceOf(FileException.class)
                .hasMessageContaining(theirs + " has files and was not made by Muster");
        assertThat(theirs).isDirectoryContaining(entry -> entry.endsWith("train.py"));
        assertThat(theirs.resolve(MARK)).doesNotExist();
    }

    @Test
    void keepsWhatWasMadeForAnotherJob() throws IOException {
        Path made = base.resolve("rank0");
        OwnedDirectory.make(made, "job-1");
        Files.writeString(made.resolve("checkpoint"), "x");

        assertThatThrownBy(() -> OwnedDirectory.make(made, "job-10"))
                .isInstanceOf(FileException.class)
                .hasMessageContaining("was made for \"job-1\", not for \"job-10\"");
        assertThat(made.resolve("checkpoint")).hasContent("x");
    }
}
