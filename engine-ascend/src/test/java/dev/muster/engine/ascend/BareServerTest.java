package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.CardChoice;
import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class BareServerTest {

    private static final String HCCN = """
            # made by hccn_tool
            address_0=192.168.100.101
            netmask_0=255.255.255.0
            address_1=192.168.101.101
            address_2 = 192.168.102.101
            address_3=192.168.103.101\r
            gateway_3=192.168.103.1
            address_7=fe00::7
            """;

    private static TestJob server(String hccn, String... cards) {
        TestJob server = new TestJob().usable("/dev/davinci*", cards);
        return hccn.isEmpty() ? server : server.input("hccn.conf", new InputValue.Text("/etc/hccn.conf", hccn));
    }

    private static String table(LaunchPlan plan) {
        assertThat(plan.files()).hasSize(1);
        assertThat(plan.files().get(0).name()).isEqualTo("jobstart_hccl.json");
        return plan.files().get(0).content();
    }

    /** Checks that the plan starts one process, as on a server without cards. Returns the plan. */
    private static LaunchPlan assertAlone(TestJob job) {
        LaunchPlan plan = job.plan();
        assertThat(TestJob.ranks(plan)).containsExactly(0);
        assertThat(plan.files()).isEmpty();
        assertThat(TestJob.variable(plan, "RANK_ID")).isEqualTo("0");
        assertThat(TestJob.variable(plan, "RANK_SIZE")).isEqualTo("1");
        assertThat(TestJob.variable(plan, "DEVICE_ID")).isEqualTo("0");
        assertThat(TestJob.variable(plan, "ASCEND_DEVICE_ID")).isEqualTo("0");
        assertThat(plan.processes().get(0).launch().environment().remove())
                .containsExactly("MINDSPORE_HCCL_CONFIG_PATH", "RANK_TABLE_FILE");
        assertThat(plan.notes()).hasSize(1);
        return plan;
    }

    @Test
    void tableIsMadeForTheCardsWithDeviceFiles() {
        LaunchPlan plan = server(HCCN, "0", "1").plan();

        assertThat(table(plan))
                .isEqualTo(
                        "{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"1\", \"server_list\": ["
                                + "{\"server_id\": \"10.1.1.1\", \"device\": ["
                                + "{\"device_id\": \"0\", \"device_ip\": \"192.168.100.101\", \"rank_id\": \"0\"}, "
                                + "{\"device_id\": \"1\", \"device_ip\": \"192.168.101.101\", \"rank_id\": \"1\"}]}]}");
        assertThat(TestJob.ranks(plan)).containsExactly(0, 1);
        assertThat(TestJob.variable(plan, "RANK_TABLE_FILE")).isEqualTo("<rank-table>");
        assertThat(TestJob.variable(plan, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("(not set)");
        assertThat(plan.notes().get(0).text()).contains("cards 0-1", "10.1.1.1", "/etc/hccn.conf");
    }

    @Test
    void serverWithoutAddressIsKnownByItsName() {
        assertThat(table(
                        server(HCCN).cards(2).machine("box", "127.0.0.1", "::1").plan()))
                .contains("\"server_id\": \"box\"");
    }

    @Test
    void chosenIdsAreTakenAndTheirProcessesSeeNoOthers() {
        LaunchPlan plan = server(HCCN, "0", "1", "2", "3", "4", "5", "6", "7")
                .cardIds(3, 1, 7)
                .plan();

        assertThat(TestJob.ranks(plan)).containsExactly(0, 1, 2);
        assertThat(table(plan)).containsSubsequence("\"1\"", "101.101", "\"3\"", "103.101", "\"7\"", "fe00::7");
        assertThat(TestJob.variable(plan, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("1,3,7");
    }

    @Test
    void numberOfCardsTakesTheFirstOnesThatAreKnown() {
        assertThat(table(server(HCCN).cards(3).plan())).contains("102.101").doesNotContain("103.101");
        assertThat(table(server(HCCN, "1", "10", "2").cards(2).plan())).contains("101.101", "102.101");
        LaunchPlan visible = server(HCCN).visible("2,3").cards(1).plan();
        assertThat(table(visible)).contains("102.101").doesNotContain("103.101");
        assertThat(TestJob.variable(visible, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("(not set)");
    }

    @Test
    void visibleCardsAreChosenWhenNothingElseIs() {
        LaunchPlan plan = server(HCCN).visible("0,2,3").plan();

        assertThat(table(plan)).containsSubsequence("\"0\"", "\"2\"", "\"3\"");
        assertThat(TestJob.variable(plan, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("(not set)");
    }

    @Test
    void visibleCardsAreWrittenWithoutTheSpacesAtWhichCannStops() {
        assertThat(TestJob.variable(server(HCCN).visible("0, 2,3").plan(), "ASCEND_RT_VISIBLE_DEVICES"))
                .isEqualTo("0,2,3");
    }

    @Test
    void cardsOfAContainerAreCountedAnew() {
        LaunchPlan all = server(HCCN, "1", "3").plan();
        LaunchPlan second = server(HCCN, "1", "3").cardIds(3).plan();

        assertThat(table(all)).containsSubsequence("\"1\"", "\"3\"");
        assertThat(TestJob.variable(all, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("(not set)");
        assertThat(TestJob.variable(second, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("1");
    }

    @Test
    void visibleCardsOutOfOrderAreSetRight() {
        LaunchPlan plan = server(HCCN).visible("3,0").plan();

        assertThat(table(plan)).containsSubsequence("\"device_id\": \"0\"", "\"device_id\": \"3\"");
        assertThat(TestJob.variable(plan, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("0,3");
    }

    @Test
    void withoutCardsOneProcessIsTheJob() {
        assertThat(TestJob.warnings(assertAlone(server("")))).hasSize(1);
        assertAlone(server(HCCN));
        assertAlone(server(HCCN).cards(new CardChoice(OptionalInt.of(0), List.of(), "MA_NUM_GPUS", false, List.of())));
    }

    @Test
    void aSingleCardNeedsNoAddress() {
        assertAlone(server("").cards(1));
        assertAlone(server("", "0"));
        LaunchPlan plan = assertAlone(server("").cardIds(3));
        assertThat(TestJob.variable(plan, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("3");
    }

    @Test
    void aSingleCardWithAddressGetsATable() {
        LaunchPlan plan = server(HCCN).cardIds(2).plan();

        assertThat(table(plan)).contains("\"device_id\": \"2\"", "192.168.102.101", "\"rank_id\": \"0\"");
        assertThat(TestJob.variable(plan, "ASCEND_RT_VISIBLE_DEVICES")).isEqualTo("2");
    }

    @Test
    void severalCardsWithoutAddressesAreRefused() {
        server("", "0", "1").assertRefused(Kind.CONFIGURATION, "cards 0-1", "--rank-table FILE", "/etc/hccn.conf");
        server(HCCN).cardIds(0, 1, 4, 5).assertRefused(Kind.CONFIGURATION, "cards 4-5 are unknown");
        server(HCCN.replace("192.168.101.101", "")).cards(2).assertRefused(Kind.CONFIGURATION, "cards 1 are unknown");
        server("")
                .cards(8)
                .assertRefused(Kind.CONFIGURATION, "--cards asks for 8 cards", "none is known", "--rank-table");
        server(HCCN, "0", "1")
                .cards(4)
                .assertRefused(Kind.CONFIGURATION, "--cards asks for 4 cards", "only cards 0-1 are known");
    }

    @Test
    void severalNodesNeedATable() {
        server(HCCN).cards(2).nodes(2).assertRefused(Kind.CONFIGURATION, "2 nodes", "--rank-table FILE");
        assertThat(TestJob.ranks(server(HCCN).cards(2).node(0, 1).plan())).containsExactly(0, 1);
    }

    @Test
    void wrongLinesAreRefusedWithTheirNumber() {
        assertLineRefused("address_0=1.1.1.1\naddress_1\n", "/etc/hccn.conf, line 2: ", "\"address_1\"");
        assertLineRefused("address_x=1.1.1.1\n", "/etc/hccn.conf, line 1: ", "\"address_x=1.1.1.1\"");
        assertLineRefused("address_0=abc\n", "/etc/hccn.conf, line 1: ", "\"abc\" is no IP address");
        assertLineRefused("address_0=1.1.1.1 x\n", "/etc/hccn.conf, line 1: ", "is no IP address");
        assertLineRefused("address_0=1.1.1.1\naddress_0=1.1.1.2\n", "/etc/hccn.conf, line 2: ", "card 0");
        assertLineRefused("address_0=1.1.1.1\naddress_1=1.1.1.1\n", "/etc/hccn.conf, line 2: ", "1.1.1.1");
    }

    private static void assertLineRefused(String hccn, String... words) {
        server(hccn).cardIds(0, 1).assertRefused(Kind.DATA, words);
    }
}
