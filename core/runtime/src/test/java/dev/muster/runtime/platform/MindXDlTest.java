package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.TestWorlds;
import dev.muster.spi.PlatformContract.WellKnownFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MindXDlTest {

    private static final String TABLE = "/user/serverid/devindex/config/hccl.json";
    private static final String OPERATORS = "/user/mindx-dl/ranktable/vcjob.mindx-dls-test/hccl.json";

    @TempDir
    private Path root;

    @Test
    void whoReadsTheTableIsToldWhereItIsAndWhichServerThisIs() {
        for (int i = 0; i < 2; i++) {
            Site site = OnNode.of("mindx-dl-" + i, root, TestEngines.ASCEND).site();
            assertThat(site.platform().name()).isEqualTo("mindx-dl");
            assertThat(table(site)).contains(TABLE);
            assertThat(site.node().address().orElseThrow().value()).isEqualTo("10.20.0.1" + (i + 1));
            assertThat(site.node().address().orElseThrow().origin()).isEqualTo("XDL_IP");
            assertThat(site.jobId()).isEqualTo("mindx-dls-test");
            assertThat(site.node().index()).isEmpty();
            assertThat(site.platform().contract().localVariables()).contains("XDL_*", "mindx-dls-test");
            assertThat(site.unheard()).noneMatch(claim -> claim.contradicts(2));
            assertThat(site.unheard()).anyMatch(claim -> claim.contradicts(1));
        }
    }

    @Test
    void othersAreToldByVolcano() {
        Site site = OnNode.of("mindx-dl-1", root, TestEngines.TORCH).site();
        assertThat(site.node().count()).hasValue(2);
        assertThat(site.node().index()).hasValue(1);
        assertThat(site.node().hosts()).hasSize(2);
        assertThat(site.unheard()).isEmpty();
    }

    @Test
    void othersThatKnowTheTableOnlyAreNotTakenForTheWhole() {
        Site site = OnNode.of("mindx-dl-table-0", root, TestEngines.TORCH).site();
        assertThat(site.unheard()).anySatisfy(claim -> {
            assertThat(claim.text()).contains(OPERATORS, "2 servers");
            assertThat(claim.contradicts(1)).isTrue();
        });
        assertThat(OnNode.of("mindx-dl-table-0", root, TestEngines.TORCH)
                        .site("nodes", "1")
                        .unheard())
                .isEmpty();
    }

    /** A table may be written later than a container starts, and says then of how many servers it is. */
    @Test
    void whereNeitherTableNorVolcanoCountsTheNodesThatIsSaid() {
        OnNode node = OnNode.of("volcano-no-plugins-worker-0", root, TestEngines.TORCH)
                .set("XDL_IP", "10.20.0.11");
        assertThat(node.site().unheard())
                .singleElement()
                .matches(claim -> claim.isDoubtOf(1)
                        && !claim.contradicts(1)
                        && claim.text().contains("XDL_IP"));
        assertThat(node.site("nodes", "1").unheard()).isEmpty();
        assertThat(node.set("MUSTER_JOB", "of a rank").site().unheard()).isEmpty();
        assertThat(OnNode.of("mindx-dl-single", root, TestEngines.TORCH).site().unheard())
                .isEmpty();
    }

    @Test
    void theNewerPlaceIsFound() {
        Site site = OnNode.of("mindx-dl-table-1", root, TestEngines.ASCEND).site();
        assertThat(table(site)).contains(OPERATORS);
        assertThat(site.jobId()).isEqualTo("mindx-dls-test");
        Site alone = OnNode.of("mindx-dl-table-1", root, TestEngines.ASCEND)
                .unset("XDL_IP")
                .site();
        assertThat(alone.platform().explanation()).contains(OPERATORS);
    }

    @Test
    void ofSeveralTablesTheJobsOwnCounts() throws IOException {
        write("/user/mindx-dl/ranktable/vcjob.another/hccl.json");
        assertThat(table(OnNode.of("mindx-dl-table-1", root, TestEngines.ASCEND).site()))
                .contains(OPERATORS);
        Site unknown = OnNode.of("mindx-dl-table-1", root, TestEngines.ASCEND)
                .unset("mindx-dls-test")
                .site();
        assertThat(table(unknown)).contains(TABLE);
        assertThat(unknown.warnings()).anyMatch(warning -> warning.contains("2 rank tables"));
    }

    @Test
    void aTableThatIsYetToComeIsAwaited() {
        Site site = OnNode.of("volcano-no-plugins-worker-0", root, TestEngines.ASCEND)
                .set("XDL_IP", "10.20.0.11")
                .site();
        assertThat(table(site)).contains(TABLE);
        assertThat(site.unheard()).isEmpty();
    }

    /** Whoever reads the table waits for it; nobody knows better before. */
    @Test
    void aTableThatIsBeingWrittenIsNoSignForWhoReadsIt() throws IOException {
        Files.writeString(write(TABLE), "{\"status\":\"initializing\"}");
        assertThat(OnNode.of("volcano-no-plugins-worker-0", root, TestEngines.ASCEND)
                        .site()
                        .unheard())
                .isEmpty();
        assertThat(OnNode.of("volcano-no-plugins-worker-0", root, TestEngines.PLAIN)
                        .site()
                        .unheard())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"PyTorch, pytorch", "Tensorflow, tensorflow", "MINDSPORE, mindspore"})
    void theFrameworkIsAnOption(String variable, String option) {
        OnNode node = OnNode.of("mindx-dl-0", root, TestEngines.ASCEND).set("framework", variable);
        assertThat(node.option("framework")).isEqualTo(option + " (framework)");
        assertThat(node.option("framework", "framework", "none")).isEqualTo("none (--framework)");
        assertThat(OnNode.of("mindx-dl-0", root, TestEngines.TORCH).option("framework"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"600, 595s", "6, 1s", "3, 1s", "0, 1s"})
    void theGraceLeavesTheLauncherTime(String period, String grace) {
        Site site = OnNode.of("mindx-dl-0", root, TestEngines.ASCEND)
                .set("TERMINATION_GRACE_PERIOD_SECONDS", period)
                .site();
        assertThat(grace(site)).isEqualTo(grace + " (TERMINATION_GRACE_PERIOD_SECONDS)");
        assertThat(grace(OnNode.of("mindx-dl-0", root, TestEngines.ASCEND)
                        .set("TERMINATION_GRACE_PERIOD_SECONDS", period)
                        .site("grace", "7s")))
                .isEqualTo("7s (--grace)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"XDL_IP", "framework", "TERMINATION_GRACE_PERIOD_SECONDS", "VC_TASK_INDEX"})
    void hostileValuesAreRefused(String variable) {
        OnNode node = OnNode.of("mindx-dl-0", root, variable.startsWith("VC") ? TestEngines.TORCH : TestEngines.ASCEND);
        if (variable.equals("XDL_IP")) {
            node.set(variable, "$(id)").assertRefused(variable, "\"$(id)\"");
            node.set(variable, "a\nb").assertRefused(variable);
            assertThat(node.set(variable, "fe80::1:2")
                            .site()
                            .node()
                            .address()
                            .orElseThrow()
                            .value())
                    .isEqualTo("fe80::1:2");
        } else {
            node.assertRefusesHostile(variable);
        }
    }

    @Test
    void aVariableNamedLikeTheJobHoldsThePod() {
        OnNode node = OnNode.of("mindx-dl-table-0", root, TestEngines.ASCEND).unset("mindx-dls-test");
        assertThat(node.site().jobId()).startsWith("muster-");
        assertThat(node.set("train", "train-w-0").site().jobId()).isEqualTo("train");
        assertThat(node.set("train", "training-0").site().jobId()).startsWith("muster-");
        assertThat(node.set("train", "train-w-x").site().jobId()).startsWith("muster-");
    }

    /** The scheduler that MindSpore would look for is none of a job that is booted by its table. */
    @Test
    void anAcjobBootedByItsTableHasNoScheduler() {
        Map<String, String> scheduler = Map.of("MS_ROLE", "MS_WORKER", "MS_SCHED_HOST", "a");
        OnNode node = OnNode.of("mindx-dl-0", root, TestEngines.ASCEND).set("MINDX_TASK_ID", "u");
        scheduler.forEach(node::set);
        assertThat(node.site("platform", "mindx-dl").foreignVariables()).containsExactly("MS_ROLE", "MS_SCHED_HOST");
    }

    /** It would be said at every start otherwise. */
    @Test
    void whatMindClusterDoesNotIsSaidToWhoLooksOnly() {
        Evidence evidence = new Evidence(
                TestWorlds.of(Map.of("XDL_IP", "10.20.0.11")),
                TestSites.MACHINE,
                new MachineFiles(root),
                Optional.empty(),
                Command.PLATFORMS);
        assertThat(PlatformSurvey.of(evidence, Platforms.ALL))
                .filteredOn(PlatformSurvey.Finding::isTaken)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.name()).isEqualTo("mindx-dl");
                    assertThat(finding.says().get("note")).contains("does not reschedule");
                });
        assertThat(OnNode.of("mindx-dl-0", root, TestEngines.ASCEND).site().warnings())
                .isEmpty();
    }

    private Path write(String path) throws IOException {
        Path file = root.resolve(path.substring(1));
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        return Files.writeString(file, "{}");
    }

    private static Optional<String> table(Site site) {
        return site.platform().contract().file(WellKnownFile.RANK_TABLE);
    }

    private static String grace(Site site) {
        return site.settings()
                .find(OptionTable.GRACE)
                .map(setting -> setting.value() + " (" + setting.origin() + ")")
                .orElseThrow();
    }
}
