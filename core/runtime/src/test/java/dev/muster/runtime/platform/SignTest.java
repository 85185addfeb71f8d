package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.Platform;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each sign of another launcher or cloud is tested in an environment without any other sign. */
class SignTest {

    @TempDir
    private Path root;

    @ParameterizedTest
    @MethodSource("rows")
    void aSignAloneIsNeverTakenForOneNode(Sign row) {
        ResolvedJob resolved = resolved(row, several(row), List.of(KnownPlatform.none()));

        assertThat(resolved.unusedSigns()).anySatisfy(claim -> {
            assertThat(claim.contradicts(1)).isTrue();
            assertThat(claim.text()).contains(row.source(), row.called());
        });
        assertThat(isHeardByOurs(row)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aSignOfOneNodeSaysNothing(Sign row) {
        String one = row.kind() == Sign.Kind.HOSTS ? "a 4" : row.kind() == Sign.Kind.INDEX ? "0" : "1";

        assertThat(resolved(row, row.kind() == Sign.Kind.PRESENCE ? "" : one, List.of(KnownPlatform.none()))
                        .unusedSigns())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aRankOfOursHasTheSignsOfMpiFromUs(Sign row) {
        Map<String, String> environment = environment(row, several(row));
        environment.put(RunMarker.VARIABLE, "x");

        assertThat(resolved(environment, Map.of(), List.of(KnownPlatform.none()))
                        .unusedSigns()
                        .isEmpty())
                .isEqualTo(row.remarks().contains("no-rank-of-muster")
                        || row.source().startsWith("/"));
    }

    private boolean isHeardByOurs(Sign row) {
        try {
            ResolvedJob resolved = resolved(row, several(row), KnownPlatform.ALL);
            return resolved.node().count().orElse(1) > 1
                    || resolved.unusedSigns().stream().anyMatch(claim -> claim.contradicts(1));
        } catch (MusterException refused) {
            return refused.exitCode() == ExitCode.CONFIGURATION;
        }
    }

    private static String several(Sign row) {
        return row.kind() == Sign.Kind.HOSTS ? "a 4 b 4" : "3";
    }

    private static Map<String, String> environment(Sign row, String value) {
        Map<String, String> environment = new TreeMap<>();
        row.companions().forEach(name -> environment.put(name, "1"));
        if (!row.source().startsWith("/")) {
            environment.put(row.source(), value);
        }
        return environment;
    }

    private ResolvedJob resolved(Sign row, String value, List<? extends Platform> platforms) {
        Map<String, String> files = row.source().startsWith("/")
                ? Map.of(row.source(), "{\"hosts\":[" + (value.contains("b") ? "\"a\",\"b\"" : "\"a\"") + "]}")
                : Map.of();
        return resolved(environment(row, value), files, platforms);
    }

    private ResolvedJob resolved(
            Map<String, String> environment, Map<String, String> files, List<? extends Platform> platforms) {
        Recorded recorded = new Recorded("alone", "", 0, 0, "", "host", environment, files, Map.of());
        return recorded.jobOf(root, TestEngines.PLAIN, platforms, Command.LAUNCH);
    }

    static Stream<Sign> rows() {
        return Sign.TABLE.stream().filter(sign -> !sign.called().isEmpty());
    }
}
