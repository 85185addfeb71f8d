package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Environment;
import dev.muster.spi.NodeInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeInfoReaderTest {

    @TempDir
    private Path root;

    @Test
    void factsComeFromTheKernelsFiles() throws IOException {
        write("proc/sys/kernel/hostname", "pod-0\n");
        write("proc/self/status", "Name:\tjava\nUmask:\t0022\nUid:\t1000\t1001\t1002\t1003\nGid:\t100\n");

        NodeInfo machine = read(Map.of("HOME", "/home/ma-user"));

        assertThat(machine.hostName()).isEqualTo("pod-0");
        assertThat(machine.uid()).isEqualTo(1001);
        assertThat(machine.home()).contains("/home/ma-user");
        assertThat(machine.usableCores()).isPositive();
    }

    @Test
    void theHostNameMayBeElsewhere() throws IOException {
        assertThat(read(Map.of()).hostName()).isEqualTo("localhost");
        assertThat(read(Map.of("HOSTNAME", "shell")).hostName()).isEqualTo("shell");
        write("etc/hostname", "etc\n");
        assertThat(read(Map.of("HOSTNAME", "shell")).hostName()).isEqualTo("etc");
    }

    @Test
    void withoutProcThereIsNoUid() {
        assertThat(read(Map.of()).uid()).isEqualTo(-1);
    }

    @Test
    void addressesThatReachFarthestComeFirst() {
        List<String> addresses = read(Map.of()).addresses();

        assertThat(addresses).contains("127.0.0.1").doesNotHaveDuplicates();
        assertThat(addresses.subList(addresses.indexOf("127.0.0.1"), addresses.size()))
                .allMatch(address -> address.startsWith("127.") || address.equals("::1"));
    }

    @ParameterizedTest
    @CsvSource({
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "fe80:0:0:0:0:0:0:0, fe80::",
        "2001:db8:0:1:0:0:0:1, 2001:db8:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2:3:4:5:6",
        "2001:db8:0:2:3:4:5:60, 2001:db8:0:2:3:4:5:60",
        "fe80:0:0:0:fc:ff:fe00:1%1, fe80::fc:ff:fe00:1",
        "10.0.0.0, 10.0.0.0"
    })
    void theLongestRunOfZerosIsLeftOut(String address, String text) throws UnknownHostException {
        assertThat(NodeInfoReader.text(InetAddress.getByName(address))).isEqualTo(text);
    }

    private NodeInfo read(Map<String, String> variables) {
        return new NodeInfoReader(new MachineFiles(root), Environment.of(variables)).read();
    }

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }
}
