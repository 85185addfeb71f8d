package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.text.Secrets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConsoleTest {

    /** Far more than a loaded machine needs. A wait for a stuck stream would never end. */
    private static final Duration NOT_FOR_EVER = Duration.ofSeconds(30);

    private static final int MEGABYTE = 1024 * 1024;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void whatMusterSaysGoesToStandardError() {
        Console console = new Console(out, err, () -> false);
        LineFormatter rank = rank(console);

        console.say("starting");
        print(rank, "hello\n");
        console.say("größe");
        console.close();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("[0] hello\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("muster: starting\nmuster: größe\n");
    }

    @Test
    @DisplayName("A message of Muster is one line without control characters, whatever it quotes")
    void whatMusterSaysIsOneHarmlessLine() {
        Console console = new Console(out, err, () -> false);

        console.say("job a\nmuster: exit 0: all ranks succeeded\r\u001b[2J\u009b\u0000\u202e\u2028b");
        console.warn("c\n");
        console.close();

        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "muster: job a\\nmuster: exit 0: all ranks succeeded\\r\\u001b[2J\\u009b\\u0000\\u202e\\u2028b",
                        "muster: warning: c\\n");
    }

    @Test
    @DisplayName("Errors are red, warnings yellow and the exit line is bold; a quoted line cannot set colours")
    void colours() {
        Console console = new Console(out, err, () -> false);

        console.color(true);
        console.say("exit 3: rank 1 failed");
        console.say("exit 0: done");
        console.warn("slow");
        console.say("said: \u001b[32mgreen");
        console.color(false);
        console.say("exit 3: rank 1 failed");
        console.close();

        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "\u001b[1;31mmuster: exit 3: rank 1 failed\u001b[0m",
                        "\u001b[1mmuster: exit 0: done\u001b[0m",
                        "\u001b[33mmuster: warning: slow\u001b[0m",
                        "muster: said: \\u001b[32mgreen",
                        "muster: exit 3: rank 1 failed");
    }

    @Test
    @DisplayName("Messages of Muster show no secret, from the first message on")
    void whatMusterSaysTellsNoSecret() {
        Console console = new Console(out, err, () -> false);

        console.say("postgres://u:pw@h");
        console.mask(new Secrets(List.of()).mask(Map.of("A_TOKEN", "hidden"), List.of("--password", "-within")));
        console.say("hidden -within");
        console.close();

        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("muster: postgres://u:******@h", "muster: ****** ******");
    }

    @Test
    void theOrderOfWhatHappenedIsKept() {
        Console console = new Console(out, out, () -> true);
        LineFormatter rank = rank(console);

        for (int line = 0; line < 1000; line++) {
            print(rank, line + "\n");
            console.say(line + "");
        }
        console.close();

        StringBuilder expected = new StringBuilder();
        for (int line = 0; line < 1000; line++) {
            expected.append("[0] ")
                    .append(line)
                    .append("\nmuster: ")
                    .append(line)
                    .append('\n');
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(expected.toString());
    }

    @Test
    void whatMusterSaysDoesNotTearAnUnfinishedLineOfTheSameTerminal() {
        Console console = new Console(out, out, () -> true);
        LineFormatter rank = rank(console);

        print(rank, "abc");
        rank.showPartial();
        console.say("stopping");
        print(rank, "def\n");
        console.close();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("[0] abc\nmuster: stopping\n[0] def\n");
    }

    @Test
    void aReaderThatIsSlowGetsEverything() {
        OutputStream slow = new OutputStream() {
            private int writes;

            @Override
            public void write(int value) {
                out.write(value);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                // Only every eighth time: on a busy machine a pause takes far longer.
                if (++writes % 8 == 0) {
                    pause(1);
                }
                out.write(bytes, from, count);
            }
        };
        Console console = new Console(slow, err, () -> false);
        LineFormatter rank = rank(console);

        flood(rank, 12);
        console.close();

        assertThat(out.size()).isEqualTo(12 * MEGABYTE + 12 * 16 * 4);
        assertThat(err.size()).isZero();
    }

    @Test
    void aReaderThatTakesNothingStopsNobodyForLong() {
        Console console = new Console(new StuckStream(), err, () -> false);
        LineFormatter rank = rank(console);
        long start = System.nanoTime();

        flood(rank, 100);
        console.say("exit 0");
        console.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(NOT_FOR_EVER);
        long total = 100L * MEGABYTE;
        String told = err.toString(StandardCharsets.UTF_8);
        assertThat(told).startsWith("muster: exit 0\n").contains(" bytes not shown");
        // The count includes the queued prefixes.
        assertThat(Long.parseLong(told.lines().toList().get(1).split(" ", 3)[1]))
                .isBetween(total, total + 1000);
    }

    @Test
    void aReaderThatComesBackIsToldWhatItMissed() throws Exception {
        StuckStream stuck = new StuckStream();
        Console console = new Console(stuck, err, () -> false);
        LineFormatter rank = rank(console);

        flood(rank, 20);
        stuck.open.countDown();
        Await.until("there is room again", () -> {
            print(rank, "back\n");
            return err.size() > 0;
        });
        console.close();

        String told = err.toString(StandardCharsets.UTF_8);
        assertThat(told).startsWith("muster: ").contains(" bytes not shown");
        long missing = Long.parseLong(told.split(" ", 3)[1]);
        String shown = stuck.taken.toString(StandardCharsets.UTF_8);
        assertThat(shown.length() + missing).isGreaterThanOrEqualTo(20L * MEGABYTE);
        assertThat(shown).endsWith("\n[0] back\n");
    }

    @Test
    void whatMusterSaysTearsNoLineThatIsShownWhole() {
        Console console = new Console(out, out, () -> true);
        String line = "y".repeat(LineFormatter.LINE_LIMIT - 10);
        AtomicBoolean stop = new AtomicBoolean();
        Thread talker = new Thread(() -> {
            while (!stop.get()) {
                console.say("hello");
            }
        });
        talker.start();

        for (String prefix : List.of("[0] ", "")) {
            LineFormatter rank = new LineFormatter(prefix, console, null);
            for (int count = 0; count < 50; count++) {
                // The console holds this unfinished line back. The next call completes it, and prints a second line.
                print(rank, line);
                print(rank, "\n" + line + "\n");
            }
        }
        stop.set(true);
        console.close();

        assertThat(out.toString(StandardCharsets.UTF_8).lines().filter(shown -> !shown.equals("muster: hello")))
                .hasSize(200)
                .allMatch(shown -> shown.equals(line) || shown.equals("[0] " + line));
    }

    @Test
    void aClosedStandardOutputIsSaidOnce() {
        Console console = new Console(new ClosedStream(), err, () -> false);
        LineFormatter rank = rank(console);

        print(rank, "a\n");
        flood(rank, 20);
        console.close();

        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "muster: standard output is closed (broken pipe); what the processes print goes to the log files alone\n");
    }

    /** A stream that blocks until the test opens it. */
    private static final class StuckStream extends OutputStream {
        private final CountDownLatch open = new CountDownLatch(1);
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            taken.write(bytes, from, count);
        }
    }

    private static final class ClosedStream extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            throw new IOException("Broken pipe");
        }
    }

    private static LineFormatter rank(Console console) {
        return new LineFormatter("[0] ", console, null);
    }

    /** Prints lines of 64 KB, sixteen of them a megabyte. */
    private static void flood(LineFormatter rank, int megabytes) {
        byte[] line = ("x".repeat(MEGABYTE / 16 - 1) + "\n").getBytes(StandardCharsets.US_ASCII);
        for (int count = 0; count < megabytes * 16; count++) {
            rank.accept(line, line.length);
        }
    }

    private static void print(LineFormatter rank, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        rank.accept(bytes, bytes.length);
    }

    private static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
