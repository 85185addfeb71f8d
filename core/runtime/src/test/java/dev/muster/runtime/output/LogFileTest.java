package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFileTest {

    @TempDir
    private Path directory;

    private final List<String> warnings = new ArrayList<>();

    @Test
    void aNewFileIsForTheGroupToReadOnly() throws IOException {
        Path path = directory.resolve("log");

        LogFile log = open(path);
        write(log, "hello\n");
        log.close();

        assertThat(Files.readString(path)).isEqualTo("hello\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isIn("rw-r-----", "rw-------");
        assertThat(log.logged()).isEqualTo(6);
        assertThat(log.lost()).isZero();
        assertThat(warnings).isEmpty();
    }

    @Test
    void anExistingFileIsContinuedAfterALineThatSaysSo() throws IOException {
        Path path = Files.writeString(directory.resolve("log"), "old\n");

        LogFile log = open(path);
        write(log, "new\n");
        log.close();

        assertThat(Files.readString(path)).isEqualTo("old\n-- separator --\nnew\n");
        assertThat(log.logged()).isEqualTo(4);
    }

    @Test
    void anUnfinishedLineOfAnEarlierRunIsEndedFirst() throws IOException {
        Path path = Files.writeString(directory.resolve("log"), "old");

        LogFile log = open(path);
        write(log, "new");
        log.close();

        assertThat(Files.readString(path)).isEqualTo("old\n-- separator --\nnew");
    }

    @Test
    void anEmptyFileNeedsNoSeparator() throws IOException {
        Path path = Files.createFile(directory.resolve("log"));

        LogFile log = open(path);
        write(log, "new\n");
        log.close();

        assertThat(Files.readString(path)).isEqualTo("new\n");
    }

    @Test
    void aDirectoryOrDeviceIsNotWritten() {
        assertRefused(directory, "it is no regular file");
        assertRefused(Path.of("/dev/full"), "it is no regular file");
    }

    @Test
    void aMissingDirectoryIsNamed() {
        assertRefused(directory.resolve("missing/log"), "no such file or directory");
    }

    @Test
    void aFullDiskLosesNothingButBytesOfTheFile() throws Exception {
        boolean isMounted = run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", directory.toString()) == 0;
        assumeTrue(isMounted || "true".equals(System.getenv("CI")), "nothing can be mounted here");
        assertThat(isMounted).isTrue();
        try {
            fillAndFree(directory.resolve("log"), Files.write(directory.resolve("ballast"), new byte[40_000]));
        } finally {
            assertThat(run("umount", directory.toString())).isZero();
        }
    }

    private void fillAndFree(Path path, Path ballast) throws Exception {
        LogFile log = open(path);
        byte[] piece = "x".repeat(30_000).getBytes(StandardCharsets.US_ASCII);
        log.write(ByteBuffer.wrap(piece));
        log.write(ByteBuffer.wrap(piece));

        assertThat(log.logged()).isEqualTo(Files.size(path)).isLessThan(60_000);
        assertThat(log.logged() + log.lost()).isEqualTo(60_000);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("rank 0: log write failed (no space left on device): " + path);

        Files.delete(ballast);
        long loggedBefore = log.logged();
        Await.until("the file is written again", () -> {
            write(log, "y");
            return log.logged() > loggedBefore;
        });
        log.close();
        assertThat(Files.size(path)).isEqualTo(log.logged());
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).isEqualTo("rank 0: " + log.lost() + " bytes of its output are not in " + path);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a renamed (logrotate) or deleted log still gets all output, and a warning at the end says so")
    void aRenamedLogGoesOn(boolean isRenamed) throws IOException {
        Path path = directory.resolve("log");
        Path other = directory.resolve("log.1");
        LogFile log = open(path);
        write(log, "one ");
        Files.move(path, other);
        if (!isRenamed) {
            Files.delete(other);
        }
        write(log, "two");
        log.close();

        assertThat(Files.exists(other) ? Files.readString(other) : "one two").isEqualTo("one two");
        assertThat(log.logged()).isEqualTo(7);
        assertThat(warnings).singleElement().asString().contains("log file " + path + " was renamed or deleted");
    }

    @Test
    @DisplayName("a log that was emptied in place (logrotate's copytruncate) goes on at its beginning")
    void anEmptiedLogGoesOn() throws Exception {
        Path path = directory.resolve("log");
        LogFile log = open(path);
        write(log, "before");
        Files.write(path, new byte[0]);
        write(log, "after");
        log.close();

        assertThat(path).hasContent("after");
        assertThat(warnings).isEmpty();
    }

    private void assertRefused(Path path, String reason) {
        warnings.clear();
        LogFile log = open(path);
        write(log, "hello");
        log.close();

        assertThat(warnings)
                .containsExactly("rank 0: cannot write log file " + path + ": " + reason
                        + "; its output goes to the console only");
        assertThat(log.logged()).isZero();
        assertThat(log.lost()).isEqualTo(5);
    }

    private LogFile open(Path path) {
        return new LogFile(path, "rank 0", "-- separator --", null, warnings::add);
    }

    private static void write(LogFile log, String text) {
        log.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
