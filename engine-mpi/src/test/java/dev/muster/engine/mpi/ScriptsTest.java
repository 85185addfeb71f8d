package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Value;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of the plans in a real shell, with test programs instead of ssh and mpirun. */
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
    void theAgentRunsMpirunsDaemonWithTheVariablesOfItsNode() throws Exception {
        Files.writeString(place.resolve("variables"), "export HOST='it'\\''s\nme'\n");

        assertThat(agent("printf %s \"$HOST\"").output()).isEqualTo("it's\nme");
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

    /** The script asks no host. The hosts' addresses are enough if this host has one of them. */
    @Test
    void hostsThatCannotBeAskedAreKnownByTheirAddresses() throws Exception {
        String own = ownAddress();
        String first = own.substring(0, own.lastIndexOf('.'));

        assertThat(start("openmpi", "lo", "0", own + "\n" + first + ".254\n").output())
                .contains("-mca btl_tcp_if_include " + first + ".");
        assertThat(start("openmpi", "lo", "0", "198.51.100.1\n198.51.100.2\n").output())
                .contains("-mca oob_tcp_if_include lo ");
        assertThat(start("openmpi", "lo", "0", "127.0.1.1\n127.0.1.2\n").output())
                .contains("_if_include lo ");
        assertThat(start("hydra", "eth77,lo", "0", own + "\n" + own + "\n").output())
                .isEqualTo("-iface lo -np 2\n");
    }

    private static String ownAddress() throws Exception {
        return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                .flatMap(device -> Collections.list(device.getInetAddresses()).stream())
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElse("127.0.0.1");
    }

    @Test
    void theHostfileHasTheAddressesOfAllHosts() throws Exception {
        Path hosts = Files.writeString(directory.resolve("hosts"), "u@a w-0 2 localhost\nb w-1 3 10.0.0.2\n");
        String script = resolver();

        assertThat(run(Map.of(), script, place.toString(), hosts.toString(), "openmpi", "5")
                        .code())
                .isZero();
        assertThat(place.resolve("hostfile")).hasContent("127.0.0.1 slots=2\n10.0.0.2 slots=3\n");
        assertThat(place.resolve("places")).hasContent("u@a w-0 2 127.0.0.1\nb w-1 3 10.0.0.2\n");
        run(Map.of(), script, place.toString(), hosts.toString(), "hydra", "5");
        assertThat(place.resolve("hostfile")).hasContent("127.0.0.1:2\n10.0.0.2:3\n");
    }

    /** Open MPI hangs if the hostfile has an IPv6 address instead of a name. */
    @Test
    void ofHostsWithIpv6OnlyOpenMpiGetsTheNames() throws Exception {
        program("getent", "[ $1 = ahosts ] && echo 'fd77::1 STREAM six'");
        Path hosts = Files.writeString(directory.resolve("hosts"), "a w-0 2 six\n");
        String script = resolver();

        assertThat(run(Map.of(), script, place.toString(), hosts.toString(), "openmpi", "5")
                        .code())
                .isZero();
        assertThat(place.resolve("hostfile")).hasContent("six slots=2\n");

        Files.writeString(hosts, "a w-0 2 fd77::1\n");
        assertThat(run(Map.of(), script, place.toString(), hosts.toString(), "openmpi", "5")
                        .code())
                .isEqualTo(78);
        assertThat(place.resolve("why")).hasContent("Open MPI takes no IPv6 address for a host: give fd77::1 a name\n");
    }

    @Test
    void aNameThatDoesNotResolveIsNamedInTheEnd() throws Exception {
        program("getent", "exit 2");
        Path hosts = Files.writeString(directory.resolve("hosts"), "a w-0 2 10.0.0.1\nb w-1 2 nowhere\n");

        Shell.Ended ended = run(Map.of(), resolver(), place.toString(), hosts.toString(), "openmpi", "1");

        assertThat(ended.code()).isEqualTo(75);
        assertThat(ended.output()).contains("waiting for w-1");
        assertThat(place.resolve("why")).hasContent("the name of w-1 does not resolve on this host\n");
    }

    @Test
    void theRankThatFailedIsNamedWithItsHost() throws Exception {
        append("exited with non-zero status, thus causing\n  Process name: [[46134,1],3]\n  Exit code:    3\n");
        assertThat(start("openmpi", "lo", "3", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(3);
        assertThat(place.resolve("why")).hasContent("rank 3 on w-1 ended with exit code 3\n");

        append("mpirun noticed that process rank 2 with PID 740 on node x exited on signal 9 (Killed).\n");
        assertThat(start("openmpi", "lo", "137", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(137);
        assertThat(place.resolve("why")).hasContent("rank 2 on w-1 was killed by SIGKILL\n");

        append("MPI_ABORT was invoked on rank 3 in communicator MPI_COMM_WORLD\nwith errorcode 42.\n\nNOTE: ...\n");
        assertThat(start("openmpi", "lo", "42", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(42);
        assertThat(place.resolve("why")).hasContent("rank 3 on w-1 ended with exit code 42\n");

        append("mpirun has exited due to process rank 2 with PID 0 on\nnode x exiting improperly. There are three\n");
        assertThat(start("openmpi", "lo", "1", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(1);
        assertThat(place.resolve("why")).hasContent("rank 2 on w-1 ended without MPI_Finalize\n");
    }

    @Test
    void theHostOfARankIsNotGuessedWhereTheUserTellsMpirunWhereRanksGo() throws Exception {
        append("exited with non-zero status, thus causing\n  Process name: [[46134,1],3]\n  Exit code:    3\n");
        assertThat(start("openmpi", "lo", "3", "10.0.0.1\n10.0.0.2\n", "--map-by", "node")
                        .code())
                .isEqualTo(3);
        assertThat(place.resolve("why")).hasContent("rank 3 ended with exit code 3\n");
    }

    /** The launcher may write the log late, and the last message of mpirun may come in two parts. */
    @Test
    void wordsThatComeIntoTheLogLaterThanMpirunsEndStillNameTheRank() throws Exception {
        append("exited with non-zero status, thus causing\n  Process name: [[46134,1],3]\n  Exit code:    3\n");
        String log = directory.resolve("log").toString();
        Files.writeString(
                directory.resolve("late"), "-".repeat(74) + "\nPrimary job  terminated normally, but 1 process\n");
        program(
                "mpirun",
                "(sleep 1; cat " + directory.resolve("late") + " >>" + log + "; sleep 0.05; cat "
                        + directory.resolve("said") + " >>" + log + ") >/dev/null & exit 3");

        assertThat(startProgram("openmpi", "lo", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(3);
        assertThat(place.resolve("why")).hasContent("rank 3 on w-1 ended with exit code 3\n");
    }

    /** Open MPI 4 does not name the rank if the last other rank ends at the same time. */
    @Test
    void aRankThatMpirunDoesNotNameIsStillWhatHasFailed() throws Exception {
        append("-".repeat(74) + "\nPrimary job  terminated normally, but 1 process returned\na non-zero exit code.\n");

        assertThat(start("openmpi", "lo", "3", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(3);
        assertThat(place.resolve("why")).hasContent("a rank ended with exit code 3, and mpirun does not say which\n");
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
        assertThat(place.resolve("why")).hasContent("a rank on 10.0.0.2 was killed by SIGKILL\n");

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
        assertThat(place.resolve("why")).hasContent("nosuch was not found on w-1\n");

        append("[proxy:0:1@w-1] HYDU_create_process (launch.c:73): execvp error on file /etc (Permission denied)\n");
        assertThat(start("hydra", "lo", "255", "10.0.0.1\n").code()).isEqualTo(126);
        assertThat(place.resolve("why")).hasContent("/etc cannot be executed on w-1\n");
    }

    @Test
    void aHostWhoseDaemonIsGoneIsLost() throws Exception {
        append("""
                ORTE has lost communication with a remote daemon.

                  HNP daemon   : [[3,0],0] on node w-0
                  Remote daemon: [[3,0],1] on node w-1

                This is usually due to
                """);

        assertThat(start("openmpi", "lo", "1", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(75);
        assertThat(place.resolve("why")).hasContent("w-1 is lost: mpirun's daemon there is gone\n");
    }

    @Test
    void aDaemonThatCannotBeStartedMayBeTriedAgain() throws Exception {
        append("ORTE was unable to reliably start one or more daemons.\n");
        assertThat(start("openmpi", "lo", "1", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(75);

        append("Host key verification failed.\r\nORTE was unable to reliably start one or more daemons.\n");
        assertThat(start("openmpi", "lo", "1", "10.0.0.1\n10.0.0.2\n").code()).isEqualTo(75);
        assertThat(place.resolve("why")).content().contains("does not have the key");
    }

    @Test
    void aRankForWhichThereWasNoProcessIsTemporary() throws Exception {
        String rest = " (ulimit -u)\nexited with non-zero status\n  Process name: [[46134,1],3]\n  Exit code:    75\n";
        for (String words : List.of(
                "muster: exit 75: no process can be made here: a limit is reached",
                "muster: no more processes or threads can be started: a limit is reached"
                        + " (ulimit -u, or pids.max of the container)")) {
            append(words + rest);
            assertThat(start("openmpi", "lo", "75", "10.0.0.1\n10.0.0.2\n").code())
                    .isEqualTo(75);
            assertThat(place.resolve("why")).content().startsWith("no more processes or threads can be started");
        }
    }

    /** Only the part of the start script that finds the addresses of hosts. */
    private String resolver() throws IOException {
        GeneratedFile parts = new GeneratedFile(
                "resolver",
                Optional.empty(),
                "resolver.sh",
                Value.joined(
                        Value.resource("clock.sh"),
                        Value.resource("address.sh"),
                        Value.resource("resolve.sh"),
                        Value.of("resolve \"$@\"\n")));
        return Shell.put(parts, directory);
    }

    private Shell.Ended agent(String asked) throws Exception {
        return run(Map.of("SSH_ORIGINAL_COMMAND", asked), Shell.put(Scripts.AGENT, directory), place.toString());
    }

    /** Starts two ranks per host on two hosts. This mpirun prints its arguments, and writes {@code said} to the log. */
    private Shell.Ended start(String style, String interfaces, String code, String hosts, String... more)
            throws Exception {
        program(
                "mpirun",
                "echo \"$@\"; cat " + directory.resolve("said") + " >>" + directory.resolve("log")
                        + " 2>/dev/null; exit " + code);
        return startProgram(style, interfaces, hosts, more);
    }

    private Shell.Ended startProgram(String style, String interfaces, String hosts, String... more) throws Exception {
        StringBuilder places = new StringBuilder();
        List<String> addresses = hosts.lines().toList();
        for (int i = 0; i < addresses.size(); i++) {
            String address = addresses.get(i);
            places.append(address + " w-" + i + " 2 " + address + "\n");
        }
        List<String> words = new ArrayList<>(List.of(
                Shell.put(Scripts.START, directory),
                place.toString(),
                directory.resolve("log").toString(),
                style,
                interfaces,
                Files.writeString(directory.resolve("hosts"), places).toString(),
                "-",
                "5",
                "-",
                "mpirun",
                "-np",
                "2"));
        words.addAll(List.of(more));
        return run(Map.of(), words.toArray(String[]::new));
    }

    /** The text that mpirun writes to the log in its next run. */
    private void append(String text) throws IOException {
        Files.writeString(directory.resolve("said"), text);
    }

    private void program(String name, String text) throws IOException {
        shell.program(name, text);
    }

    private Shell.Ended run(Map<String, String> variables, String... words) throws Exception {
        return shell.run(variables, words);
    }
}
