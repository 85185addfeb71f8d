package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.CardChoice;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract.WellKnownFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelArtsTest {

    @TempDir
    private Path directory;

    private final Map<String, String> variables = new HashMap<>();

    @BeforeEach
    void setTheJobsName() {
        variables.put("MA_VJ_NAME", "ma-job-1234");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "MA_VJ_NAME",
                "MA_MOUNT_PATH",
                "MA_CURRENT_INSTANCE_NAME",
                "MA_JOB_DIR",
                "MA_CURRENT_HOST_IP",
                "MA_JOB_ID"
            })
    void anyOfItsVariablesGivesItAway(String name) {
        Site site = TestSites.read(Map.of(name, "x"), "job-id", "mine");

        assertThat(site.platform().name()).isEqualTo("modelarts");
        assertThat(site.platform().why()).isEqualTo("set: " + name);
        assertThat(site.platform().contract().file(WellKnownFile.RANK_TABLE))
                .contains("/user/config/jobstart_hccl.json");
    }

    @Test
    void anOptionOverridesWhatVariablesSay() {
        assertThat(TestSites.read(variables, "platform", "none").platform())
                .extracting(DetectedPlatform::name, DetectedPlatform::why)
                .containsExactly("none", "--platform");
        assertThat(TestSites.read(Map.of("MUSTER_PLATFORM", "modelarts"), "job-id", "x")
                        .platform()
                        .why())
                .isEqualTo("MUSTER_PLATFORM");
    }

    @Test
    void ranksSeeTheJobsNameWithAnotherPrefix() {
        assertThat(TestSites.read(variables).jobId()).isEqualTo("modelarts-job-1234");
        variables.put("MA_VJ_NAME", "modelarts-job-1234");
        assertThat(TestSites.read(variables).jobId()).isEqualTo("modelarts-job-1234");
        variables.put("MA_VJ_NAME", "x-ma-job-ma-job");
        assertThat(TestSites.read(variables).jobId()).isEqualTo("x-modelarts-job-ma-job");
    }

    @Test
    void thePlatformsJobIdWinsOverAGivenOneAndSaysSo() {
        Site site = TestSites.read(variables, "job-id", "mine");

        assertThat(site.jobId()).isEqualTo("modelarts-job-1234");
        assertThat(site.settings().find(OptionTable.JOB_ID))
                .contains(Setting.ofPlatform(OptionTable.JOB_ID, "modelarts-job-1234", "MA_VJ_NAME"));
        assertThat(site.warnings())
                .containsExactly("the job's id is modelarts-job-1234 (MA_VJ_NAME), the platform's;"
                        + " --job-id does not change it");
    }

    @Test
    void aNodeIsWhatItsVariablesSay() {
        variables.put("MA_CURRENT_INSTANCE_NAME", "job-worker-1");
        variables.put("MA_CURRENT_HOST_IP", "192.168.0.25");
        variables.put("MA_TASK_NAME", "worker");
        variables.put("MA_NUM_HOSTS", "2");
        variables.put("MA_NUM_GPUS", "8");
        variables.put("VC_TASK_INDEX", "1");
        variables.put("VC_WORKER_HOSTS", "a-worker-0.a,a-worker-1.a");

        Site site = TestSites.read(variables);

        assertThat(site.node().name()).contains(new OptionValue("job-worker-1", "MA_CURRENT_INSTANCE_NAME"));
        assertThat(site.node().address()).contains(new OptionValue("192.168.0.25", "MA_CURRENT_HOST_IP"));
        assertThat(site.node().role()).contains("worker");
        assertThat(site.node().count()).hasValue(2);
        assertThat(site.node().index()).hasValue(1);
        assertThat(site.node().hosts())
                .containsExactly(
                        new Host("a-worker-0.a", Optional.empty()), new Host("a-worker-1.a", Optional.empty()));
        assertThat(site.node().cards()).isEqualTo(new CardChoice(OptionalInt.of(8), List.of(), "MA_NUM_GPUS"));
        assertThat(site.settings().find(OptionTable.NODE_INDEX))
                .contains(Setting.ofPlatform(OptionTable.NODE_INDEX, "1", "VC_TASK_INDEX"));
    }

    @Test
    void theFirstIndexVariableThatIsSetCounts() {
        variables.put("MA_NUM_HOSTS", "4");
        variables.put("VK_TASK_INDEX", "3");
        assertThat(TestSites.read(variables).node().index()).hasValue(3);
        variables.put("VC_TASK_INDEX", "2");
        assertThat(TestSites.read(variables).node().index()).hasValue(2);
        variables.put("MA_TASK_INDEX", "");
        assertThat(TestSites.read(variables).node().index()).hasValue(2);
        variables.put("MA_TASK_INDEX", "1");
        assertThat(TestSites.read(variables).node().index()).hasValue(1);
    }

    @Test
    void theIndexOfAnOnlyHostMeansNothing() {
        variables.put("MA_NUM_HOSTS", "1");
        variables.put("VC_TASK_INDEX", "nonsense");

        assertThat(TestSites.read(variables).node().index()).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "VC_WORKER_HOSTS; a,b; VC_WORKER_HOSTS names 2 hosts",
                "VC_WORKER_NUM; 2; VC_WORKER_NUM=2",
            })
    void anOnlyHostIsNotOneOfSeveral(String variable, String value, String words) {
        variables.put("MA_NUM_HOSTS", "1");
        variables.put(variable, value);

        assertThatThrownBy(() -> TestSites.read(variables))
                .isInstanceOfSatisfying(
                        MusterException.class,
                        refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.CONFIGURATION))
                .hasMessageStartingWith("MA_NUM_HOSTS=1, but " + words + ": ")
                .hasMessageEndingWith("--nodes 1 when this host is meant alone");
        assertThat(TestSites.read(variables, "nodes", "1").node().index()).hasValue(0);
        assertThat(TestSites.read(variables, "nodes", "2", "node-index", "1")
                        .node()
                        .index())
                .hasValue(1);
    }

    /** Nobody knows whether they count here: the user is told of them, and of nothing more. */
    @ParameterizedTest
    @CsvSource({
        "VC_TASK_INDEX, nonsense",
        "VK_TASK_INDEX, 3",
        "MA_TASK_INDEX, 1",
        "VC_PS_HOSTS, a",
        "VC_PS_NUM, 1",
    })
    void whatMayMeanNothingForAnOnlyHostIsDoubted(String variable, String value) {
        variables.put("MA_NUM_HOSTS", "1");
        variables.put("VC_WORKER_HOSTS", "b");
        variables.put("VC_WORKER_NUM", "1");
        variables.put("VC_TASK_INDEX", "0");
        variables.put("VK_TASK_INDEX", "0");
        assertThat(TestSites.read(variables).unheard()).isEmpty();

        variables.put(variable, value);
        assertThat(TestSites.read(variables).unheard())
                .singleElement()
                .matches(claim -> claim.isDoubtOf(1) && !claim.isDoubtOf(9))
                .matches(claim -> !claim.contradicts(1))
                .extracting(Claim::text)
                .asString()
                .contains(variable);
        assertThat(TestSites.read(variables, "nodes", "1").unheard()).isEmpty();
        assertThat(TestSites.read(variables, "node-index", "0").unheard()).isEmpty();
    }

    @Test
    void withoutNumbersNothingIsKnown() {
        Site site = TestSites.read(variables);

        assertThat(site.node().count()).isEmpty();
        assertThat(site.node().index()).isEmpty();
        assertThat(site.node().hosts()).isEmpty();
        assertThat(site.node().role()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "00"})
    void noCardsMeansThatNobodySaidAnything(String value) {
        variables.put("MA_NUM_GPUS", value);

        assertThat(TestSites.read(variables).node().cards()).isEqualTo(CardChoice.NONE);
    }

    @Test
    void optionsOverrideVariablesThatAreThenNotEvenRead() {
        variables.put("MA_NUM_HOSTS", "abc");
        variables.put("VC_TASK_INDEX", "abc");
        variables.put("MA_NUM_GPUS", "abc");

        Site site = TestSites.read(variables, "nodes", "2", "node-index", "1", "cards", "4");

        assertThat(site.node().count()).hasValue(2);
        assertThat(site.node().index()).hasValue(1);
        assertThat(site.node().cards().origin()).isEqualTo("--cards");
        assertThat(site.settings().find(OptionTable.NODES).orElseThrow().origin())
                .isEqualTo("--nodes");
    }

    @Test
    void hostsOfTheNodesOwnRoleAreTaken() {
        variables.put("MA_TASK_NAME", "my-ps");
        variables.put("VC_WORKER_HOSTS", "w0,w1");
        variables.put("VC_MY_PS_HOSTS", "p0");

        assertThat(TestSites.read(variables).node().hosts()).containsExactly(new Host("p0", Optional.empty()));
    }

    @Test
    void namesThatCannotBeTheNodesAreNotUsed() {
        variables.put("MA_NUM_HOSTS", "3");
        variables.put("VC_WORKER_HOSTS", "w0,w1");

        Site site = TestSites.read(variables);

        assertThat(site.node().hosts()).isEmpty();
        assertThat(site.warnings())
                .containsExactly("the platform names 2 hosts, but the job has 3 nodes (MA_NUM_HOSTS):"
                        + " the names are not used");
    }

    @Test
    void namesOfAllRolesTogetherAreNoContradiction() {
        variables.put("MA_NUM_HOSTS", "3");
        variables.put("MA_TASK_NAME", "ps");
        variables.put("VC_PS_HOSTS", "p0");
        variables.put("VC_WORKER_HOSTS", "w0,w1");

        Site site = TestSites.read(variables);

        assertThat(site.node().hosts()).isEmpty();
        assertThat(site.warnings()).isEmpty();
    }

    @Test
    void placesLieBelowTheMountPath() throws IOException {
        variables.put("MA_MOUNT_PATH", directory + "//");
        String mount = directory.toString();

        assertThat(TestSites.read(variables).places())
                .isEqualTo(
                        new JobDirectories(mount + "/workspace", true, "/tmp/log", Optional.of(mount + "/rank_table")));

        Files.createDirectory(directory.resolve("log"));
        assertThat(TestSites.read(variables).places().logDirectory()).isEqualTo(mount + "/log");
    }

    @Test
    void withoutMountPathThereAreOtherPlaces() {
        variables.put("MA_MOUNT_PATH", "");

        Site site = TestSites.read(variables);

        assertThat(site.places()).isEqualTo(new JobDirectories("/cache", true, "/tmp/log", Optional.empty()));
        assertThat(site.settings().find(OptionTable.WORKDIR))
                .contains(Setting.ofPlatform(OptionTable.WORKDIR, "/cache", "modelarts"));
    }

    @Test
    void aGivenWorkDirectoryIsForAllRanks() {
        variables.put("MA_MOUNT_PATH", "/m");

        assertThat(TestSites.read(variables, "workdir", "/w", "log-dir", "logs").places())
                .isEqualTo(new JobDirectories("/w", false, "/caller/logs", Optional.of("/m/rank_table")));
    }

    @Test
    void everyTaskOfTheSchedulersJobIsARole() {
        variables.put("VC_WORKER_HOSTS", "j-worker-0.j,j-worker-1.j");
        variables.put("VC_PS_HOSTS", "j-ps-0.j");
        variables.put("VC_MY_ROLE_HOSTS", "x");
        variables.put("VC_PS_NUM", "1");

        assertThat(TestSites.read(variables).node().hostsByRole())
                .containsOnlyKeys("worker", "ps", "my-role")
                .containsEntry("ps", List.of(new Host("j-ps-0.j", Optional.empty())));
    }

    @Test
    void theRunMethodChoosesHowProcessesAreStarted() {
        variables.put("MA_RUN_METHOD", "torchrun");

        assertThat(processes(TestSites.ofEngine(variables, PROCESSES))).containsExactly("torchrun", "MA_RUN_METHOD");
        assertThat(processes(TestSites.ofEngine(variables, PROCESSES, "processes", "per-card")))
                .containsExactly("per-card", "--processes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"msrun", "per-card"})
    void aRunMethodThatTheContractDoesNotKnowIsNamedAndIgnored(String method) {
        variables.put("MA_RUN_METHOD", method);
        Site site = TestSites.ofEngine(variables, PROCESSES);

        assertThat(processes(site)).containsExactly("per-node", "default");
        assertThat(site.warnings())
                .singleElement()
                .asString()
                .contains("MA_RUN_METHOD=\"" + method + "\" is ignored", "knows only torchrun", "--processes");
    }

    @Test
    void aRunMethodIsNothingToAnEngineWithoutTheOption() {
        variables.put("MA_RUN_METHOD", "msrun");

        assertThat(TestSites.read(variables).warnings()).isEmpty();
    }

    private static final EngineOption PROCESSES =
            EngineOption.choice("processes", "for tests", "per-node", "per-card", "torchrun");

    private static List<String> processes(Site site) {
        OptionValue value =
                Objects.requireNonNull(site.settings().engineOptions().get("processes"));
        return List.of(value.value(), value.origin());
    }
}
