package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.EngineDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What Muster finds in each recorded environment, and in changed ones: see {@code table.txt}. A line without indentation names the
 * case; the indented lines below it are the result.
 */
class PlatformTableTest {

    private static final String INDENT = "  ";

    @TempDir
    private Path root;

    @ParameterizedTest
    @MethodSource("table")
    void whatIsToldBecomesARecord(String name, List<String> expected) {
        List<String> record = PlatformCase.of(name).lines(root);

        assertThat(String.join("\n", record)).isEqualTo(String.join("\n", expected));
    }

    /** Where Muster can follow the platform, it finds the recorded job. */
    @ParameterizedTest
    @MethodSource("dev.muster.runtime.platform.Recorded#all")
    void theRecordedNodeIsFound(Recorded recorded) {
        boolean hasRoles = recorded.environment().containsKey("TF_CONFIG")
                || recorded.environment().containsKey("VC_PS_HOSTS");
        EngineDescriptor engine = hasRoles ? TestEngines.TENSORFLOW : TestEngines.TORCH;
        ResolvedJob resolved;
        try {
            resolved = recorded.jobOf(root, engine, KnownPlatform.ALL, Command.PLAN);
        } catch (MusterException refused) {
            return;
        }
        assertThat(resolved.platform().name()).isIn(recorded.platform(), "none");
        resolved.node().count().ifPresent(count -> assertThat(count).isEqualTo(recorded.nodes()));
        resolved.node().index().ifPresent(index -> assertThat(index).isEqualTo(recorded.index()));
    }

    static Stream<Arguments> table() throws IOException {
        Map<String, List<String>> cases = new TreeMap<>();
        List<String> body = new ArrayList<>();
        try (InputStream in =
                Objects.requireNonNull(PlatformTableTest.class.getResourceAsStream("table.txt"), "no table")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.startsWith(INDENT)) {
                    body.add(line.substring(INDENT.length()));
                } else if (!line.isEmpty()) {
                    body = new ArrayList<>();
                    cases.put(line, body);
                }
            }
        }
        return cases.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
    }
}
