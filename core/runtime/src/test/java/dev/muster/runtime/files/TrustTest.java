package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test directory is below {@code /tmp}, where all users can write. */
class TrustTest {

    @TempDir
    private Path directory;

    @Test
    @DisplayName("a file of this user that nobody else can write to is trusted without a warning")
    void anOwnFileThatOthersMayReadIsTrusted() throws IOException {
        Path file = file("file", 0644);

        assertThat(Trust.ofCode(file)).isEqualTo(new Trust.Judgement(none(), List.of()));
        assertThat(Trust.ofData(file).warnings()).isEmpty();
        assertThat(Trust.ofCode(directory).refusal()).isEmpty();
    }

    @Test
    @DisplayName("a parent directory that others may write makes a file untrusted, unless the directory is sticky")
    void directoriesAboveCount() throws IOException {
        Path open = Files.createDirectory(directory.resolve("open"));
        Path file = Files.createDirectory(open.resolve("inner")).resolve("file");
        Files.createFile(file);
        mode(open, 0777);

        assertThat(codeFlaw(file))
                .isEqualTo("depends on others: " + open
                        + " is writable by others (0777), who could exchange what is in it");
        assertThat(Trust.ofCode(open).refusal()).isPresent();
        assertThat(Trust.ofData(file).refusal()).isEmpty();
        assertThat(Trust.ofData(file).warnings()).hasSize(1);

        mode(open, 01777);
        assertThat(Trust.ofCode(file).refusal()).isEmpty();
        assertThat(Trust.ofData(file).warnings()).isEmpty();

        OtherUser.give(open);
        assertThat(codeFlaw(file)).startsWith("depends on others: " + open + " belongs to uid 47110");
    }

    @Test
    @DisplayName("a link of another user is refused, and each directory on the way of a link is checked")
    void linksAreFollowedOnlyWhereTheyAreOurs() throws IOException {
        Path file = file("file", 0644);
        Path theirs = Files.createSymbolicLink(directory.resolve("theirs"), file);
        OtherUser.give(theirs);
        assertThat(codeFlaw(theirs)).startsWith("is a link of uid 47110");

        Path open = Files.createDirectory(directory.resolve("open"));
        Files.createSymbolicLink(open.resolve("middle"), Path.of("../file"));
        mode(open, 0777);
        Path ours = Files.createSymbolicLink(directory.resolve("ours"), Path.of("open/middle"));
        assertThat(codeFlaw(ours)).contains(open + " is writable by others (0777)");

        mode(open, 0755);
        assertThat(Trust.ofCode(ours).refusal()).isEmpty();
    }

    @Test
    @DisplayName("a key that all users can read is refused")
    void keysAreClosed() throws IOException {
        assertThat(Trust.ofKey(file("closed", 0600)).refusal()).isEmpty();
        assertThat(Trust.ofKey(file("of-group", 0640)).refusal()).isEmpty();
        assertThat(Trust.ofKey(file("open", 0644)).refusal().orElseThrow().what())
                .isEqualTo("can be read or written by others (0644)");
    }

    @Test
    void whatIsNotThereIsAnError() throws IOException {
        assertThatThrownBy(() -> Trust.ofCode(directory.resolve("none"))).isInstanceOf(NoSuchFileException.class);
        Path loop = directory.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertThatThrownBy(() -> Trust.ofCode(loop)).hasMessageContaining("oo many levels");
    }

    private static Optional<Trust.Flaw> none() {
        return Optional.empty();
    }

    private static String codeFlaw(Path path) throws IOException {
        return Trust.ofCode(path).refusal().orElseThrow().of(path);
    }

    private static void mode(Path path, int mode) throws IOException {
        Files.setAttribute(path, "unix:mode", mode);
    }

    private Path file(String name, int mode) throws IOException {
        Path file = Files.createFile(directory.resolve(name));
        mode(file, mode);
        return file;
    }
}
