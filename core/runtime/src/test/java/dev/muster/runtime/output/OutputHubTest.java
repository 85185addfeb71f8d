package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputHubTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int MEGABYTE = 1024 * 1024;

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Console console = Console.onto(out, err);

    @Test
    void outputIsInTheLogFileAndOnTheConsole() throws Exception {
        TestRanks ranks = new TestRanks(console, directory);
        ranks.start("echo one; echo two >&2; printf three");
        ranks.waitFor();

        assertThat(ranks.hub.drain(LONG)).isEmpty();
        console.close();

        assertThat(Files.readString(ranks.log(0))).isEqualTo("one\ntwo\nthree");
        assertThat(shown()).isEqualTo("[rank 0] one\n[rank 0] two\n[rank 0] three");
        LogReport report = Objects.requireNonNull(ranks.hub.reports().get("rank-0"));
        assertThat(report.file()).contains(ranks.log(0));
        assertThat(report.bytesLogged()).isEqualTo(13);
        assertThat(report.bytesLost()).isZero();
    }

    @DisplayName("the lines before a stop are known apart from later lines")
    @Test
    void whatCameBeforeAStopIsRemembered() throws Exception {
        Path stopped = directory.resolve("stopped");
        TestRanks ranks = new TestRanks(console, directory);
        ranks.start("echo before; until [ -e \"$1\" ]; do sleep 0.01; done; echo later", stopped.toString());
        assertThat(ranks.hub.lastBeforeStop("rank-0")).isEqualTo("");
        long end = System.nanoTime() + LONG.toNanos();
        while (ranks.hub.last("rank-0").isEmpty()) {
            assertThat(System.nanoTime()).as("nothing came").isLessThan(end);
            Thread.onSpinWait();
        }

        ranks.hub.markStop();
        Files.createFile(stopped);
        ranks.waitFor();
        ranks.hub.drain(LONG);

        assertThat(ranks.hub.lastBeforeStop("rank-0")).isEqualTo("before\n");
        assertThat(ranks.hub.last("rank-0")).isEqualTo("before\nlater\n");
    }

    @Test
    void everyByteArrives() throws Exception {
        byte[] bytes = new byte[MEGABYTE];
        new Random(3).nextBytes(bytes);
        for (int index = 0; index < bytes.length / 2; index++) {
            bytes[index] = (byte) index;
        }
        Path source = Files.write(directory.resolve("source"), bytes);
        TestRanks ranks = new TestRanks(console, directory);
        ranks.start("cat \"$1\"", source.toString());
        ranks.waitFor();

        ranks.hub.drain(LONG);
        console.close();

        assertThat(Files.mismatch(source, ranks.log(0))).isEqualTo(-1);
    }

    @Test
    void manyRanksLoseAndTearNothing() throws Exception {
        String line = "x".repeat(92);
        TestRanks ranks = new TestRanks(Console.onto(OutputStream.nullOutputStream(), err), directory);
        int lines = 20 * MEGABYTE / 100;
        for (int rank = 0; rank < 8; rank++) {
            ranks.start("yes \"$1\" | head -n $2", rank + " " + line, Integer.toString(lines));
        }
        ranks.waitFor();

        ranks.hub.drain(LONG);

        for (int rank = 0; rank < 8; rank++) {
            String expected = rank + " " + line + "\n";
            assertContent(ranks.log(rank), expected, lines, "");
            assertThat(ranks.log(TestRanks.id(rank)).bytesLogged()).isEqualTo((long) lines * expected.length());
        }
    }

    @Test
    void whatAGrandchildPrintsLaterIsNotLost() throws Exception {
        TestRanks ranks = new TestRanks(console, directory);
        ranks.start("(for i in 1 2 3; do sleep 0.1; echo late $i; done) & echo first");
        ranks.waitFor();

        assertThat(ranks.hub.drain(LONG)).isEmpty();
        console.close();

        assertThat(Files.readString(ranks.log(0))).isEqualTo("first\nlate 1\nlate 2\nlate 3\n");
        assertThat(shown()).isEqualTo("[rank 0] first\n[rank 0] late 1\n[rank 0] late 2\n[rank 0] late 3\n");
    }

    @Test
    void aGrandchildThatHoldsTheOutputIsNotWaitedForLongerThanTheLimit() throws Exception {
        TestRanks ranks = new TestRanks(console, directory);
        Process holder = ranks.start("echo $$; sleep 100 & echo $!; printf end");
        ranks.start("echo quick");
        ranks.waitFor();
        Await.until("both have printed", () -> Files.readString(ranks.log(0)).endsWith("end"));
        long grandchild = Long.parseLong(Files.readAllLines(ranks.log(0)).get(1));
        long start = System.nanoTime();

        List<String> held = ranks.hub.drain(Duration.ofMillis(300));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300), LONG);
        assertThat(held).containsExactly("rank-0");
        assertThat(Files.readString(ranks.log(0))).isEqualTo(holder.pid() + "\n" + grandchild + "\nend");
        ProcessHandle.of(grandchild).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void aGrandchildThatPrintsWithoutEndIsNotWaitedFor() throws Exception {
        TestRanks ranks = new TestRanks(Console.onto(OutputStream.nullOutputStream(), err), directory);
        ranks.start("yes > /dev/stderr & echo $!");
        ranks.waitFor();
        Await.until("it prints", () -> Files.size(ranks.log(0)) > 1000);

        assertThat(ranks.hub.drain(Duration.ofMillis(200))).containsExactly("rank-0");

        // Its pipe has no reader any more, so the kernel ends it.
        assertThat(ranks.log("rank-0").bytesLogged()).isEqualTo(Files.size(ranks.log(0)));
    }

    @Test
    void anUnfinishedLineIsShownSoon() throws Exception {
        TestRanks ranks = new TestRanks(console, directory);
        Path gate = directory.resolve("gate");
        ranks.start("printf 'Password: '; while [ ! -e \"$1\" ]; do sleep 0.01; done; echo ok", gate.toString());

        Await.until("the question is shown", () -> shown().equals("[rank 0] Password: "));
        Files.createFile(gate);
        ranks.waitFor();
        ranks.hub.drain(LONG);
        console.close();

        assertThat(shown()).isEqualTo("[rank 0] Password: ok\n");
    }

    @Test
    void aProgressBarIsShownTenTimesASecondAndLoggedInFull() throws Exception {
        TestRanks ranks = new TestRanks(console, directory);
        ranks.start("for i in $(seq 100); do printf '\\r%d%%' $i; sleep 0.01; done; echo");
        long start = System.nanoTime();
        ranks.waitFor();
        ranks.hub.drain(LONG);
        long tenths = (System.nanoTime() - start) / 100_000_000;
        console.close();

        StringBuilder all = new StringBuilder();
        for (int state = 1; state <= 100; state++) {
            all.append('\r').append(state).append('%');
        }
        assertThat(Files.readString(ranks.log(0))).isEqualTo(all + "\n");
        assertThat(shown().split("\r", -1)).hasSizeBetween(3, (int) tenths + 2);
        assertThat(shown()).startsWith("[rank 0] ").endsWith("100%\n");
    }

    @Test
    void aProcessThatWasNotStartedHoldsNothingUp() throws Exception {
        TestRanks ranks = new TestRanks(console, directory);
        ProcessOutput output = ranks.hub.open(ranks.spec(0));
        output.pipe().closeWriteEnd();

        assertThat(ranks.hub.drain(LONG)).isEmpty();
        assertThat(ranks.log("rank-0").bytesLogged()).isZero();
    }

    @Test
    void manyProcessesLeaveNoDescriptorBehind() throws Exception {
        int before = descriptors();
        TestRanks ranks = new TestRanks(console, directory);
        for (int rank = 0; rank < 100; rank++) {
            ranks.start("echo $1", "hello " + rank);
        }
        ranks.waitFor();
        assertThat(ranks.hub.drain(LONG)).isEmpty();
        console.close();

        for (int rank = 0; rank < 100; rank++) {
            assertThat(Files.readString(ranks.log(rank))).isEqualTo("hello " + rank + "\n");
        }
        assertThat(descriptors()).isLessThanOrEqualTo(before + 5);
    }

    private static int descriptors() {
        return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
    }

    private String shown() {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Checks that the file repeats the text {@code times} times, and then ends with {@code end}. */
    private static void assertContent(Path file, String text, int times, String end) throws IOException {
        byte[] expected = text.repeat(Math.min(times, 1000)).getBytes(StandardCharsets.US_ASCII);
        byte[] found = new byte[expected.length];
        try (InputStream content = Files.newInputStream(file)) {
            for (long left = (long) times * text.length(); left > 0; left -= found.length) {
                int size = (int) Math.min(left, found.length);
                int read = content.readNBytes(found, 0, size);
                assertThat(Arrays.mismatch(found, 0, read, expected, 0, size))
                        .as("difference in %s, %d bytes before its end", file, left + end.length())
                        .isEqualTo(-1);
            }
            assertThat(new String(content.readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo(end);
        }
    }
}
