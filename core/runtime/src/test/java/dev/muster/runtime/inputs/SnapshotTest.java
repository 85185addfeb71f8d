package dev.muster.runtime.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {

    private static final List<byte[]> CONTENTS = IntStream.rangeClosed('a', 'z')
            .mapToObj(
                    letter -> Character.toString(letter).repeat(50_000 + letter).getBytes(StandardCharsets.US_ASCII))
            .toList();

    @TempDir
    private Path directory;

    @Test
    void neverMixesTwoContentsWhileTheFileIsReplacedAndRewritten() throws IOException {
        Path table = directory.resolve("table.json");
        Files.write(table, content(0));
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> rewrite(table, 2000));

        int wholeSnapshots = 0;
        while (!writer.isDone() || wholeSnapshots == 0) {
            Snapshot snapshot = Snapshot.of(table, Json.LIMIT);
            if (snapshot.state() == Snapshot.State.CONTENT) {
                assertThat(isOfOneVersion(snapshot.bytes())).isTrue();
                wholeSnapshots++;
            }
        }
        writer.join();
    }

    @Test
    void knowsWhatIsThere() throws IOException {
        Files.writeString(directory.resolve("file"), "12345");

        assertThat(Snapshot.of(directory.resolve("file"), 5).state()).isEqualTo(Snapshot.State.CONTENT);
        assertThat(Snapshot.of(directory.resolve("file"), 4).state()).isEqualTo(Snapshot.State.TOO_BIG);
        assertThat(Snapshot.of(directory, 4).state()).isEqualTo(Snapshot.State.DIRECTORY);
        assertThat(Snapshot.of(directory.resolve("other"), 4).state()).isEqualTo(Snapshot.State.MISSING);
        assertThat(Snapshot.of(Path.of("/dev/zero"), 4).state()).isEqualTo(Snapshot.State.SPECIAL);
    }

    /** Writes in two ways by turns: with a rename, and in place, which empties the file first. */
    private void rewrite(Path table, int times) {
        try {
            for (int version = 1; version <= times; version++) {
                if (version % 2 == 0) {
                    Files.write(table, content(version));
                } else {
                    Path temporary = Files.write(directory.resolve("temporary"), content(version));
                    Files.move(temporary, table, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] content(int version) {
        return CONTENTS.get(version % CONTENTS.size());
    }

    /** Part of one version is fine: the writer may not have finished. */
    private static boolean isOfOneVersion(byte[] bytes) {
        return CONTENTS.stream()
                .anyMatch(content -> bytes.length <= content.length
                        && Arrays.equals(bytes, 0, bytes.length, content, 0, bytes.length));
    }
}
