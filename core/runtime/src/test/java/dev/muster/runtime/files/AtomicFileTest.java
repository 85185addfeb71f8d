package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {

    @TempDir
    private Path directory;

    @Test
    void writesTheFile() throws IOException {
        Path file = AtomicFile.write(directory, "table.json", "{}");

        assertThat(file).isEqualTo(directory.resolve("table.json")).hasContent("{}");
        assertThat(names()).containsExactly("table.json");
    }

    @Test
    void othersCannotReadIt() throws IOException {
        Path file = AtomicFile.write(directory, "table.json", "{}");

        assertThat(Files.getPosixFilePermissions(file))
                .contains(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)
                .doesNotContain(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ)
                .doesNotContain(PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OWNER_EXECUTE);
    }

    @Test
    void replacesWhatWasThere() throws IOException {
        AtomicFile.write(directory, "table.json", "a long old content");

        assertThat(AtomicFile.write(directory, "table.json", "new")).hasContent("new");
    }

    @Test
    void replacesALinkAndNotItsTarget() throws IOException {
        Path target = Files.writeString(directory.resolve("target"), "precious");
        Files.createSymbolicLink(directory.resolve("table.json"), target);

        Path file = AtomicFile.write(directory, "table.json", "new");

        assertThat(target).hasContent("precious");
        assertThat(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }

    @Test
    void readersNeverSeeAPartWhenManyWrite() throws Exception {
        int size = 300_000;
        AtomicFile.write(directory, "table.json", filled(0, size));
        ExecutorService nodes = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int node = 1; node <= 4; node++) {
                String content = filled(node, size);
                writers.add(nodes.submit(() -> {
                    for (int round = 0; round < 25; round++) {
                        AtomicFile.write(directory, "table.json", content);
                    }
                    return null;
                }));
            }
            while (!writers.stream().allMatch(Future::isDone)) {
                String seen = Files.readString(directory.resolve("table.json"));
                assertThat(seen.equals(seen.substring(0, 1).repeat(size))).isTrue();
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        } finally {
            nodes.shutdownNow();
        }
        assertThat(names()).containsExactly("table.json");
    }

    @Test
    void leavesNothingBehindWhenTheNameIsTaken() throws IOException {
        Files.createDirectories(directory.resolve("table.json/inside"));

        assertThatThrownBy(() -> AtomicFile.write(directory, "table.json", "{}"))
                .isInstanceOf(FileException.class)
                .hasMessage("cannot write " + directory.resolve("table.json") + ": is a directory");
        assertThat(names()).containsExactly("table.json");
    }

    @Test
    void saysWhatStandsInTheWay() {
        Path missing = directory.resolve("missing");

        assertThatThrownBy(() -> AtomicFile.write(missing, "table.json", "{}"))
                .isInstanceOf(FileException.class)
                .hasMessage("cannot write " + missing.resolve("table.json") + ": no such file or directory");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    private static String filled(int node, int size) {
        return Integer.toString(node).repeat(size);
    }
}
