package dev.muster.runtime.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.spi.RequiredPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PortsTest {

    private final List<String> said = new ArrayList<>();

    @Test
    void drawnPortsAreDifferentAndInTheRangeOfModelArts() {
        Set<Integer> drawn = new HashSet<>();
        try (Ports one = new Ports();
                Ports other = new Ports()) {
            for (int i = 0; i < 200; i++) {
                drawn.add(one.draw());
                drawn.add(other.drawForOthers());
            }
        }
        assertThat(drawn).hasSize(400).allMatch(port -> port >= 5000 && port <= 10_000);
    }

    @Test
    void aDrawnPortIsFreeForAnybodyWhoListens() throws IOException {
        try (Ports ports = new Ports();
                ServerSocket server = new ServerSocket()) {
            server.bind(new InetSocketAddress(ports.draw()));
            assertThat(server.isBound()).isTrue();
        }
    }

    @Test
    void aPortThatWasDrawnForANodeIsItsToUse() {
        try (Ports simulation = new Ports();
                Ports node = new Ports();
                Ports stranger = new Ports()) {
            int port = simulation.drawForOthers();
            assertThat(node.use(port)).isTrue();
            assertThat(stranger.use(port)).isFalse();
        }
    }

    @Test
    void aPortThatALauncherDrewForItselfIsNobodyElses() {
        try (Ports one = new Ports();
                Ports other = new Ports()) {
            assertThat(other.use(one.draw())).isFalse();
        }
    }

    @Test
    void aPortIsGivenBackAtTheEnd() {
        int port;
        try (Ports one = new Ports()) {
            port = one.draw();
        }
        try (Ports other = new Ports()) {
            assertThat(other.use(port)).isTrue();
        }
    }

    @Test
    void lookingWhetherAPortIsFreeLooksLikeNoServer() throws IOException {
        int port;
        try (Ports ports = new Ports()) {
            port = ports.draw();
            assertThat(Ports.isFree(port)).isTrue();
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aListenerOnOneAddressTakesThePort() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            assertThat(Ports.isFree(server.getLocalPort())).isFalse();
        }
    }

    @Test
    void aUdpServerOnAllAddressesTakesNoTcpPort() throws IOException {
        try (DatagramChannel server = DatagramChannel.open();
                Ports ports = new Ports()) {
            server.bind(new InetSocketAddress(0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            assertThat(ports.use(port)).isTrue();
        }
    }

    @Test
    void whoHasAPortIsNamedWithPidAndUser() throws IOException {
        try (ServerSocket server = new ServerSocket(0);
                Ports ports = new Ports()) {
            assertThatThrownBy(() ->
                            claims(ports, Duration.ofSeconds(1)).claim(List.of(port(server.getLocalPort())), false))
                    .isInstanceOfSatisfying(
                            MusterException.class,
                            refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.UNAVAILABLE))
                    .hasMessageContainingAll(
                            "port " + server.getLocalPort() + " for the rendezvous (--master-port)",
                            "pid " + ProcessHandle.current().pid(),
                            " (java) of user " + System.getProperty("user.name"),
                            ". Choose another with --master-port");
        }
    }

    @Test
    void anotherLauncherThatSaysItUsesThePortIsNamed() {
        try (Ports other = new Ports();
                Ports ports = new Ports()) {
            int port = other.draw();
            assertThatThrownBy(() -> claims(ports, Duration.ofSeconds(1)).claim(List.of(port(port)), false))
                    .isInstanceOf(MusterException.class)
                    .hasMessageContainingAll(
                            "is taken by another job",
                            "pid " + ProcessHandle.current().pid());
        }
    }

    @Test
    void whatAnEarlierRunLeftBehindIsWaitedFor() throws Exception {
        isWaitedFor(leftover(Map.of("MUSTER_JOB", "0123")));
    }

    /** The environment of sshd cannot be read: sshd writes its process title over it. */
    @Test
    void itIsKnownByItsArgumentsToo() throws Exception {
        isWaitedFor(leftover(Map.of(), "-f", "/home/ma-user/muster-bjjow4b6z8ju/sshd_config"));
    }

    private void isWaitedFor(Process leftover) throws IOException {
        int port = portOf(leftover);
        try (Ports ports = new Ports()) {
            PortClaims claims = new PortClaims(
                    ports,
                    Duration.ofSeconds(30),
                    pause -> {
                        leftover.destroyForcibly();
                        return leftover.onExit().join() != null;
                    },
                    new WaitReporter(said::add, System::nanoTime));
            assertThat(claims.claim(List.of(port(port)), false)).isTrue();
        } finally {
            leftover.destroyForcibly();
        }
        assertThat(said)
                .singleElement()
                .asString()
                .contains("pid " + leftover.pid(), "earlier run", "waiting up to 30s");
    }

    @Test
    void whatAnEarlierRunLeftBehindIsNotWaitedForForEver() throws Exception {
        Process leftover = leftover(Map.of("MUSTER_JOB", "0123"));
        int port = portOf(leftover);
        try (Ports ports = new Ports()) {
            assertThatThrownBy(() -> claims(ports, Duration.ofMillis(300)).claim(List.of(port(port)), false))
                    .isInstanceOfSatisfying(
                            MusterException.class,
                            refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.TEMPORARY))
                    .hasMessageContaining("is still held by pid " + leftover.pid());
        } finally {
            leftover.destroyForcibly();
        }
    }

    /** Between two attempts, the launcher waits for a given port, whichever process holds it. */
    @Test
    void forTheNextRunAnybodyIsWaitedFor() throws Exception {
        try (ServerSocket other = new ServerSocket(0)) {
            RequiredPort wanted = port(other.getLocalPort());
            try (Ports ports = new Ports()) {
                assertThatThrownBy(() -> claims(ports, Duration.ofMillis(300)).claim(List.of(wanted), true))
                        .isInstanceOfSatisfying(
                                MusterException.class,
                                refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.TEMPORARY))
                        .hasMessageContaining("is still held by pid");
            }
            try (Ports ports = new Ports()) {
                PortClaims claims = new PortClaims(
                        ports,
                        Duration.ofSeconds(30),
                        pause -> closed(other),
                        new WaitReporter(said::add, System::nanoTime));
                assertThat(claims.claim(List.of(wanted), true)).isTrue();
            }
        }
    }

    private static boolean closed(ServerSocket socket) {
        try {
            socket.close();
            return true;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Test
    void aPortOfOneAddressIsFreeWhateverOthersHave() throws Exception {
        try (ServerSocket beside = new ServerSocket(0, 1, InetAddress.getByName("127.0.7.1"));
                Ports one = new Ports();
                Ports two = new Ports()) {
            int port = beside.getLocalPort();
            assertThat(claims(one, Duration.ZERO).claim(List.of(at("127.0.7.2", port)), false))
                    .isTrue();
            assertThat(claims(two, Duration.ZERO).claim(List.of(at("127.0.7.3", port)), false))
                    .isTrue();
            for (String taken : List.of("127.0.7.1", "0.0.0.0", "no.such.host.invalid", "192.0.2.1")) {
                try (Ports ports = new Ports()) {
                    assertThatThrownBy(() -> claims(ports, Duration.ZERO).claim(List.of(at(taken, port)), false))
                            .as(taken)
                            .hasMessageContaining("is taken by");
                }
            }
        }
    }

    private static RequiredPort at(String host, int port) {
        return RequiredPort.of(port, "sshd", "default", "Choose another").at(host);
    }

    @Test
    void aStopRequestEndsTheWait() throws Exception {
        Process leftover = leftover(Map.of("MUSTER_JOB", "0123"));
        int port = portOf(leftover);
        try (Ports ports = new Ports()) {
            PortClaims claims = new PortClaims(
                    ports, Duration.ofSeconds(30), pause -> false, new WaitReporter(said::add, System::nanoTime));
            assertThat(claims.claim(List.of(port(port)), false)).isFalse();
        } finally {
            leftover.destroyForcibly();
        }
    }

    private PortClaims claims(Ports ports, Duration patience) {
        return new PortClaims(ports, patience, pause -> true, new WaitReporter(said::add, System::nanoTime));
    }

    private static RequiredPort port(int number) {
        return RequiredPort.of(number, "the rendezvous", "--master-port", "Choose another with --master-port");
    }

    /** A process that listens on a port, and whose launcher is gone. */
    private static Process leftover(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "python3",
                "-c",
                "import socket,time\ns=socket.socket()\ns.bind(('',0))\ns.listen()\nprint(s.getsockname()[1],flush=True)\n"
                        + "time.sleep(600)"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static int portOf(Process process) throws IOException {
        return Integer.parseInt(process.inputReader().readLine());
    }
}
