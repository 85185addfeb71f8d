package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A launcher whose console is not what it should be. */
class StandardStreamsTest {

    private static final String FLOOD = "seq 1000000; exit 7";
    private static final long FLOOD_SIZE = 6_888_896;

    @TempDir
    private Path directory;

    @Test
    void bothStreamsMayBeOnePipe() throws Exception {
        Process program = new ProcessBuilder(command("", "echo one; echo two >&2"))
                .redirectErrorStream(true)
                .start();

        assertThat(new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("muster: starting\n[rank 0] one\n[rank 0] two\nmuster: exit 0\n");
        assertThat(program.waitFor()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"})
    void closedStreamsChangeNeitherTheLogsNorTheExitCode(String closing) throws Exception {
        Process program = new ProcessBuilder(command(closing, FLOOD, FLOOD))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(new File(directory.toFile(), "err"))
                .start();

        assertThat(program.waitFor()).isEqualTo(7);
        assertLogged();
        if (!closing.contains("2")) {
            assertThat(Files.readString(directory.resolve("err")))
                    .isEqualTo("muster: starting\nmuster: standard output is closed; "
                            + "what the processes print goes to the log files alone\nmuster: exit 7\n");
        }
    }

    @Test
    void aReaderThatGoesAwayChangesNeitherTheLogsNorTheExitCode() throws Exception {
        Process program = new ProcessBuilder(command("", FLOOD, FLOOD))
                .redirectError(new File(directory.toFile(), "err"))
                .start();
        try (BufferedReader lines = program.inputReader()) {
            assertThat(lines.readLine()).startsWith("[rank ");
        }

        assertThat(program.waitFor()).isEqualTo(7);
        assertLogged();
        assertThat(Files.readString(directory.resolve("err"))).containsOnlyOnce("standard output is closed");
    }

    @Test
    void aReaderThatTakesNothingChangesNeitherTheLogsNorTheExitCode() throws Exception {
        Process program = new ProcessBuilder(command("", FLOOD, FLOOD))
                .redirectError(new File(directory.toFile(), "err"))
                .start();

        // 99 would say that the end took longer than a second and a half.
        assertThat(program.waitFor()).isEqualTo(7);
        assertLogged();
        assertThat(Files.readString(directory.resolve("err")))
                .contains("muster: exit 7\n")
                .contains(" bytes not shown");
    }

    @Test
    void aFileThatMayNotGrowChangesNeitherTheConsoleNorTheExitCode() throws Exception {
        Process program = new ProcessBuilder(
                        "/bin/sh", "-c", "ulimit -f 1000; exec \"$@\"", "sh", "/bin/sh", "-c", "exec " + quoted(FLOOD))
                .redirectError(new File(directory.toFile(), "err"))
                .start();
        long shown = program.getInputStream().transferTo(OutputStream.nullOutputStream());

        assertThat(program.waitFor()).isEqualTo(7);
        assertThat(shown).isEqualTo(FLOOD_SIZE + 1_000_000L * "[rank 0] ".length());
        long logged = Files.size(directory.resolve("rank-0.log"));
        assertThat(logged).isBetween(1L, 1_100_000L);
        assertThat(Files.readString(directory.resolve("err")))
                .contains("muster: warning: rank 0: log write failed (File too large): "
                        + directory.resolve("rank-0.log"))
                .contains("muster: warning: rank 0: " + (FLOOD_SIZE - logged) + " bytes of its output are not in ");
    }

    private void assertLogged() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            assertThat(Files.size(directory.resolve("rank-" + rank + ".log"))).isEqualTo(FLOOD_SIZE);
        }
    }

    /** A launcher of these scripts, started by a shell that closes streams first. */
    private List<String> command(String closing, String... scripts) {
        return List.of("/bin/sh", "-c", "exec " + quoted(scripts) + " " + closing);
    }

    private String quoted(String... scripts) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx96m",
                "-cp",
                System.getProperty("java.class.path"),
                PrintingProgram.class.getName(),
                directory.toString()));
        words.addAll(List.of(scripts));
        return "'" + String.join("' '", words) + "'";
    }
}
