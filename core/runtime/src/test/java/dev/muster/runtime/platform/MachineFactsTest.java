package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Environment;
import dev.muster.spi.Machine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineFactsTest {

    @TempDir
    private Path root;

    @Test
    void factsComeFromTheKernelsFiles() throws IOException {
        write("proc/sys/kernel/hostname", "pod-0\n");
        write("proc/self/status", "Name:\tjava\nUmask:\t0022\nUid:\t1000\t1001\t1002\t1003\nGid:\t100\n");
        write("proc/net/fib_trie", "");

        Machine machine = read(Map.of("HOME", "/home/ma-user"));

        assertThat(machine.hostName()).isEqualTo("pod-0");
        assertThat(machine.uid()).isEqualTo(1001);
        assertThat(machine.home()).contains("/home/ma-user");
        assertThat(machine.addresses()).isEmpty();
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
    void addressesAreThoseOfTheRoutingTableOnceEach() throws IOException {
        write("proc/net/fib_trie", """
                Main:
                  +-- 0.0.0.0/0 3 0 5
                     |-- 0.0.0.0
                        /0 universe UNICAST
                     +-- 127.0.0.0/8 2 0 2
                           |-- 127.0.0.0
                              /8 host LOCAL
                           |-- 127.0.0.1
                              /32 host LOCAL
                        |-- 127.255.255.255
                           /32 link BROADCAST
                     +-- 192.168.0.0/24 2 0 2
                           |-- 192.168.0.0
                              /24 link UNICAST
                           |-- 192.168.0.25
                              /32 host LOCAL
                        |-- 192.168.0.255
                           /32 link BROADCAST
                Local:
                           |-- 192.168.0.25
                              /32 host LOCAL
                """);
        write("proc/net/if_inet6", """
                00000000000000000000000000000001 01 80 10 80       lo
                fe8000000000000000fc00fffe000001 04 40 20 80     eth0
                fd000000000000000000000000000002 04 40 00 82     eth0
                """);

        assertThat(read(Map.of()).addresses())
                .containsExactly("192.168.0.25", "fd00::2", "fe80::fc:ff:fe00:1", "127.0.0.1", "::1");
    }

    @Test
    void thisMachinesAddressesAreThoseThatTheJdkSees() throws IOException {
        List<String> seen = new ArrayList<>();
        for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(network.getInetAddresses())) {
                byte[] bytes = address.getAddress();
                seen.add(bytes.length == 4 ? address.getHostAddress() : Ipv6.format(Ipv6.groups(bytes)));
            }
        }

        assertThat(new InterfaceAddresses(Path.of("/")).read()).containsAll(seen);
        assertThat(new InterfaceAddresses(root).read()).containsExactlyInAnyOrderElementsOf(seen);
    }

    private Machine read(Map<String, String> variables) {
        return new MachineFacts(root, Environment.of(variables)).read();
    }

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }
}
