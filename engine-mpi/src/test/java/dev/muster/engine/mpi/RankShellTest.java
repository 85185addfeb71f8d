package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell that starts a rank, with a test program instead of the launcher's program. */
@Timeout(60)
class RankShellTest {

    private static final List<String> USUAL = List.of("/bin/sh");
    private static final List<String> BASH = List.of("/bin/bash", "-p");

    @TempDir
    Path place;

    @BeforeEach
    void putScript() throws IOException {
        putInto(place);
    }

    private void putInto(Path run) throws IOException {
        Shell.put(Scripts.RANK, run);
        String program = Shell.program(run, "a 'program'", "echo \"$1 $2\" >\"${0%/*}/asked\"; shift 2; exec \"$@\"");
        Files.writeString(run.resolve("program"), program + "\n");
    }

    @Test
    void theRankRunsUnderTheLaunchersProgram() throws Exception {
        Ended ended = run("sh", "-c", "echo \"$1\"; exit 7", "sh", "two words");

        assertThat(ended).isEqualTo(new Ended(7, "two words\n"));
        assertThat(place.resolve("asked")).hasContent("--rank-of-host --\n");
        assertThat(environment(USUAL, Map.of()))
                .containsEntry("MUSTER_STOP_NOTE", place.resolve("stopping").toString());
    }

    @Test
    void anMpiGetsThoseOfTheListedInterfacesThatItsHostHas() throws Exception {
        Files.writeString(place.resolve("interfaces"), "eth7,lo\n");

        assertThat(environment(USUAL, Map.of())).containsEntry("OMPI_MCA_btl_tcp_if_include", "eth7,lo");
    }

    /** horovodrun passes the environment of node 0 to all hosts. */
    @Test
    void whatTheHostSaysCountsMoreThanWhatNodeZeroSays() throws Exception {
        Map<String, String> variables = Map.of(RankShell.PLACE_HERE, "/nowhere");

        assertThat(environment(USUAL, variables))
                .containsKey("MUSTER_STOP_NOTE")
                .doesNotContainKeys(RankShell.PLACE, RankShell.PLACE_HERE);
    }

    @Test
    void variablesStayAsTheyAre() throws Exception {
        Map<String, String> variables =
                Map.of("code", "c", "private", "p", "LINES", "1", "TWO", "a\nb\n", "MUSTER_OWN_SHLVL", "7");

        for (List<String> shell : List.of(USUAL, BASH)) {
            assertThat(environment(shell, variables)).containsAllEntriesOf(variables);
        }
    }

    @Test
    @DisplayName(
            "the shell notes Open MPI's directories on the rank's host, and gives its shared memory a directory of the run")
    void whatOpenMpiMakesElsewhereIsNoted() throws Exception {
        Path run = Files.createDirectory(place.resolve("muster-" + place.getFileName()));
        Path shared = Path.of("/dev/shm").resolve(run.getFileName());
        putInto(run);
        Map<String, String> variables =
                Map.of(RankShell.PLACE, run.toString(), "OMPI_MCA_orte_jobfam_session_dir", "/tmp/ompi.host.0/pid.12");
        try {
            Map<String, String> own = environment(USUAL, variables);
            assertThat(own)
                    .containsEntry("OMPI_MCA_btl_vader_backing_directory", shared.toString())
                    .containsEntry("OMPI_MCA_btl_sm_backing_directory", shared.toString());
            assertThat(shared).isEmptyDirectory();
            assertThat(run.resolve("elsewhere"))
                    .hasContent("/tmp/ompi.host.0/pid.12\n/tmp/ompi.host.0/\n" + shared + "\n");
        } finally {
            Files.deleteIfExists(shared);
        }
    }

    /** A later launcher may remove the directory when no process of the run is left. */
    @Test
    @DisplayName("a file in Open MPI's directory names the run that it belongs to")
    void openMpisDirectoryShowsWhoseItIs() throws Exception {
        Path run = Files.createDirectory(place.resolve("muster-" + place.getFileName()));
        Path session = Files.createDirectories(place.resolve("ompi.host.0/pid.12"));
        putInto(run);
        try {
            for (List<String> shell : List.of(USUAL, BASH)) {
                environment(
                        shell,
                        Map.of(
                                RankShell.PLACE,
                                run.toString(),
                                "OMPI_MCA_orte_jobfam_session_dir",
                                session.toString()));
                assertThat(session.resolve(run.getFileName())).isEmptyFile();
                Files.delete(session.resolve(run.getFileName()));
            }
        } finally {
            Files.deleteIfExists(Path.of("/dev/shm").resolve(run.getFileName()));
        }
    }

    @Test
    @DisplayName("directories that the user chose for Open MPI's files stay")
    void theUsersOwnPlacesStay() throws Exception {
        Path run = Files.createDirectory(place.resolve("muster-" + place.getFileName()));
        Path shared = Path.of("/dev/shm").resolve(run.getFileName());
        putInto(run);
        Map<String, String> variables = Map.of(
                RankShell.PLACE,
                run.toString(),
                "OMPI_MCA_btl_vader_backing_directory",
                "/mine",
                "HOME",
                place.toString());
        try {
            assertThat(environment(USUAL, variables)).containsEntry("OMPI_MCA_btl_vader_backing_directory", "/mine");
        } finally {
            Files.deleteIfExists(shared);
        }
        Files.createDirectory(place.resolve(".openmpi"));
        Files.writeString(place.resolve(".openmpi/mca-params.conf"), "btl_vader_backing_directory = /mine\n");
        Map<String, String> inFile = new TreeMap<>(variables);
        inFile.remove("OMPI_MCA_btl_vader_backing_directory");
        assertThat(environment(USUAL, inFile)).doesNotContainKey("OMPI_MCA_btl_vader_backing_directory");
        assertThat(shared).doesNotExist();
    }

    @Test
    void withoutAPlaceTheRankRunsAllTheSame() throws Exception {
        Process rank = start(USUAL, Map.of(RankShell.PLACE, "/nowhere"), "sh", "-c", "exit 3");

        assertThat(rank.waitFor()).isEqualTo(3);
    }

    private Map<String, String> environment(List<String> shell, Map<String, String> variables) throws Exception {
        return environment(shell, variables, "env");
    }

    private Map<String, String> environment(List<String> shell, Map<String, String> variables, String env)
            throws Exception {
        Map<String, String> found = new TreeMap<>();
        for (String entry : run(shell, variables, env, "-0").output().split("\0", 0)) {
            int equals = entry.indexOf('=');
            found.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
        return found;
    }

    private Ended run(String... command) throws Exception {
        return run(USUAL, Map.of(), command);
    }

    private Ended run(List<String> shell, Map<String, String> variables, String... command) throws Exception {
        Process rank = start(shell, variables, command);
        String output = new String(rank.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(rank.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Ended(rank.exitValue(), output);
    }

    /** Starts rank 5 as mpirun's daemon does. Standard error goes to standard output. */
    private Process start(List<String> shell, Map<String, String> variables, String... command) throws IOException {
        List<String> words = new ArrayList<>(shell);
        List<String> around = RankShell.wrap(List.of(command));
        words.addAll(around.subList(1, around.size()));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(new File("/")).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin", "PWD", "/", "OMPI_COMM_WORLD_RANK", "5"));
        builder.environment().put(RankShell.PLACE, place.toString());
        builder.environment().putAll(variables);
        return builder.start();
    }

    private record Ended(int code, String output) {}
}
