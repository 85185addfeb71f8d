package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.FileToWrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the plans in a real shell, with programs of the test's own in place of ssh and mpirun. */
class ScriptsTest {

    @TempDir
    Path directory;

    private Path place;
    private Shell shell;

    @BeforeEach
    void makePlace() throws IOException {
        place = Files.createDirectory(directory.resolve("private"));
        shell = new Shell(directory);
        Files.writeString(
                directory.resolve("log"), "Process name: [[1,1],9] exited with non-zero status of an earlier run\n");
    }

    @Test
    void theAgentKeepsTheFirstWordWhole() throws Exception {
        assertThat(agent("release 3 it is \"over\" $(id)").code()).isZero();
        assertThat(agent("release 0 again").code()).isZero();

        assertThat(place.resolve("release")).hasContent("3 it is \"over\" $(id)\n");
        assertThat(place).isDirectoryNotContaining("glob:**release.*");
    }

    @Test
    void theAgentRunsMpirunsDaemonWithTheVariablesOfItsNode() throws Exception {
        Files.writeString(place.resolve("variables"), "export HOST='it'\\''s\nme'\n");

        assertThat(agent("printf %s \"$HOST\"").output()).isEqualTo("it's\nme");
    }

    @Test
    void theAgentTellsHowRanksEnded() throws Exception {
        assertThat(agent(RankScript.QUESTION)).isEqualTo(new Shell.Ended(0, ""));

        Files.writeString(place.resolve("ended.3"), "1002 127 3 nosuch\n");

        assertThat(agent(RankScript.QUESTION)).isEqualTo(new Shell.Ended(0, "1002 127 3 nosuch\n"));
    }

    @Test
    void theAgentGivesNoShell() throws Exception {
        assertThat(agent("").code()).isEqualTo(1);
    }

    @Test
    void interfacesAreThoseThatEveryHostHas() throws Exception {
        Files.writeString(place.resolve("interfaces.1"), "lo\neth0\n");

        assertThat(start("openmpi", "lo,eth7", "0", "10.0.0.1\n10.0.0.2\n").output())
                .isEqualTo("-mca btl_tcp_if_include lo -mca oob_tcp_if_include lo -np 2\n");
    }

    @Test
    void whereNamesDifferItIsTheSubnetOfTheHosts() throws Exception {
        Files.writeString(place.resolve("interfaces.1"), "bond0\n");

        assertThat(start("openmpi", "lo,bond0", "0", "10.77.0.10\n10.77.0.13\n").output())
                .contains("if_include 10.77.0.8/29 ");
        assertThat(start("openmpi", "bond0", "0", "10.77.0.10\n10.78.1.1\n").output())
                .contains("if_include 10.76.0.0/14 ");
        assertThat(start("openmpi", "bond0", "0", "10.0.0.1\n192.168.0.1\n").output())
                .isEqualTo("-np 2\n");
        assertThat(start("openmpi", "bond0", "0", "fe80::1\nfe80::2\n").output())
                .isEqualTo("-np 2\n");
        assertThat(start("none", "lo", "0", "localhost\n").output()).isEqualTo("-np 2\n");
        assertThat(start("horovodrun", "lo", "0", "10.0.0.1\n").output()).isEqualTo("-np 2\n");
        assertThat(start("horovodrun-interfaces", "bond0", "0", "10.0.0.1\n10.0.0.2\n")
                        .output())
                .isEqualTo("-np 2\n");
    }

    @Test
    void theRankThatFailedIsNamedWithItsHost() throws Exception {
        append("exited with non-zero status, thus causing\n  Process name: [[46134,1],3]\n  Exit code:    3\n");
        assertThat(start("openmpi", "lo", "3", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(3);
        assertThat(place.resolve("why")).hasContent("3 rank 3 on w-1 ended with exit code 3\n");

        append("mpirun noticed that process rank 2 with PID 740 on node x exited on signal 9 (Killed).\n");
        assertThat(start("openmpi", "lo", "137", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(137);
        assertThat(place.resolve("why")).hasContent("137 rank 2 on w-1 was killed by signal 9\n");
    }

    /** Ranks that mpirun ends for another's sake may be noted with the same code, but later. */
    @Test
    void theNotesOfTheRanksCountMoreThanTheWordsOfMpirun() throws Exception {
        append("mpirun noticed that process rank 2 with PID 740 on node x exited on signal 9 (Killed).\n");
        program("ssh", "echo '1002 1 3 '; echo '1009 143 2 '");
        Files.writeString(place.resolve("ended.0"), "1001 143 0 \n");
        Files.writeString(place.resolve("ended.1"), "1005 1 1 \n");

        assertThat(start("openmpi", "lo", "1", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(1);
        assertThat(place.resolve("why")).hasContent("1 rank 3 on w-1 ended with exit code 1\n");

        assertThat(start("openmpi", "lo", "143", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(143);
        assertThat(place.resolve("why")).hasContent("143 rank 0 on w-0 was killed by signal 15 (exit code 143)\n");
    }

    @Test
    void aCommandThatARankDidNotFindIsNamed() throws Exception {
        program("ssh", "echo '1002 127 3 no such'");

        assertThat(start("openmpi", "lo", "127", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(127);
        assertThat(place.resolve("why")).hasContent("127 no such was not found on w-1 (rank 3)\n");
    }

    @Test
    void aCommandThatIsNotFoundIs127() throws Exception {
        append(
                "mpirun was unable to find the specified executable file, and\n\nNode:       w-1\nExecutable: nosuch\n-----\n");

        assertThat(start("openmpi", "lo", "134", "10.0.0.1\n").code()).isEqualTo(127);
        assertThat(place.resolve("why")).content().contains("nosuch was not found on", "w-1");
    }

    @Test
    void horovodrunIsToldOfInterfacesThatAreThere() throws Exception {
        Files.writeString(place.resolve("interfaces.1"), "lo\neth0\n");

        assertThat(start("horovodrun-interfaces", "lo,bond0", "0", "10.0.0.1\n10.0.0.2\n")
                        .output())
                .isEqualTo("--network-interface lo -np 2\n");
    }

    @Test
    void hydraTellsSignalsOnlyInItsWords() throws Exception {
        String bad = "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   PID 7 RUNNING AT 10.0.0.2\n";
        append(bad + "=   EXIT CODE: 15\n====\nYOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)\n");
        assertThat(start("hydra", "lo", "9", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(137);
        assertThat(place.resolve("why")).hasContent("137 a rank on 10.0.0.2 was killed by signal 9\n");

        append(bad + "=   EXIT CODE: 11\n[proxy:0:0@w] assert (!closed) failed\n");
        assertThat(start("hydra", "lo", "255", "10.0.0.1\n").code()).isEqualTo(139);

        append(bad.replace("PID", "RANK 1 PID") + "=   KILLED BY SIGNAL: 9 (Killed)\n");
        assertThat(start("hydra", "lo", "9", "10.0.0.1\n").code()).isEqualTo(137);

        append("");
        assertThat(start("hydra", "lo", "9", "10.0.0.1\n").code()).isEqualTo(9);
    }

    @Test
    void hydraTellsInItsWordsThatACommandCannotBeStarted() throws Exception {
        append(
                "[proxy:0:1@w-1] HYDU_create_process (launch.c:73): execvp error on file nosuch (No such file or directory)\n");
        assertThat(start("hydra", "lo", "255", "10.0.0.1\n").code()).isEqualTo(127);
        assertThat(place.resolve("why")).hasContent("127 nosuch was not found on w-1\n");

        append("[proxy:0:1@w-1] HYDU_create_process (launch.c:73): execvp error on file /etc (Permission denied)\n");
        assertThat(start("hydra", "lo", "255", "10.0.0.1\n").code()).isEqualTo(126);
        assertThat(place.resolve("why")).hasContent("126 /etc cannot be executed on w-1\n");
    }

    @Test
    void aHostThatLetsNobodyInAnyMoreIsLost() throws Exception {
        program("ssh", "echo 'Connection refused' >&2; exit 255");

        assertThat(start("openmpi", "lo", "1", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(75);
        assertThat(place.resolve("why")).hasContent("75 node 1 (w-1) is lost: Connection refused\n");
    }

    @Test
    void aLoginTellsWhyItFailed() throws Exception {
        program("ssh", "echo 'Host key verification failed.' >&2; exit 255");
        assertThat(login()).isEqualTo(new Shell.Ended(76, "wrong host key\n"));

        program("ssh", "echo 'u@h: Permission denied (publickey).' >&2; exit 255");
        assertThat(login()).isEqualTo(new Shell.Ended(1, "key not accepted\n"));

        program("ssh", "echo eth0; echo lo");
        assertThat(login().code()).isZero();
        assertThat(place.resolve("interfaces.1")).hasContent("eth0\nlo\n");
    }

    @Test
    void allHostsAreToldAndSilenceIsNoted() throws Exception {
        program("ssh", "echo \"$@\" >>" + directory.resolve("told") + "; case \"$*\" in *h2*) exit 255;; esac");

        run(
                Map.of(),
                script(Scripts.TELL.content()),
                place.toString(),
                "-",
                "36666",
                "stop",
                "143",
                "node 1 (w-1)",
                "it ends",
                "h1",
                "h2");

        assertThat(directory.resolve("told")).content().contains("-p 36666 h1 stop 143 node 1 (w-1): it ends");
        assertThat(place.resolve("unheard")).hasContent("h2\n");
    }

    @Test
    void whoeverWasSilentIsNotWaitedForAgain() throws Exception {
        program(
                "ssh",
                "echo \"$@\" >>" + directory.resolve("told") + "; case \"$*\" in"
                        + " *h1*) echo 'ssh: connect to host h1 port 1: Connection timed out' >&2; exit 255;;"
                        + " *h2*) echo 'ssh: connect to host h2 port 1: Connection refused' >&2; exit 255;; esac");

        for (String word : List.of("stop", "release")) {
            run(
                    Map.of(),
                    script(Scripts.TELL.content()),
                    place.toString(),
                    "-",
                    "1",
                    word,
                    "1",
                    "node 0",
                    "rank 1",
                    "h1",
                    "h2");
        }

        assertThat(directory.resolve("told"))
                .content()
                .contains("=10 -p 1 h1 stop 1 rank 1", "=10 -p 1 h2 stop 1 rank 1")
                .contains("=2 -p 1 h1 release 1 rank 1", "=10 -p 1 h2 release 1 rank 1");
    }

    @Test
    void withoutAKeyOfItsOwnANodeTakesNobodyForSomebodyElse() throws Exception {
        program("ssh", "echo 'Host key verification failed.' >&2; exit 255");
        String config = place.resolve("ssh_config").toString();

        Shell.Ended early = login(config);
        assertThat(early.code()).isEqualTo(1);
        assertThat(early.output()).contains("key is not ready");

        Files.writeString(place.resolve("known_hosts"), "");
        assertThat(login(config).code()).isEqualTo(Ssh.WRONG_HOST_KEY);
    }

    @Test
    void whoeverWasReleasedStopsNobody() throws Exception {
        program("ssh", "echo \"$@\" >>" + directory.resolve("told"));
        Files.writeString(place.resolve("release"), "0\n");

        run(
                Map.of(),
                script(Scripts.TELL.content()),
                place.toString(),
                "-",
                "1",
                "stop",
                "143",
                "node 1",
                "it ends",
                "h1");

        assertThat(directory.resolve("told")).doesNotExist();
    }

    private Shell.Ended agent(String asked) throws Exception {
        return run(Map.of("SSH_ORIGINAL_COMMAND", asked), script(Scripts.AGENT.content()), place.toString());
    }

    private Shell.Ended login() throws Exception {
        return login("-");
    }

    private Shell.Ended login(String config) throws Exception {
        return run(Map.of(), script(Scripts.LOGIN.content()), place.toString(), config, "1", "h", "1");
    }

    /** Two ranks per host on two hosts, with an mpirun that prints its arguments and what is to be in the log. */
    private Shell.Ended start(String style, String interfaces, String code, String hosts) throws Exception {
        program(
                "mpirun",
                "echo \"$@\"; cat " + directory.resolve("said") + " >>" + directory.resolve("log")
                        + " 2>/dev/null; exit " + code);
        if (!Files.exists(directory.resolve("bin/ssh"))) {
            program("ssh", "exit 0");
        }
        put("interfaces.sh", InterfacesScript.FILE);
        put("end.sh", EndScript.FILE);
        put("login.sh", Scripts.LOGIN);
        StringBuilder places = new StringBuilder();
        List<String> addresses = hosts.lines().toList();
        for (int i = 0; i < addresses.size(); i++) {
            String address = addresses.get(i);
            places.append(address + " w-" + i + " 2 " + address + "\n");
        }
        return run(
                Map.of(),
                script(StartScript.FILE.content()),
                place.toString(),
                directory.resolve("log").toString(),
                style,
                interfaces,
                Files.writeString(directory.resolve("hosts"), places).toString(),
                "-",
                "-",
                "mpirun",
                "-np",
                "2");
    }

    private void put(String name, FileToWrite script) throws IOException {
        Files.writeString(place.resolve(name), script.content());
    }

    /** What mpirun says when it runs the next time. */
    private void append(String text) throws IOException {
        Files.writeString(directory.resolve("said"), text);
    }

    private void program(String name, String text) throws IOException {
        shell.program(name, text);
    }

    private String script(String text) throws IOException {
        return Files.writeString(directory.resolve("script.sh"), text).toString();
    }

    private Shell.Ended run(Map<String, String> variables, String... words) throws Exception {
        return shell.run(variables, words);
    }
}
