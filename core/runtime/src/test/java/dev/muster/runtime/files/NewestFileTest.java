package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewestFileTest {

    @TempDir
    private Path directory;

    @Test
    void theFirstHasTheNameAndNothingIsBesideIt() throws IOException {
        write("first");

        assertThat(directory.resolve("job-result.json")).hasContent("first 1");
        assertThat(names()).containsExactly("job-result.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("job-result.json"))))
                .startsWith("rw-")
                .endsWith("---");
    }

    @Test
    void olderOnesStayUnderTheirNumbers() throws IOException {
        write("first");
        write("second");
        write("third");

        assertThat(directory.resolve("job-result.json")).hasContent("third 3");
        assertThat(directory.resolve("job-result.1.json")).hasContent("first 1");
        assertThat(directory.resolve("job-result.2.json")).hasContent("second 2");
        assertThat(names()).hasSize(3);
    }

    @Test
    void numbersGoOnWhenTheUserHasRemovedSome() throws IOException {
        write("first");
        write("second");
        write("third");
        Files.delete(directory.resolve("job-result.1.json"));
        Files.delete(directory.resolve("job-result.json"));

        write("again");

        assertThat(directory.resolve("job-result.json")).hasContent("again 3");
        assertThat(directory.resolve("job-result.2.json")).hasContent("second 2");
    }

    @Test
    void whatOnlyLooksLikeANumberIsLeftAlone() throws IOException {
        List<String> others = List.of(
                "job-result.01.json",
                "job-result.x.json",
                "job-result..json",
                "job-result.9999999999.json",
                "job-result.7.json.gz",
                "other-result.7.json");
        for (String other : others) {
            Files.writeString(directory.resolve(other), other);
        }
        write("first");
        write("second");

        assertThat(directory.resolve("job-result.1.json")).hasContent("first 1");
        for (String other : others) {
            assertThat(directory.resolve(other)).hasContent(other);
        }
    }

    @Test
    void aLinkIsKeptItselfAndNeverFollowed() throws IOException {
        Path target = Files.writeString(directory.resolve("precious"), "precious");
        Files.createSymbolicLink(directory.resolve("job-result.json"), target);
        Path nowhere = directory.resolve("nowhere");
        Files.createSymbolicLink(directory.resolve("job-result.4.json"), nowhere);

        write("first");

        assertThat(target).hasContent("precious");
        assertThat(nowhere).doesNotExist();
        assertThat(Files.readSymbolicLink(directory.resolve("job-result.5.json")))
                .isEqualTo(target);
        assertThat(Files.isRegularFile(directory.resolve("job-result.json"), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
    }

    @Test
    void aDirectoryIsRefusedAndNothingChanges() throws IOException {
        Files.createDirectories(directory.resolve("job-result.json/inside"));

        assertThatThrownBy(() -> write("first"))
                .isInstanceOf(FileException.class)
                .hasMessage("cannot write " + directory.resolve("job-result.json") + ": it is a directory");
        assertThat(names()).containsExactly("job-result.json");
    }

    private void write(String content) throws FileException {
        new NewestFile(directory, "job-result", ".json").write(number -> content + " " + number);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }
}
