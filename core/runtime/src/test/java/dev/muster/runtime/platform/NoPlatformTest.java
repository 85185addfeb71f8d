package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.spi.CardChoice;
import dev.muster.spi.Host;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.PlatformContract;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoPlatformTest {

    @Test
    void withoutAWordFromAnybodyNothingIsAssumed() {
        Site site = TestSites.read(Map.of("MA_UNKNOWN", "x", "MA_VJ_NAME", ""));

        assertThat(site.platform().contract()).isEqualTo(PlatformContract.NONE);
        assertThat(site.platform().why()).isEqualTo("no variable of a platform is set");
        assertThat(site.node().index()).isEmpty();
        assertThat(site.node().count()).isEmpty();
        assertThat(site.node().cards()).isEqualTo(CardChoice.NONE);
        assertThat(site.node().machine()).isEqualTo(TestSites.MACHINE);
        assertThat(site.warnings()).isEmpty();
    }

    @Test
    void ranksRunWhereTheCallerIs() {
        Site site = TestSites.read(Map.of());

        assertThat(site.places())
                .isEqualTo(new JobDirectories("/caller", false, "/caller/muster-logs", Optional.empty()));
        assertThat(site.settings().find(OptionTable.LOG_DIR))
                .contains(Setting.ofDefault(OptionTable.LOG_DIR, "/caller/muster-logs"));
    }

    @Test
    void optionsMoveThePlaces() {
        Site site = TestSites.read(Map.of("MUSTER_LOG_DIR", "/logs"), "workdir", "work");

        assertThat(site.places()).isEqualTo(new JobDirectories("/caller/work", false, "/logs", Optional.empty()));
    }

    @Test
    void aJobIdIsMadeFromTimeAndPidUnlessGiven() {
        assertThat(TestSites.read(Map.of()).jobId()).isEqualTo("muster-20260102-030405-4711");
        assertThat(TestSites.read(Map.of("MUSTER_JOB_ID", "mine")).jobId()).isEqualTo("mine");
    }

    @Test
    void optionsTellWhichNodeThisIs() {
        Site site = TestSites.read(Map.of("MUSTER_NODE_INDEX", "1"), "nodes", "2", "card-ids", "4,0-1");

        assertThat(site.node().index()).hasValue(1);
        assertThat(site.node().count()).hasValue(2);
        assertThat(site.node().cards()).isEqualTo(new CardChoice(OptionalInt.of(3), List.of(4, 0, 1), "--card-ids"));
        assertThat(site.settings().find(OptionTable.CARDS).orElseThrow().value())
                .isEqualTo("3");
    }

    @Test
    void anOnlyNodeIsTheFirst() {
        assertThat(TestSites.read(Map.of(), "nodes", "1").node().index()).hasValue(0);
        assertThat(TestSites.read(Map.of(), "node-index", "0").node().index()).hasValue(0);
        assertThat(TestSites.read(Map.of(), "nodes", "2").node().index()).isEmpty();
    }

    @Test
    void whoHasAnIndexIsNoOnlyNodeUnlessTheUserSaysSo() {
        Map<String, String> volcano = Map.of("VC_WORKER_HOSTS", "a", "VC_TASK_INDEX", "1");
        Map<String, String> torch = Map.of("PET_NNODES", "1", "PET_NODE_RANK", "1");

        assertThatThrownBy(() -> TestSites.read(volcano)).hasMessageContaining("VC_TASK_INDEX");
        assertThatThrownBy(() -> TestSites.read(torch)).hasMessageContaining("PET_NODE_RANK=1, but PET_NNODES=1");
        for (Map<String, String> variables : List.of(volcano, torch)) {
            assertThat(TestSites.read(variables, "nodes", "1").node().index()).hasValue(0);
        }
    }

    @Test
    void cardsWithoutIdsAreACount() {
        assertThat(TestSites.read(Map.of(), "cards", "8").node().cards())
                .isEqualTo(new CardChoice(OptionalInt.of(8), List.of(), "--cards"));
    }

    @Test
    void hostsNameTheNodesAndTellTheirNumber() {
        Site site = TestSites.read(Map.of("MUSTER_NODE_INDEX", "1"), "hosts", "a.b,10.0.0.2,fe80::1");

        assertThat(site.node().hosts()).extracting(Host::name).containsExactly("a.b", "10.0.0.2", "fe80::1");
        assertThat(site.node().count()).hasValue(3);
        assertThat(site.node().index()).hasValue(1);
    }

    @Test
    void hostsMustBeAsManyAsNodes() {
        assertThatThrownBy(() -> TestSites.read(Map.of(), "hosts", "a,b", "nodes", "3", "node-index", "0"))
                .hasMessageContainingAll("--nodes", "\"3\"", "the 2 hosts of --hosts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a,,b", "a,a", "-x", "a b", "a,b;c", "a,$(x)"})
    void hostsThatCannotBeHostsAreRefused(String hosts) {
        assertThatThrownBy(() -> TestSites.read(Map.of(), "hosts", hosts)).hasMessageContaining("--hosts");
    }
}
