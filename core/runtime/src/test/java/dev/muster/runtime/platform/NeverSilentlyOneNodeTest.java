package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Settings;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Platform;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A node of a larger job never silently runs as a job of one node. If a platform's reader is missing, Muster warns or refuses. */
@Tag("one-jdk")
class NeverSilentlyOneNodeTest {

    /** The pods of these jobs get no sign at all that there are other pods. */
    private static final List<String> UNTOLD = List.of("volcano-no-plugins");

    /** Only these variables tell that there are other pods. A pod of a one-replica job does not have them. */
    private static final Set<String> UNTOLD_WITHOUT =
            Set.of("TF_CONFIG", "JOB_COMPLETION_INDEX", "K_MPI_JOB_ROLE", "NUM_PROCESSES");

    /** Only these variables tell the number of nodes. */
    private static final Set<String> COUNTS =
            Set.of("PET_NNODES", "NUM_PROCESSES", "DLWS_NUM_WORKER", "SLURM_HET_SIZE");

    private static final List<String> WRONG = List.of("", "0", "1", "2:2");

    /** Variables (prefixes) that no platform reads. */
    private static final List<String> UNREAD =
            List.of("KUBERNETES_", "HOME", "PATH", "PYTHON", "SLURM_JOB_CPUS", "TMPDIR");

    private static final EngineDescriptor PLAIN = EngineDescriptor.of("plain", "for tests");
    private static final EngineDescriptor THAT_LOGS_IN =
            EngineDescriptor.of("mpi", "for tests").withLogins();
    private static final EngineDescriptor WITH_ROLES =
            EngineDescriptor.of("roles", "for tests").withRoles(List.of("ps", "worker"));

    @TempDir
    private Path root;

    @ParameterizedTest
    @MethodSource("severalNodes")
    void whicheverReaderIsMissing(Recorded recorded, EngineDescriptor engine) {
        recorded.writeFiles(root);
        Settings settings = recorded.settings(engine);
        assertHeard(recorded, engine, settings, KnownPlatform.ALL, "nothing");
        for (Platform missing : KnownPlatform.ALL) {
            if (!missing.name().equals("none")) {
                List<KnownPlatform> rest = KnownPlatform.ALL.stream()
                        .filter(one -> !one.name().equals(missing.name()))
                        .toList();
                assertHeard(recorded, engine, settings, rest, missing.name());
            }
        }
        assertHeard(recorded, engine, settings, List.of(KnownPlatform.none()), "everything");
    }

    /** One variable is empty or has a wrong value. */
    @ParameterizedTest
    @MethodSource("ofPlainEngine")
    void whicheverVariableIsWrong(Recorded recorded) {
        recorded.writeFiles(root);
        for (String variable : recorded.environment().keySet()) {
            boolean isAnybodys = UNREAD.stream().anyMatch(variable::startsWith);
            for (String value : isAnybodys ? List.<String>of() : WRONG) {
                Recorded changed = recorded.with(variable, value);
                boolean isUntold = value.isEmpty()
                        ? UNTOLD_WITHOUT.contains(variable)
                        // The other nodes have an index above 0, so Muster refuses them.
                        : value.equals("1") && COUNTS.contains(variable) && recorded.index() == 0;
                if (!isUntold) {
                    assertHeard(changed, PLAIN, changed.settings(PLAIN), KnownPlatform.ALL, variable + "=" + value);
                }
            }
        }
    }

    @Test
    void thereAreRecordings() {
        assertThat(severalNodes()).hasSizeGreaterThan(100);
    }

    static Stream<Recorded> ofPlainEngine() {
        return Recorded.all()
                .filter(recorded -> recorded.nodes() > 1)
                .filter(recorded -> UNTOLD.stream().noneMatch(recorded.name()::startsWith));
    }

    static Stream<Arguments> severalNodes() {
        return ofPlainEngine()
                .flatMap(recorded ->
                        Stream.of(PLAIN, THAT_LOGS_IN, WITH_ROLES).map(engine -> Arguments.of(recorded, engine)));
    }

    private void assertHeard(
            Recorded recorded,
            EngineDescriptor engine,
            Settings settings,
            List<? extends Platform> platforms,
            String missing) {
        boolean isHeard;
        try {
            ResolvedJob resolved = recorded.jobWithFiles(root, engine, platforms, true, settings);
            boolean isFollowed = resolved.node().count().orElse(1) > 1
                    || resolved.node().hostsByRole().values().stream()
                                    .mapToInt(List::size)
                                    .sum()
                            > 1;
            isHeard = isFollowed
                    || resolved.unusedSigns().stream().anyMatch(claim -> claim.contradicts(1) || claim.isDoubtOf(1));
        } catch (MusterException refused) {
            isHeard = refused.exitCode() == ExitCode.CONFIGURATION;
        }
        assertThat(isHeard)
                .as("%s without the reader of %s, engine %s", recorded, missing, engine.id())
                .isTrue();
    }
}
