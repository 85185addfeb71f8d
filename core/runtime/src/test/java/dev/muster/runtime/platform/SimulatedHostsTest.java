package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedHostsTest {

    @TempDir
    private Path directory;

    private Environment environment = Environment.of(Map.of());

    @BeforeEach
    void writeHosts() throws IOException {
        Path hosts = Files.writeString(
                directory.resolve("hosts"), "127.0.0.1 localhost\n127.64.1.1 w-0 w-0.job\n127.64.1.2 w-1 w-1.job\n");
        environment = Environment.of(Map.of(ProcessInfo.SIMULATED_HOSTS, hosts.toString()));
    }

    @Test
    void othersFindTheLeaderByItsAddress() {
        LauncherNodes found = SimulatedHosts.reachable(launchers(1, "w-0.job", "w-1.job"), environment);

        assertThat(found.leading().host()).contains(Host.of("127.64.1.1", Optional.of("127.64.1.1")));
        assertThat(found.all().get(1).host()).contains(Host.of("w-1.job", Optional.empty()));
    }

    @Test
    void theLeaderKeepsItsName() {
        LauncherNodes leading = launchers(0, "w-0.job", "w-1.job");

        assertThat(SimulatedHosts.reachable(leading, environment)).isEqualTo(leading);
    }

    @Test
    void elsewhereNamesAreNames() {
        LauncherNodes others = launchers(1, "a", "b");

        assertThat(SimulatedHosts.reachable(others, environment)).isEqualTo(others);
        assertThat(SimulatedHosts.reachable(others, Environment.of(Map.of()))).isEqualTo(others);
        assertThat(SimulatedHosts.reachable(others, Environment.of(Map.of(ProcessInfo.SIMULATED_HOSTS, "/nowhere"))))
                .isEqualTo(others);
    }

    private static LauncherNodes launchers(int own, String... names) {
        return LauncherNodes.ofHosts(
                own,
                List.of(names).stream()
                        .map(name -> Host.of(name, Optional.empty()))
                        .toList());
    }
}
