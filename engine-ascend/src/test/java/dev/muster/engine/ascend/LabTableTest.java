package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabTableTest {

    static final String TWO_SERVERS = """
            {'board_id': '0x0020', 'chip_info': '910', 'deploy_mode': 'lab', 'group_count': '1', 'group_list': [
              {'device_num': '3', 'server_num': '2', 'group_name': '', 'instance_count': '3', 'instance_list': [
                {'devices': [{'device_id': '0', 'device_ip': '192.168.10.1'}],
                 'rank_id': '2', 'server_id': '192.168.3.7'},
                {'devices': [{'device_id': '0', 'device_ip': '192.168.10.2'}],
                 'rank_id': '0', 'server_id': '192.168.3.6'},
                {'devices': [{'device_id': '1', 'device_ip': '192.168.20.2'}],
                 'rank_id': '1', 'server_id': '192.168.3.6'}]}],
             'para_plane_nic_location': 'device', 'para_plane_nic_name': ['eth0', 'eth1'], 'para_plane_nic_num': '2',
             'status': 'completed'}
            """;

    @Test
    void ranksGetTheFileInBothVariables() {
        LaunchPlan plan =
                new TestJob().table(TWO_SERVERS).hostAddress("192.168.3.6").plan();

        assertThat(TestJob.ranks(plan)).containsExactly(0, 1);
        assertThat(plan.files()).isEmpty();
        assertThat(TestJob.variable(plan, "MINDSPORE_HCCL_CONFIG_PATH")).isEqualTo(TestJob.TABLE_PATH);
        assertThat(TestJob.variable(plan, "RANK_TABLE_FILE")).isEqualTo(TestJob.TABLE_PATH);
        assertThat(TestJob.variable(plan, "RANK_SIZE")).isEqualTo("3");
    }

    /** MindSpore 0.3 numbered the ranks of each server from 0, and took the cards of one server for the world size. */
    @Test
    void ranksOfTheSecondServerGoOnAfterThoseOfTheFirst() {
        LaunchPlan plan = new TestJob()
                .onApulis()
                .table("/home/u/.npu/j/hccl_ms.json", TestJson.object(TWO_SERVERS))
                .address("192.168.3.7", "DLWS_SD_SELF_IP")
                .plan();

        assertThat(TestJob.variable(plan, "RANK_ID")).isEqualTo("2");
        assertThat(TestJob.variable(plan, "DEVICE_ID")).isEqualTo("0");
        assertThat(TestJob.variable(plan, "RANK_SIZE")).isEqualTo("3");
        for (String name : List.of("RANK_TABLE_FILE", "MINDSPORE_HCCL_CONFIG_PATH")) {
            assertThat(TestJob.variable(plan, name)).isEqualTo("/home/u/.npu/j/hccl_ms.json");
        }
    }

    @Test
    void nodesAreCountedInTheOrderOfTheirRanks() {
        TestJob job = new TestJob().table(TWO_SERVERS);

        assertThat(TestJob.ranks(job.node(0, 2).plan())).containsExactly(0, 1);
        assertThat(TestJob.ranks(job.node(1, 2).plan())).containsExactly(2);
    }

    @Test
    void isRecognisedByRanksWithoutDeployMode() {
        String table = TWO_SERVERS.replace("'deploy_mode': 'lab', ", "");

        assertThat(TestJob.ranks(
                        new TestJob().table(table).hostAddress("192.168.3.7").plan()))
                .containsExactly(2);
    }

    @Test
    void wrongTablesAreRefused() {
        assertRefused(
                "'instance_count': '3'", "'instance_count': '2'", "/group_list/0/instance_count: ", "says 2 but 3");
        assertRefused("'device_num': '3'", "'device_num': '8'", "/group_list/0/device_num: ", "says 8 but 3");
        assertRefused("'server_num': '2'", "'server_num': '1'", "/group_list/0/server_num: ", "says 1 but 2");
        assertRefused("'rank_id': '1'", "'rank_id': '2'", "/group_list/0/instance_list/2/rank_id: ", "appears twice");
        assertRefused(
                "'rank_id': '2'", "'rank_id': '5'", "/group_list: rank_id 2 is missing though 5 is there", "0..2");
        assertRefused("'device_id': '1'", "'device_id': '0'", "/devices/0/device_id: ", "appears twice on server");
        assertRefused(
                "[{'device_id': '1', 'device_ip': '192.168.20.2'}]",
                "[]",
                "/group_list/0/instance_list/2/devices: 0 devices share one rank_id",
                "");
    }

    private static void assertRefused(String old, String wrong, String... words) {
        assertThat(TWO_SERVERS).contains(old);
        new TestJob()
                .table(TWO_SERVERS.replace(old, wrong))
                .hostAddress("192.168.3.6")
                .assertRefused(Kind.DATA, words);
    }
}
