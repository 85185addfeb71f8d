package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteRefusalsTest {

    private final Map<String, String> variables = new HashMap<>(Map.of("MA_VJ_NAME", "ma-job-1"));

    @Test
    void allMissingVariablesAreNamedAtOnce() {
        assertRefused(
                Map.of("MA_JOB_DIR", "/x"),
                ExitCode.CONFIGURATION,
                "missing or empty on ModelArts: MA_VJ_NAME, MA_CURRENT_INSTANCE_NAME (needed for a template 2 rank table);"
                        + " MA_MOUNT_PATH is not set either, /cache and /tmp/log stand in for it. Set them, or give --job-id,"
                        + " or --platform none when this is not ModelArts");
    }

    @Test
    void whatIsThereIsNotCalledMissing() {
        assertRefused(
                Map.of("MA_VJ_NAME", "", "MA_MOUNT_PATH", "/m", "RANK_TABLE_FILE_V_1_0", "/t"),
                ExitCode.CONFIGURATION,
                "missing or empty on ModelArts: MA_VJ_NAME. Set them, or");
        assertThat(TestSites.read(Map.of("MA_MOUNT_PATH", "/m", "MUSTER_JOB_ID", "mine"))
                        .jobId())
                .isEqualTo("mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a;touch x", "$(x)", "-a", "a b", "../a", "a/b"})
    void namesThatCouldBePathsOrCommandsAreRefused(String name) {
        variables.put("MA_VJ_NAME", name);
        assertRefused(variables, ExitCode.CONFIGURATION, "MA_VJ_NAME: \"" + name + "\" is not a job name (letters,");

        variables.put("MA_VJ_NAME", "x");
        variables.put("VC_WORKER_HOSTS", "a," + name);
        assertRefused(
                variables, ExitCode.CONFIGURATION, "VC_WORKER_HOSTS: \"" + name + "\" is not a host name (letters,");

        variables.put("MA_TASK_NAME", name);
        assertRefused(variables, ExitCode.CONFIGURATION, "MA_TASK_NAME: \"" + name + "\" is not a role (letters,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "", "-1", "0", "99999999999", " 8 ", "8.0", "\uFF18", "4097"})
    void numbersOfHostsOutOfRangeAreRefused(String value) {
        variables.put("MA_NUM_HOSTS", value);

        assertRefused(
                variables, ExitCode.CONFIGURATION, "MA_NUM_HOSTS=\"" + value + "\" is not a whole number 1..4096");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-1", "99999999999", " 8 "})
    void numbersOfCardsOutOfRangeAreRefused(String value) {
        variables.put("MA_NUM_GPUS", value);

        assertRefused(variables, ExitCode.CONFIGURATION, "MA_NUM_GPUS=\"" + value + "\" is not a whole number 0..4096");
    }

    @Test
    void anIndexBeyondTheNodesIsRefused() {
        variables.put("MA_NUM_HOSTS", "4");
        variables.put("MA_TASK_INDEX", "4");

        assertRefused(
                variables,
                ExitCode.CONFIGURATION,
                "MA_TASK_INDEX=4, but MA_NUM_HOSTS=4: the indices of the nodes are 0..3");
        assertRefused(variables, ExitCode.USAGE, "MA_TASK_INDEX=4, but --nodes=2: ", "nodes", "2");
        assertRefused(Map.of(), ExitCode.USAGE, "--node-index=2, but --nodes=2: ", "nodes", "2", "node-index", "2");
        assertRefused(
                Map.of(), ExitCode.USAGE, "--node-index=2, but --hosts names 2: ", "hosts", "a,b", "node-index", "2");
    }

    @Test
    void anIndexThatIsNoNumberIsRefused() {
        variables.put("MA_NUM_HOSTS", "4");
        variables.put("VC_TASK_INDEX", "one");

        assertRefused(variables, ExitCode.CONFIGURATION, "VC_TASK_INDEX=\"one\" is not a whole number 0..4095");
    }

    @Test
    void anIndexWithoutANumberOfNodesIsRefused() {
        assertRefused(
                Map.of(),
                ExitCode.USAGE,
                "--node-index: \"1\" says nothing without --nodes, the number of nodes",
                "node-index",
                "1");
    }

    @Test
    void cardsThatDoNotAgreeAreRefused() {
        assertRefused(
                Map.of(),
                ExitCode.USAGE,
                "--cards: \"3\" does not agree with the 4 cards of --card-ids",
                "cards",
                "3",
                "card-ids",
                "0-3");
    }

    private static void assertRefused(Map<String, String> variables, ExitCode code, String message, String... options) {
        assertThatThrownBy(() -> TestSites.read(variables, options))
                .isInstanceOf(MusterException.class)
                .hasMessageStartingWith(message)
                .extracting(exception -> ((MusterException) exception).exitCode())
                .isEqualTo(code);
    }
}
