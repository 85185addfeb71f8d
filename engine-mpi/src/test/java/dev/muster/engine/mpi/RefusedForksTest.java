package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.FileToWrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
    @DisplayName("9.7b the shell of mpirun that can make no process is a temporary end, from its first process on")
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

    @ParameterizedTest
    @ValueSource(ints = {3, 127})
    @DisplayName("9.7b a rank's code and its note are not lost where its shell can make no process any more")
    void theShellOfARankKeepsItsCode(int ended) throws Exception {
        put(Scripts.RANK);
        List<String> words = new ArrayList<>(List.of(
                "env", RankScript.PLACE + "=" + place, "OMPI_COMM_WORLD_RANK=5", "OMPI_COMM_WORLD_LOCAL_RANK=1"));
        words.addAll(RankScript.around(
                List.of("/bin/sh"), List.of("sh", "-c", "prlimit --pid $PPID --nproc=1; exit " + ended)));

        assertThat(run(words.toArray(String[]::new))).isEqualTo(ended);
        assertThat(Files.readString(place.resolve("ended.5"))).startsWith(ended + " 5 ");
    }

    @Test
    @DisplayName("9.7c whoever looks where hosts are and can make no process is a temporary end")
    void whoeverLooksForHostsSaysWhy() throws Exception {
        String hosts = write("hosts", "worker-0 worker-0 1 nowhere.invalid\n");

        int code =
                run("prlimit", "--nproc=1", "/bin/sh", put(Scripts.RESOLVE), place.toString(), hosts, "openmpi", "60");

        assertThat(code).isEqualTo(75);
        assertThat(place.resolve("why")).content().startsWith(SENTENCE);
    }

    @Test
    @DisplayName("9.7c whoever waits for hosts and can make no process is a temporary end")
    void whoeverWaitsForHostsSaysWhy() throws Exception {
        String hosts = write("hosts", "worker-0 worker-0 1 worker-0\n");
        String script = put(Scripts.AWAIT);

        int code = run(
                "prlimit",
                "--nproc=1",
                "/bin/sh",
                script,
                place.toString(),
                "ssh",
                "",
                "22",
                hosts,
                "60",
                "60s",
                "the hostfile");

        assertThat(code).isEqualTo(75);
        assertThat(printed).content().contains(SENTENCE);
    }

    @Test
    @DisplayName(
            "9.7c whoever makes the job's key and can make no process is a temporary end, and leaves no copy of the key")
    void whoeverMakesTheKeySaysWhy() throws Exception {
        Path programs = Files.createDirectory(place.resolve("bin"));
        Shell.program(programs, "ssh-keygen", "for file; do :; done; echo secret >\"$file\"");
        Shell.program(programs, "cat", "/bin/cat \"$@\"; prlimit --pid $PPID --nproc=1");
        Path shared = Files.createDirectory(place.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        String key = shared.resolve("key").toString();

        int code = run(
                "env",
                "PATH=" + programs + ":" + System.getenv("PATH"),
                "/bin/sh",
                put(Scripts.PREPARE),
                place.toString(),
                "sshd",
                "sshd_config",
                key,
                "own",
                "worker-0",
                "worker-1",
                "apart",
                "",
                "",
                "36666");

        assertThat(code).isEqualTo(75);
        assertThat(printed).content().contains(SENTENCE);
        try (Stream<Path> files = Files.list(shared)) {
            assertThat(files).allSatisfy(file -> assertThat(file).isEmptyFile());
        }
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(place.resolve(name), text).toString();
    }

    private String put(FileToWrite script) throws IOException {
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
