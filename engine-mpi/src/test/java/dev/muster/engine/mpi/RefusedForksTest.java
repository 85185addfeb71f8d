package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.GeneratedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shell of mpirun at the limit of processes. dash ends at once, with a code of its own. bash ends after 15 seconds of
 * retries; this is not tested here.
 */
@Timeout(60)
class RefusedForksTest {

    /** The kernel does not limit the processes of root, so the tests run as another user. */
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all");

    private static final String SENTENCE = "no more processes or threads can be started";

    @TempDir
    Path place;

    private Path printed = Path.of("/dev/null");

    @BeforeEach
    void letOthersWrite() throws IOException {
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        printed = place.resolve("printed");
    }

    @Test
    @DisplayName("the shell of mpirun ends with 75 and the reason when it cannot fork, even for its first process")
    void theShellOfMpirunSaysWhy() throws Exception {
        String script = put(Scripts.START);
        String log = Files.createFile(place.resolve("log")).toString();

        int code = run(
                "prlimit",
                "--nproc=1",
                "/bin/sh",
                script,
                place.toString(),
                log,
                "none",
                "lo",
                "-",
                "-",
                "5",
                "-",
                "true");

        assertThat(code).isEqualTo(75);
        assertThat(place.resolve("why")).content().startsWith(SENTENCE);
    }

    @Test
    @DisplayName("the shell of a rank says so and ends with 75 when it cannot fork")
    void theShellOfARankSaysWhy() throws Exception {
        Path run = Files.createDirectory(place.resolve("muster-x"));
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxrwxrwx"));
        Shell.put(Scripts.RANK, run);
        Files.writeString(run.resolve("program"), "true\n");
        List<String> words = new ArrayList<>(
                List.of("prlimit", "--nproc=1", "env", "OMPI_COMM_WORLD_RANK=1", RankShell.PLACE + "=" + run));
        words.addAll(RankShell.wrap(List.of("true")));

        assertThat(run(words.toArray(String[]::new))).isEqualTo(75);
        assertThat(printed).content().contains("muster: " + SENTENCE);
    }

    private String put(GeneratedFile script) throws IOException {
        return Shell.put(script, place);
    }

    private int run(String... words) throws Exception {
        boolean isRoot = System.getProperty("user.name").equals("root");
        List<String> command = new ArrayList<>(isRoot ? AS_NOBODY : List.of());
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
