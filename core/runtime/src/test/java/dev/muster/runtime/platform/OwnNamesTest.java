package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Command;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnNamesTest {

    @TempDir
    Path root;

    /** @param hosts the lines of {@code /etc/hosts}; the host name of the machine is {@code box} */
    private List<String> warnings(String variable, String hosts, String... options) {
        return new Recorded(
                        "case",
                        "",
                        0,
                        0,
                        "",
                        "box",
                        Map.of(variable, "x"),
                        Map.of("/etc/hosts", "127.0.0.1 localhost\n" + hosts.replace(';', '\n')),
                        Map.of())
                .jobOf(root, TestEngines.PLAIN, KnownPlatform.ALL, Command.LAUNCH, options)
                .warnings();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.1.1 box,                     a b,  box leads to 127.0.1.1",
        "127.0.1.1\tbox.lan box # Debian,   a b,  box leads to 127.0.1.1",
        "127.0.1.1 a.lan a;10.0.0.1 box,    a b,  a leads to 127.0.1.1",
        "127.0.1.1 b,                       a b,  ''",
        "10.0.0.1 box;127.0.1.1 box,        a b,  ''",
        "::1 box,                           a b,  ''",
        "#127.0.1.1 box,                    a b,  ''",
        "127.0.1.1 box,                     a,    ''",
    })
    void aNameOfThisNodeThatLeadsToItselfIsSaidInAJobOfSeveralNodes(String hosts, String nodes, String said) {
        List<String> warnings =
                warnings("HOME", hosts, "hosts", nodes.replace(' ', ','), "node-index", "0", "job-id", "j");

        assertThat(warnings).hasSize(said.isEmpty() ? 0 : 1).allMatch(warning -> warning.contains(said));
    }

    @ParameterizedTest
    @CsvSource({"GLOO_SOCKET_IFNAME", "MUSTER_JOB"})
    void aChosenInterfaceAndASimulationNeedNoName(String variable) {
        assertThat(warnings(variable, "127.0.1.1 box", "hosts", "a,b", "node-index", "0", "job-id", "j"))
                .isEmpty();
    }
}
