package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunDirectoryTest {

    @TempDir
    private Path base;

    @Test
    void goesWithItsContentButNotWithWhatLinksLeadTo() throws IOException {
        Path outside = Files.createDirectory(base.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "x");
        try (RunDirectory directory = RunDirectory.of(Map.of(), List.of(base.toString()))) {
            Path path = directory.path();
            Files.createDirectories(path.resolve("a/b"));
            Files.writeString(path.resolve("a/b/file"), "x");
            Files.createSymbolicLink(path.resolve("a/link"), outside);
        }

        assertThat(base).isDirectoryNotContaining(entry -> !entry.equals(outside));
        assertThat(outside.resolve("precious")).exists();
    }

    @Test
    void saysWhichPlacesFailed() {
        RunDirectory directory =
                RunDirectory.of(Map.of("XDG_RUNTIME_DIR", "relative", "TMPDIR", "/proc/none"), List.of("/proc/self"));

        assertThatThrownBy(directory::path)
                .isInstanceOfSatisfying(
                        MusterException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.CONFIGURATION))
                .hasMessage("cannot make a private temporary directory in /proc/none (no such file or directory), "
                        + "/proc/self (no such file or directory). Set TMPDIR to a directory that can be written");
    }

    @Test
    void aClosedPlaceHasNoDirectoryAboveThatOthersCanWriteTo() throws IOException {
        Path open = Files.createDirectory(base.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path inside = Files.createDirectory(open.resolve("mine"));
        Path home = TestPlaces.closed();
        Map<String, String> places =
                Map.of("XDG_RUNTIME_DIR", home.resolve("closed").toString(), "TMPDIR", inside.toString(), "HOME", "/");
        Files.createDirectory(home.resolve("closed"));
        try (RunDirectory directory = RunDirectory.of(places, List.of())) {
            directory.requireTrusted();

            assertThat(directory.path()).hasParent(home.resolve("closed"));
        } finally {
            Files.delete(home.resolve("closed"));
            Files.delete(home);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"it's", "\"", "%h", "a b", "%%", "a\\b", "a\nb", "#", "$x", "a:b", "${HOME}"})
    @DisplayName("a trusted run directory is not below a path with special characters")
    void aClosedPlaceHasAPlainPath(String odd) throws IOException {
        Path other = Files.createDirectory(base.resolve(odd));
        Path plain = Files.createDirectory(base.resolve("plain-ä_1"));
        try (RunDirectory directory =
                RunDirectory.of(Map.of("XDG_RUNTIME_DIR", other.toString(), "HOME", plain.toString()), List.of())) {
            directory.requireTrusted();
            assertThat(directory.path().toString()).doesNotContain(odd);
        }
        try (RunDirectory directory = RunDirectory.of(Map.of("TMPDIR", other.toString()), List.of())) {
            assertThat(directory.path().getParent()).isEqualTo(other);
        }
    }

    /** In a sticky directory only the owner of a file can replace it. */
    @Test
    void aStickyDirectoryWillDoWhereNoneIsClosed() throws IOException {
        Path home = TestPlaces.closed();
        Path sticky = Files.createDirectory(home.resolve("sticky"));
        Files.setAttribute(sticky, "unix:mode", 01777);
        Path inside = Files.createDirectory(sticky.resolve("mine"));
        Map<String, String> places = Map.of("TMPDIR", sticky.toString(), "HOME", inside.toString());
        try (RunDirectory directory = RunDirectory.of(places, List.of("/proc/none"))) {
            directory.requireTrusted();

            // Root always has a directory that others cannot write to: one below /run.
            assertThat(directory.path().startsWith("/run") || directory.path().startsWith(sticky))
                    .isTrue();
            assertThat(directory.sharedVolume()).isEmpty();
            assertThat(Trust.isStrict(inside)).isFalse();
        } finally {
            Directories.remove(home);
        }
    }

    @Test
    @DisplayName("directories that the run's processes made elsewhere are removed with it, those of others stay")
    void whatARunHasElsewhereGoesWithIt() throws IOException {
        Path session = Files.createDirectories(base.resolve("ompi.host.0/pid.12"));
        Files.writeString(session.resolve("contact.txt"), "x");
        Path shared = Files.createDirectories(base.resolve("ompi.other.0/pid.13"));
        Path unfinished = Files.createFile(base.resolve("unfinished"));
        Path left;
        try (RunDirectory directory = RunDirectory.of(Map.of(), List.of(base.toString()))) {
            left = directory.path();
            String lines = String.join(
                    "\n",
                    session.toString(),
                    session.getParent() + "/",
                    shared.getParent() + "/",
                    "relative/path",
                    base + "/x/../ompi.other.0",
                    "/",
                    "/tmp",
                    "",
                    "\0",
                    unfinished.toString());
            Files.writeString(left.resolve("elsewhere"), lines);
        }
        assertThat(session.getParent()).doesNotExist();
        assertThat(shared).isDirectory();
        assertThat(unfinished).exists();
        assertThat(left).doesNotExist();
    }

    @Test
    @DisplayName("a removal list that belongs to another user is ignored")
    void aListOfOthersIsNotBelieved() throws IOException {
        Path precious = Files.createDirectory(base.resolve("precious"));
        RunDirectory directory = RunDirectory.of(Map.of(), List.of(base.toString()));
        Path list = Files.writeString(directory.path().resolve("elsewhere"), precious + "\n");
        OtherUser.give(list);

        directory.close();

        assertThat(precious).exists();
    }

    @Test
    @DisplayName("the next launcher removes what a killed launcher left, and nothing of a running one")
    void whatAKilledLauncherLeftIsRemoved() throws IOException {
        Path left = Files.createDirectory(base.resolve("muster-1234567"));
        Files.createFile(left.resolve(DirectoryLock.FILE));
        Path other = Files.createDirectory(base.resolve("muster-7654321"));
        Path session = Files.createDirectories(base.resolve("session/muster-1234567"));
        Files.writeString(left.resolve("elsewhere"), session + "\n" + base.resolve("precious/x") + "\n");
        try (RunDirectory living = RunDirectory.of(Map.of(), List.of(base.toString()));
                RunDirectory next = RunDirectory.of(Map.of(), List.of(base.toString()))) {
            assertThat(living.path()).isDirectoryContaining(file -> file.endsWith(DirectoryLock.FILE));
            assertThat(next.path()).isNotEqualTo(living.path());
            assertThat(living.path()).exists();
        }
        assertThat(left).doesNotExist();
        assertThat(session).doesNotExist();
        assertThat(other).exists();
    }
}
