package dev.muster.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.text.Secrets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminationLogTest {

    private static final int MOST_BYTES = 4096;

    @TempDir
    private Path root;

    private Path file;
    private final Map<String, String> environment = new HashMap<>(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.createFile(Files.createDirectory(root.resolve("dev")).resolve("termination-log"));
    }

    @Test
    void whatTheJobHasWrittenItselfStays() throws IOException {
        Files.writeString(file, "loss is NaN");

        write("exit 3: rank 0 ended with exit code 3");

        assertThat(file).hasContent("loss is NaN\nexit 3: rank 0 ended with exit code 3\n");
    }

    @Test
    void itIsNeverMadeAndNoLinkIsFollowed() throws IOException {
        Files.delete(file);
        write("exit 0: 1 rank succeeded");
        assertThat(file).doesNotExist();

        Path target = Files.writeString(root.resolve("precious"), "precious");
        Files.createSymbolicLink(file, target);
        write("exit 0: 1 rank succeeded");
        assertThat(target).hasContent("precious");

        Files.delete(file);
        Files.createDirectory(file);
        write("exit 0: 1 rank succeeded");
        assertThat(file).isEmptyDirectory();
    }

    @Test
    void ofManyLinesTheLastOnesFit() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int rank = 0; rank < 300; rank++) {
            lines.add("rank " + rank + " failed too: exit code 1");
        }
        lines.add("exit 3: the cause");

        write(lines.toArray(String[]::new));

        List<String> shown = Files.readAllLines(file);
        assertThat(Files.size(file)).isBetween(MOST_BYTES - 100L, (long) MOST_BYTES);
        assertThat(shown).isEqualTo(lines.subList(lines.size() - shown.size(), lines.size()));
    }

    @Test
    void aLineThatIsTooLongIsCutBetweenCharacters() throws IOException {
        for (int before = 0; before < 4; before++) {
            Files.writeString(file, "");

            write("x".repeat(before) + ("\ud83d\ude00".repeat(400) + " ").repeat(4));

            byte[] written = Files.readAllBytes(file);
            assertThat(written.length).isBetween(MOST_BYTES - 10, MOST_BYTES);
            assertThat(decoded(written)).endsWith("\ud83d\ude00...\n");
        }
    }

    private static String decoded(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    private void write(String... lines) {
        new TerminationLog(root, environment, new Secrets(List.of()).mask(environment, List.of()))
                .write(List.of(lines));
    }
}
