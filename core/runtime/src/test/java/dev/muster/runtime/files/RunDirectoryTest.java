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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {

    @TempDir
    private Path base;

    @Test
    void comesToBeWhenItIsAskedFor() throws IOException {
        try (RunDirectory directory = RunDirectory.of(Map.of(), List.of(base.toString()))) {
            assertThat(base).isEmptyDirectory();

            Path path = directory.path();

            assertThat(path).isDirectory().hasParent(base).isEqualTo(directory.path());
            assertThat(Files.getPosixFilePermissions(path)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void twoRunsDoNotShareOne() {
        try (RunDirectory one = RunDirectory.of(Map.of(), List.of(base.toString()));
                RunDirectory other = RunDirectory.of(Map.of(), List.of(base.toString()))) {
            assertThat(one.path()).isNotEqualTo(other.path());
        }
    }

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
    void closesQuietlyWhenNothingIsThere() throws IOException {
        RunDirectory unused = RunDirectory.of(Map.of(), List.of(base.toString()));
        unused.close();
        RunDirectory removed = RunDirectory.of(Map.of(), List.of(base.toString()));
        Files.delete(removed.path());
        removed.close();
        removed.close();

        assertThat(base).isEmptyDirectory();
    }

    @Test
    void prefersTheUsersOwnPlaces() throws IOException {
        Path runtime = Files.createDirectory(base.resolve("runtime"));
        Path temporary = Files.createDirectory(base.resolve("temporary"));
        Map<String, String> both = Map.of("XDG_RUNTIME_DIR", runtime.toString(), "TMPDIR", temporary.toString());
        Map<String, String> one = Map.of("XDG_RUNTIME_DIR", "", "TMPDIR", temporary.toString());

        try (RunDirectory first = RunDirectory.of(both, List.of(base.toString()));
                RunDirectory second = RunDirectory.of(one, List.of(base.toString()))) {
            assertThat(first.path()).hasParent(runtime);
            assertThat(second.path()).hasParent(temporary);
        }
    }

    @Test
    void passesOverPlacesThatCannotBeUsed() throws IOException {
        Path file = Files.writeString(base.resolve("file"), "");
        Map<String, String> unusable =
                Map.of("XDG_RUNTIME_DIR", base.resolve("missing").toString(), "TMPDIR", file.toString());

        try (RunDirectory directory = RunDirectory.of(unusable, List.of(base.toString()))) {
            assertThat(directory.path()).hasParent(base);
        }
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
            directory.requireClosed();

            assertThat(directory.path()).hasParent(home.resolve("closed"));
            for (ClosedPlace.Demand demand : ClosedPlace.Demand.values()) {
                assertThatThrownBy(() -> ClosedPlace.of(inside, demand)).hasMessage(open + " can be written by others");
                assertThatThrownBy(() -> ClosedPlace.of(open, demand)).hasMessage("can be written by others");
            }
        } finally {
            Files.delete(home.resolve("closed"));
            Files.delete(home);
        }
    }

    /** What lies in a sticky directory can be exchanged by its owner only. */
    @Test
    void aStickyDirectoryWillDoWhereNoneIsClosed() throws IOException {
        Path home = TestPlaces.closed();
        Path sticky = Files.createDirectory(home.resolve("sticky"));
        Files.setAttribute(sticky, "unix:mode", 01777);
        Path inside = Files.createDirectory(sticky.resolve("mine"));
        Map<String, String> places = Map.of("TMPDIR", sticky.toString(), "HOME", inside.toString());
        try (RunDirectory directory = RunDirectory.of(places, List.of("/proc/none"))) {
            directory.requireClosed();

            // Root has a closed place in any case.
            assertThat(directory.path().startsWith("/run") || directory.path().startsWith(sticky))
                    .isTrue();
            assertThat(directory.openVolume()).isEmpty();
            assertThat(ClosedPlace.of(inside, ClosedPlace.Demand.NO_HARM).volume())
                    .isEmpty();
            assertThatThrownBy(() -> ClosedPlace.of(inside, ClosedPlace.Demand.CLOSED))
                    .hasMessage(sticky + " can be written by others");
        } finally {
            Directories.remove(home);
        }
    }

    /** Somebody else's directory could hold anything, and waiting for it could take for ever. */
    @Test
    void whatBelongsToOthersIsNotTakenForARunThatWasLeft() throws IOException {
        Path link = base.resolve("muster-link");
        Path outside = Files.createDirectory(base.resolve("outside"));
        Files.writeString(outside.resolve(".running"), "");
        Files.createSymbolicLink(link, outside);
        assertThat(RunLock.abandonedIn(base)).isEmpty();
        Files.move(outside, base.resolve("muster-left"));
        assertThat(RunLock.abandonedIn(base)).containsExactly(base.resolve("muster-left"));
    }

    @Test
    void whatAKilledRunLeftInAClosedPlaceIsRemovedByTheNext() throws IOException {
        Path home = TestPlaces.closed();
        Path abandoned = Files.createDirectory(home.resolve("muster-old"));
        Files.writeString(abandoned.resolve("key"), "secret");
        Files.writeString(abandoned.resolve(".running"), "");
        Path other = Files.createDirectory(home.resolve("muster-other"));
        Map<String, String> places = Map.of("XDG_RUNTIME_DIR", home.toString());
        try (RunDirectory first = RunDirectory.of(places, List.of());
                RunDirectory second = RunDirectory.of(places, List.of())) {
            first.requireClosed();
            second.requireClosed();

            assertThat(first.path()).isDirectory();
            assertThat(abandoned).doesNotExist();
            assertThat(second.path()).isDirectory();
            assertThat(first.path()).isDirectory();
        } finally {
            Files.delete(other);
            Files.delete(home);
        }
    }
}
