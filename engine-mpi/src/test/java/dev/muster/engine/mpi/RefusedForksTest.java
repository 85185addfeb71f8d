package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the scripts do in the middle of which a limit of processes is reached. dash ends at once, with a code of its own; bash does
 * after it has tried again for 15 seconds, which is not tried here.
 */
@Timeout(60)
class RefusedForksTest {

    /** No limit of processes holds for root. */
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all");

    @TempDir
    Path place;

    @BeforeEach
    void letOthersWrite() throws IOException {
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    @DisplayName("9.7b the shell of mpirun that can make no process is a temporary end, from its first process on")
    void theShellOfMpirunSaysWhy() throws Exception {
        String script = Shell.put(Scripts.START, place);
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
        assertThat(place.resolve("why")).content().startsWith("no more processes can be started");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 127})
    @DisplayName("9.7b a rank's code and its note are not lost where its shell can make no process any more")
    void theShellOfARankKeepsItsCode(int ended) throws Exception {
        Shell.put(Scripts.RANK, place);
        List<String> words = new ArrayList<>(List.of(
                "env", RankScript.PLACE + "=" + place, "OMPI_COMM_WORLD_RANK=5", "OMPI_COMM_WORLD_LOCAL_RANK=1"));
        words.addAll(RankScript.around(
                RankShell.USUAL, List.of("sh", "-c", "prlimit --pid $PPID --nproc=1; exit " + ended)));

        assertThat(run(words.toArray(String[]::new))).isEqualTo(ended);
        assertThat(Files.readString(place.resolve("ended.5"))).startsWith(ended + " 5 ");
    }

    private static int run(String... words) throws Exception {
        boolean isRoot = System.getProperty("user.name").equals("root");
        List<String> command = new ArrayList<>(isRoot ? AS_NOBODY : List.of());
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
