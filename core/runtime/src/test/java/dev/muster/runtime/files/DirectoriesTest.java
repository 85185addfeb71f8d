package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoriesTest {

    @TempDir
    private Path base;

    @Test
    void makesParentsToo() throws IOException {
        Directories.make(base.resolve("a/b/c"));

        assertThat(base.resolve("a/b/c")).isDirectory();
        for (String made : List.of("a", "a/b", "a/b/c")) {
            assertThat(Files.getPosixFilePermissions(base.resolve(made)))
                    .contains(PosixFilePermission.OWNER_WRITE)
                    .doesNotContain(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ)
                    .doesNotContain(PosixFilePermission.OTHERS_EXECUTE);
        }
    }

    @Test
    void isContentWithWhatExists() throws IOException {
        Files.createDirectories(base.resolve("real/x"));
        Files.createSymbolicLink(base.resolve("link"), base.resolve("real"));

        Directories.make(base.resolve("link/x"));
        Directories.make(base.resolve("link/y/../z"));

        assertThat(base.resolve("real/z")).isDirectory();
    }

    @Test
    void namesTheFileInTheWay() throws IOException {
        Files.writeString(base.resolve("a"), "");

        assertThatThrownBy(() -> Directories.make(base.resolve("a/b")))
                .isInstanceOf(FileException.class)
                .hasMessage("cannot make the directory " + base + "/a/b: not a directory in " + base + "/a");
        assertThatThrownBy(() -> Directories.make(base.resolve("a")))
                .hasMessage("cannot make the directory " + base + "/a: it is no directory");
    }

    @Test
    void namesTheLinkThatLeadsNowhere() throws IOException {
        Files.createSymbolicLink(base.resolve("a"), base.resolve("nowhere"));

        assertThatThrownBy(() -> Directories.make(base.resolve("a/b")))
                .hasMessage("cannot make the directory " + base + "/a/b: " + base + "/a is no directory");
    }

    @Test
    void namesTheParentThatTakesNoDirectories() {
        assertThatThrownBy(() -> Directories.make(Path.of("/proc/self/muster/x")))
                .isInstanceOf(FileException.class)
                .hasMessage("cannot make the directory /proc/self/muster/x: no such file or directory in /proc/self");
    }

    @Test
    void removesWhatIsInItButNothingWhereLinksLead() throws IOException {
        Path outside =
                Files.writeString(Files.createDirectory(base.resolve("outside")).resolve("file"), "precious");
        Path directory = base.resolve("a");
        Files.createDirectories(directory.resolve("b/c"));
        Files.createSymbolicLink(directory.resolve("b/link"), outside.getParent());
        Files.createFile(directory.resolve("b/c/file"));

        Directories.remove(directory);
        Path link = Files.createSymbolicLink(base.resolve("link"), outside.getParent());
        Directories.remove(link);
        Directories.remove(base.resolve("none"));

        assertThat(directory).doesNotExist();
        assertThat(link).doesNotExist();
        assertThat(outside).hasContent("precious");
    }
}
