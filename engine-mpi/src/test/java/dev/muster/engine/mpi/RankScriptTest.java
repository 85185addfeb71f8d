package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.HostedRanks;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens between mpirun and a rank, with real shells. */
@Timeout(60)
class RankScriptTest {

    private static final List<String> USUAL = List.of("/bin/sh");
    private static final List<String> BASH = List.of("/bin/bash", "-p");

    @TempDir
    Path place;

    @BeforeEach
    void putScript() throws IOException {
        Shell.put(Scripts.RANK, place);
    }

    @Test
    void endsAsTheRankDoes() throws Exception {
        assertThat(run("sh", "-c", "echo $1 out; echo err >&2; exit 7", "x", "it is"))
                .isEqualTo(new Ended(7, "it is out\nerr\n"));
        assertThat(Files.readString(place.resolve("ended.5"))).isEqualTo("7 5 \nalone\n");
    }

    /** Whoever knows it need not search the machine for ranks. */
    @Test
    void tellsWhereTheRankIs() throws Exception {
        Process rank = start(USUAL, Map.of(), "sh", "-c", "echo up; exec sleep 600");
        assertThat(rank.inputReader().readLine()).isEqualTo("up");

        String[] stat = Files.readString(Path.of("/proc", Long.toString(rank.pid()), "stat"))
                .split("\\) ", 2)[1]
                .split(" ", -1);
        assertThat(place.resolve("started.5")).hasContent(rank.pid() + " " + stat[19] + "\n");
        rank.descendants().forEach(ProcessHandle::destroyForcibly);
        assertThat(rank.waitFor()).isEqualTo(137);
    }

    /** Who kills the shell instead has the host of the ranks end all others in a time of its own. */
    @Test
    void tellsTheRanksOwnPidWhateverItHasInItsEnvironment() throws Exception {
        for (List<String> shell : List.of(USUAL, BASH)) {
            Ended own = run(shell, Map.of("muster_own", "the user's"), "sh", "-c", "echo $$ $muster_own");
            assertThat(own.output()).endsWith(" the user's\n");
            assertThat(place.resolve("pid.5")).hasContent(own.output().split(" ", -1)[0] + "\n");
        }
    }

    @Test
    void anMpiGetsThoseOfTheListedInterfacesThatItsHostHas() throws Exception {
        Files.writeString(place.resolve("interfaces"), "eth7,lo\n");

        assertThat(environment(USUAL, Map.of())).containsEntry("OMPI_MCA_btl_tcp_if_include", "eth7,lo");
    }

    @Test
    void leavesNothingBehindARankThatEndedWell() throws Exception {
        assertThat(run("true")).isEqualTo(new Ended(0, ""));
        assertThat(place).isDirectoryNotContaining("glob:**ended*").isDirectoryNotContaining("glob:**new*");
    }

    /** Neither shell says a word of its own about it. */
    @Test
    void aKilledRankIsNoted() throws Exception {
        for (List<String> shell : List.of(USUAL, BASH)) {
            assertThat(run(shell, Map.of(), "sh", "-c", "kill -9 $$")).isEqualTo(new Ended(137, ""));
            assertThat(place.resolve("ended.5")).hasContent("137 5 \nalone\n");
        }
    }

    /** As mpirun's daemons do it before they kill; their reason is another one. */
    @Test
    void aRankThatWasEndedWithItsGroupSaysSo() throws Exception {
        for (List<String> shell : List.of(USUAL, BASH)) {
            for (String signal : List.of("TERM", "KILL")) {
                String end = "kill -s TERM $PPID; kill -s " + signal + " $$";
                int code = signal.equals("TERM") ? 143 : 137;
                assertThat(run(shell, Map.of(), "sh", "-c", end)).isEqualTo(new Ended(code, ""));
                assertThat(Files.readString(place.resolve("ended.5"))).isEqualTo(code + " 5 \n\n");
            }
        }
    }

    /** Nobody reads what it prints any more. The launcher sees a note sooner than how an mpirun has ended. */
    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/bash"})
    @DisplayName("13 a rank that fails after its mpirun was killed is not noted, and so not the first to fail")
    void whoFailsAfterItsMpirunIsNotNoted(String shell) throws Exception {
        String rank = "read -r _ _ _ parent _ </proc/$PPID/stat; kill -s KILL $parent;"
                + " until read -r _ _ _ now _ </proc/$PPID/stat && [ $now != $parent ]; do :; done; exit 3";
        List<String> mpirun = new ArrayList<>(List.of("/bin/sh", "-c", "\"$@\" & wait", "mpirun"));
        mpirun.addAll(RankScript.around(List.of(shell), List.of("sh", "-c", rank)));
        List<String> words = new ArrayList<>(List.of("-c", "(exec \"$@\") 3>&1 >&2 | cat; echo end", "test"));
        words.addAll(mpirun);
        ProcessBuilder builder = new ProcessBuilder("/bin/sh").redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.command().addAll(words);
        builder.environment().putAll(Map.of(RankScript.PLACE, place.toString(), "OMPI_COMM_WORLD_RANK", "5"));

        assertThat(builder.start().inputReader().readLine()).isEqualTo("end");
        assertThat(place.resolve("started.5")).exists();
        assertThat(place.resolve("ended.5")).doesNotExist();
    }

    /** Nobody would tell the rank itself, which only comes after the signal. */
    @DisplayName("4.13 a rank that is told to end before it has begun does not begin")
    @Test
    void whoIsToldToEndBeforeTheRankBeginsDoesNotBeginIt() throws Exception {
        Path programs = Files.createDirectory(place.resolve("programs"));
        Path mkfifo = Files.writeString(programs.resolve("mkfifo"), "#!/bin/sh\nkill -s TERM $PPID\n");
        assertThat(mkfifo.toFile().setExecutable(true)).isTrue();
        Map<String, String> variables = Map.of("PATH", programs + ":" + System.getenv("PATH"));
        for (List<String> shell : List.of(USUAL, BASH)) {
            assertThat(run(shell, variables, "echo", "begun")).isEqualTo(new Ended(143, ""));
            assertThat(Files.readString(place.resolve("ended.5"))).isEqualTo("143 5 \n\n");
        }
    }

    /** It may be made in the moment between the launcher's look and its signals. */
    @DisplayName("4.13b a rank whose process is made after the launcher has noted the stop does not begin")
    @Test
    void whoIsMadeAfterTheStopDoesNotBegin() throws Exception {
        Files.createFile(place.resolve("stopping"));
        for (List<String> shell : List.of(USUAL, BASH)) {
            assertThat(run(shell, Map.of(), "echo", "begun")).isEqualTo(new Ended(0, ""));
            assertThat(Files.readString(place.resolve("ended.5"))).isEqualTo("143 5 \nalone\n");
        }
    }

    /** Whoever starts ranks would end the others, in no time. The note tells the launcher, which gives them their grace. */
    @ParameterizedTest
    @ValueSource(strings = {"/bin/sh", "/bin/bash"})
    @DisplayName("4.7 a rank's failure is kept from mpirun while others of the host have their grace")
    void aFailureIsToldWhenTheOthersHaveEnded(String shell) throws Exception {
        Process other = startNumber(6, shell, "echo up; read -r line; exit 0");
        assertThat(other.inputReader().readLine()).isEqualTo("up");
        Process failed = startNumber(5, shell, "exit 3");
        Process failedToo = startNumber(7, shell, "exit 4");
        awaitFile("ended.5");
        awaitFile("ended.7");
        // The stop is told to the whole group, at whatever moment.
        failed.toHandle().destroy();

        assertThat(failed.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(failedToo.isAlive()).isTrue();

        other.outputWriter().close();
        assertThat(other.waitFor()).isZero();
        assertThat(failed.waitFor()).isEqualTo(3);
        assertThat(failedToo.waitFor()).isEqualTo(4);
    }

    /** Whoever starts ranks does so because of something else, and waits for the group; or a user ends one rank this way. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("4.7 a rank that was ended with its group is kept only where it was the launcher that did it")
    void anEndThatOthersMadeIsToldAtOnceUnlessTheLauncherStops(boolean isStop) throws Exception {
        Process other = startNumber(6, "/bin/sh", "echo up; read -r line; exit 0");
        assertThat(other.inputReader().readLine()).isEqualTo("up");
        Process ended = startNumber(5, "/bin/sh", "echo up; read -r line; kill -s TERM $PPID; kill -s TERM $$");
        assertThat(ended.inputReader().readLine()).isEqualTo("up");
        if (isStop) {
            Files.createFile(place.resolve(HostedRanks.STOPPING));
        }
        ended.outputWriter().close();
        awaitFile("ended.5");

        assertThat(ended.waitFor(isStop ? 300 : 20_000, TimeUnit.MILLISECONDS)).isNotEqualTo(isStop);

        other.outputWriter().close();
        // In a stop it is no matter of mpirun's.
        assertThat(ended.waitFor()).isEqualTo(isStop ? 0 : 143);
        // It may still leave a note.
        assertThat(other.waitFor()).isZero();
        assertThat(Files.readString(place.resolve("ended.5"))).startsWith("143 5 ");
    }

    /** Open MPI would sleep for two seconds before it ends, whether anybody is left or not. */
    @DisplayName("4.7 a failure that the launcher has taken note of is not told to mpirun at all")
    @Test
    void aFailureThatHasDecidedTheJobIsNoMatterOfMpirun() throws Exception {
        Process failed = startNumber(5, "/bin/sh", "exit 3");
        awaitFile("ended.5");
        assertThat(failed.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
        Files.createFile(place.resolve(HostedRanks.STOPPING));

        assertThat(failed.waitFor()).isZero();
        assertThat(Files.readString(place.resolve("ended.5"))).isEqualTo("3 5 \nalone\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit 0", "exit 3"})
    @DisplayName("4.7 a rank that has ended in a stop is kept until its launcher knows that those of all nodes have")
    void anEndIsKeptForRanksOfOtherNodes(String end) throws Exception {
        Process rank = startNumber(5, "/bin/sh", "echo up; read -r line; " + end);
        assertThat(rank.inputReader().readLine()).isEqualTo("up");
        Path kept = place.resolve(HostedRanks.KEPT);
        try (FileChannel launcher = FileChannel.open(kept, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            assertThat(launcher.isOpen()).isTrue();
            Files.createFile(place.resolve(HostedRanks.STOPPING));
            rank.outputWriter().close();
            awaitFile(HostedRanks.GONE + 5);
            rank.toHandle().destroy();

            assertThat(rank.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(rank.waitFor()).isZero();
    }

    @DisplayName("4.7 a rank that ends well in a stop is kept, too: it may have called MPI_Init, and not MPI_Finalize")
    @Test
    void anEndInAStopIsToldWhenTheOthersHaveEnded() throws Exception {
        Process other = startNumber(6, "/bin/sh", "echo up; read -r line; exit 0");
        assertThat(other.inputReader().readLine()).isEqualTo("up");
        Process saved = startNumber(5, "/bin/sh", "echo up; read -r line; exit 0");
        assertThat(saved.inputReader().readLine()).isEqualTo("up");
        Files.createFile(place.resolve(HostedRanks.STOPPING));
        saved.outputWriter().close();

        assertThat(saved.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();

        other.outputWriter().close();
        assertThat(saved.waitFor()).isZero();
        assertThat(place).isDirectoryNotContaining("glob:**ended*");
    }

    private Process startNumber(int rank, String shell, String script) throws IOException {
        Map<String, String> number = Map.of("OMPI_COMM_WORLD_RANK", Integer.toString(rank));
        return start(List.of(shell), number, "sh", "-c", script);
    }

    private void awaitFile(String name) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!Files.exists(place.resolve(name))) {
            assertThat(System.nanoTime()).as("no " + name).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    void aCommandThatIsNotThereIsNotedByName() throws Exception {
        assertThat(run("no\nsuch", "x").code()).isEqualTo(127);
        assertThat(place.resolve("ended.5")).hasContent("127 5 no?such\nalone\n");

        assertThat(run("sh", "-c", "exit 127").code()).isEqualTo(127);
        assertThat(place.resolve("ended.5")).hasContent("127 5 \nalone\n");
    }

    /** A shell has commands of the same names. */
    @Test
    void theCommandIsAlwaysAProgram() throws Exception {
        assertThat(run("exit", "0").code()).isEqualTo(127);
        assertThat(run("printf", "--version").output()).contains("coreutils");
    }

    @Test
    void aSignalIsTheRanksBusiness() throws Exception {
        Path saved = place.resolve("saved");
        Process rank = start(
                USUAL,
                Map.of(),
                "sh",
                "-c",
                "trap 'sleep 0.3; : >" + saved + "; exit 4' TERM; echo up; while :; do sleep 0.05; done");
        assertThat(rank.inputReader().readLine()).isEqualTo("up");

        rank.descendants().forEach(ProcessHandle::destroy);
        // The process itself would close the pipe, too.
        rank.toHandle().destroy();

        assertThat(rank.waitFor()).isEqualTo(4);
        assertThat(saved).exists();
    }

    @Test
    void noVariableIsLostOrChanged() throws Exception {
        Map<String, String> usual = new TreeMap<>(Map.of(
                "private",
                "1",
                "code",
                "a b",
                "name",
                "line\nline'\"=\\",
                "IFS_",
                "",
                "SHLVL",
                "3",
                "OLDPWD",
                "/nowhere"));
        assertThat(environment(USUAL, usual)).containsAllEntriesOf(usual);
        Map<String, String> strange = new TreeMap<>(usual);
        strange.putAll(
                Map.of("a.b", "1", "1x", "2", "BASH_FUNC_f%%", "() {  :; }", "PS4", "+", "_", "/last", "IFS", "x"));
        assertThat(environment(BASH, strange)).containsAllEntriesOf(strange);
    }

    @Test
    void noVariableIsAdded() throws Exception {
        for (List<String> shell : List.of(USUAL, BASH)) {
            assertThat(environment(shell, Map.of()).keySet())
                    .containsExactlyInAnyOrder("PATH", "PWD", "OMPI_COMM_WORLD_RANK");
        }
    }

    @Test
    @DisplayName(
            "7.3 what Open MPI makes on the rank's host is noted, and its shared memory lies in a place of the run's own")
    void whatOpenMpiMakesElsewhereIsNoted() throws Exception {
        Path run = Files.createDirectory(place.resolve("muster-" + place.getFileName()));
        Path shared = Path.of("/dev/shm").resolve(run.getFileName());
        Shell.put(Scripts.RANK, run);
        Map<String, String> variables =
                Map.of(RankScript.PLACE, run.toString(), "OMPI_MCA_orte_jobfam_session_dir", "/tmp/ompi.host.0/pid.12");
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

    /** A launcher that comes when nobody of the run is left may remove it then. */
    @Test
    @DisplayName("7.3 a file in Open MPI's directory says whose run it is")
    void openMpisDirectoryShowsWhoseItIs() throws Exception {
        Path run = Files.createDirectory(place.resolve("muster-" + place.getFileName()));
        Path session = Files.createDirectories(place.resolve("ompi.host.0/pid.12"));
        Shell.put(Scripts.RANK, run);
        try {
            for (List<String> shell : List.of(USUAL, BASH)) {
                environment(
                        shell,
                        Map.of(
                                RankScript.PLACE,
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
    @DisplayName("7.3 whoever has chosen places for Open MPI's files keeps them")
    void theUsersOwnPlacesStay() throws Exception {
        Path run = Files.createDirectory(place.resolve("muster-" + place.getFileName()));
        Path shared = Path.of("/dev/shm").resolve(run.getFileName());
        Shell.put(Scripts.RANK, run);
        Map<String, String> variables = Map.of(
                RankScript.PLACE,
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
    void theCommandThatOpenMpiTellsIsTheRanksOwn() throws Exception {
        Map<String, String> told = Map.of("OMPI_COMMAND", "/bin/sh", "OMPI_ARGV", "-c [ ... env -0");
        assertThat(environment(USUAL, told, "/usr/bin/env"))
                .containsEntry("OMPI_COMMAND", "env")
                .containsEntry("OMPI_ARGV", "-0");
    }

    @Test
    void withoutAPlaceTheRankRunsAllTheSame() throws Exception {
        Map<String, String> nowhere = Map.of(RankScript.PLACE, "/nowhere");
        Process rank = start(USUAL, nowhere, "sh", "-c", "exit 3");
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

    /** As mpirun's daemon starts rank 5; both outputs in one. */
    private Process start(List<String> shell, Map<String, String> variables, String... command) throws IOException {
        List<String> words = new ArrayList<>(RankScript.around(shell, List.of(command)));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(new File("/")).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", "/usr/bin:/bin", "PWD", "/", "OMPI_COMM_WORLD_RANK", "5"));
        builder.environment().put(RankScript.PLACE, place.toString());
        builder.environment().putAll(variables);
        return builder.start();
    }

    private record Ended(int code, String output) {}
}
