package dev.muster.runtime.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.commands.TestCommands;
import dev.muster.runtime.platform.SimulatedPlatform;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import dev.muster.spi.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Virtual nodes that are hosts of their own, for real where this machine allows them. */
class HostNetworkTest {

    private static final HostNetwork.User ROOT = new HostNetwork.User(0, 0);
    private static final HostNetwork.User SOMEBODY = new HostNetwork.User(1000, 100);

    @TempDir
    private Path directory;

    @Test
    void everyNodeHasAnAddressOfItsOwn() {
        assertThat(HostNetwork.address(0)).isEqualTo("10.201.1.1");
        assertThat(HostNetwork.address(249)).isEqualTo("10.201.1.250");
        assertThat(HostNetwork.address(250)).isEqualTo("10.201.2.1");
    }

    @Test
    void hostsKnowEachOtherByAllNamesOfThePlatform() {
        assertThat(HostNetwork.hostsFile(nodes(2)))
                .contains("127.0.0.1 localhost\n")
                .contains("\n10.201.1.1 modelarts-job-7-worker-0 modelarts-job-7-worker-0.ma-job-7"
                        + " ma-job-7-worker-0 ma-job-7-worker-0.ma-job-7\n")
                .contains("\n10.201.1.2 modelarts-job-7-worker-1 ");
    }

    @Test
    void whoIsNotRootIsHimselfAgainInHisHost() {
        List<String> words = new HostNetwork(SOMEBODY, directory).around(nodes(1).get(0), 0, List.of("id", "-u"));
        assertThat(words).endsWith("unshare", "--user", "--map-user=1000", "--map-group=100", "id", "-u");
        assertThat(words.get(2)).contains("nsenter --target $pid --user");
        assertThat(new HostNetwork(ROOT, directory).around(nodes(1).get(0), 0, List.of("id")))
                .doesNotContain("--user");
    }

    @Test
    void anObstacleIsNamed() {
        CommandRunner withoutPrograms = TestCommands.in(directory, "/nowhere");
        assertThat(new HostNetwork(ROOT, directory).obstacle(withoutPrograms)).contains("there is no unshare here");
        assertThat(new HostNetwork(ROOT, Path.of("/run/user/0/simulation")).obstacle(withoutPrograms))
                .contains("/run/user/0/simulation is in /run, of which every host has its own");
    }

    @Test
    void theReasonIsWhatTheLastProgramSaidNotItsHint() {
        assertThat(HostNetwork.reason("""
                warning: ignored
                mount: /etc/hosts: special device /etc/hosts does not exist.
                       dmesg(1) may have more information after failed mount system call.

                """)).contains("mount: /etc/hosts: special device /etc/hosts does not exist.");
        assertThat(HostNetwork.reason("\n  \n")).isEmpty();
    }

    @Test
    void hostsReachEachOther() throws IOException, InterruptedException {
        HostNetwork network = new HostNetwork(HostNetwork.User.current(), directory);
        Optional<String> obstacle = network.obstacle(TestCommands.in(directory, System.getenv("PATH")));
        Assumptions.assumeTrue(obstacle.isEmpty(), "no hosts of their own here: " + obstacle.orElse(""));
        List<VirtualNode> nodes = nodes(2);
        network.prepare(nodes);
        Process bridge = start(words(network.service().launch().command()));
        try {
            awaitFile(directory.resolve("network.pid"));
            Process listener = start(network.around(nodes.get(1), 1, python("""
                    import socket
                    s = socket.create_server(("modelarts-job-7-worker-1", 7000))
                    print("ready", flush=True)
                    s.accept()[0].sendall(socket.gethostname().encode())
                    """)));
            assertThat(listener.inputReader().readLine()).isEqualTo("ready");
            // Told to stop, the network stays until the last host is gone.
            bridge.destroy();
            Process caller = start(network.around(nodes.get(0), 0, python("""
                    import os, socket
                    s = socket.create_connection(("ma-job-7-worker-1.ma-job-7", 7000), 10)
                    print(socket.gethostname(), s.recv(100).decode(), os.getuid(), os.listdir("/dev/shm"))
                    """)));
            assertThat(new String(caller.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("modelarts-job-7-worker-0 modelarts-job-7-worker-1 "
                            + HostNetwork.User.current().uid() + " []\n");
            assertThat(caller.waitFor()).isZero();
            assertThat(bridge.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(listener.waitFor(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            bridge.destroyForcibly().waitFor();
        }
    }

    private static List<String> python(String program) {
        return List.of("python3", "-c", program);
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitFile(Path file) throws InterruptedException {
        Instant deadline = Instant.now().plusSeconds(30);
        while (!Files.exists(file)) {
            assertThat(Instant.now()).as("time until %s is there", file).isBefore(deadline);
            Thread.sleep(Duration.ofMillis(5).toMillis());
        }
    }

    private static List<String> words(List<Value> command) {
        return command.stream().map(word -> ((Value.Literal) word).text()).toList();
    }

    private static List<VirtualNode> nodes(int count) {
        List<SimulatedNode> simulated = new ArrayList<>();
        for (int node = 0; node < count; node++) {
            simulated.add(SimulatedNode.builder(
                            node,
                            "modelarts-job-7-worker-" + node,
                            HostNetwork.address(node),
                            "/simulated/node-" + node)
                    .build());
        }
        SimulatedCluster cluster = SimulatedCluster.builder("modelarts-job-7", "modelarts", simulated)
                .hosts(true)
                .build();
        return simulated.stream()
                .map(node -> new VirtualNode(
                        node, SimulatedPlatform.site(cluster, node), NodeProvision.NOTHING, Path.of("/simulated/log")))
                .toList();
    }
}
