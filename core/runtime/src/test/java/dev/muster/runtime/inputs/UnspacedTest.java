package dev.muster.runtime.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnspacedTest {

    private static final int BIG = Json.LIMIT + 1;

    @TempDir
    private Path directory;

    @Test
    void whiteSpaceOfABigFileCountsForNothing() throws IOException {
        Path table = write(
                "{\"a \\\" \\\\\": \"b  \\\\\", \t\r\n" + " ".repeat(BIG) + "\"c\": [1, \" \"]}",
                StandardCharsets.UTF_8);

        Snapshot snapshot = Snapshot.ofJson(table);

        assertThat(snapshot.bytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"a \\\" \\\\\":\"b  \\\\\",\n\"c\":[1,\" \"]}");
        assertThat(Json.read(snapshot.bytes()))
                .isEqualTo(new JsonReading.Complete(Map.of("a \" \\", "b  \\", "c", List.of(1L, " "))));
        assertThat(FilePrint.ofJson(table).orElseThrow().digest())
                .isEqualTo(FilePrint.of(snapshot.bytes(), FilePrint.Writing.of(table))
                        .digest());
    }

    /** They would be 12, -1 and true. */
    @Test
    void aBlankBetweenWordsStays() throws IOException {
        // The parts in which a file is read end within the white space, too.
        String text = "{\"a\" :" + " ".repeat(BIG) + "1 \t2 , \"b\": - \r1 }";
        Path table = write(text, StandardCharsets.UTF_8);

        Snapshot snapshot = Snapshot.ofJson(table);

        assertThat(snapshot.bytes()).asString(StandardCharsets.UTF_8).isEqualTo("{\"a\":1 2,\"b\":- 1}");
        assertThat(snapshot.size()).isEqualTo(text.length());
        Path spread = write("[tr" + " ".repeat(BIG) + "ue]", StandardCharsets.UTF_8);
        assertThat(Snapshot.ofJson(spread).bytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("[tr ue]");
    }

    @Test
    void smallFilesAreTakenAsTheyAre() throws IOException {
        Path table = write("{ \"a\" : 1 }", StandardCharsets.UTF_8);

        assertThat(Snapshot.ofJson(table).bytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{ \"a\" : 1 }");
    }

    @Test
    void whatIsTooBigWithoutWhiteSpaceIsRefused() throws IOException {
        // What follows is no white space: zeros, which take no room on the disk.
        assertTooBig(sized("{\"a\": \"", BIG + 1, StandardCharsets.UTF_8));
        assertTooBig(sized(" ", BIG, StandardCharsets.UTF_16));
        assertTooBig(sized(" ", BIG, StandardCharsets.UTF_16LE));
        assertTooBig(sized("{}", Unspaced.MOST + 1, StandardCharsets.UTF_8));
    }

    private Path sized(String start, int size, Charset charset) throws IOException {
        Path table = write(start, charset);
        try (RandomAccessFile file = new RandomAccessFile(table.toFile(), "rw")) {
            file.setLength(size);
        }
        return table;
    }

    private static void assertTooBig(Path table) {
        assertThat(Snapshot.ofJson(table).state()).isEqualTo(Snapshot.State.TOO_BIG);
    }

    private Path write(String text, Charset charset) throws IOException {
        return Files.writeString(directory.resolve("table.json"), text, charset);
    }
}
