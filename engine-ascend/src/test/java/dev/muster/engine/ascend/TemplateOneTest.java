package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import org.junit.jupiter.api.Test;

class TemplateOneTest {

    static final String TWO_SERVERS = """
            {'status': 'completed', 'version': '1.0', 'server_count': '2', 'server_list': [
              {'server_id': '192.168.0.25', 'host_ip': '172.16.0.25', 'device': [
                {'device_id': '0', 'device_ip': '10.0.0.1', 'rank_id': '0'},
                {'device_id': '1', 'device_ip': '10.0.0.2', 'rank_id': '1'}]},
              {'server_id': '192.168.0.26', 'host_ip': '172.16.0.26', 'container_ip': '10.244.0.7', 'device': [
                {'device_id': '0', 'device_ip': '10.0.0.3', 'rank_id': '2'},
                {'device_id': '1', 'device_ip': '10.0.0.4', 'rank_id': '3'}]}]}
            """;

    static final String ONE_SERVER = """
            {'status': 'completed', 'version': '1.0', 'server_count': '1', 'server_list': [
              {'server_id': 'node_0', 'device': [
                {'device_id': '4', 'rank_id': '1'}, {'device_id': '5', 'device_ip': '', 'rank_id': '0'}]}]}
            """;

    static final String SUPERPOD = """
            {'status': 'completed', 'version': '1.2', 'server_count': '2', 'server_list': [
              {'server_id': 'node_0', 'host_ip': '172.16.0.100', 'device': [
                {'device_id': '0', 'super_device_id': '0', 'device_ip': '192.168.1.6', 'rank_id': '0'}]},
              {'server_id': 'node_1', 'host_ip': '172.16.0.101', 'device': [
                {'device_id': '0', 'super_device_id': '1', 'device_ip': '192.168.2.6', 'rank_id': '1'}]}],
             'super_pod_list': [
               {'super_pod_id': '0', 'server_list': [{'server_id': 'node_0'}, {'server_id': 'node_1'}]}]}
            """;

    @Test
    void validTableIsHandedOverByItsOwnPath() {
        LaunchPlan plan = new TestJob().table(ONE_SERVER).plan();

        assertThat(plan.files()).isEmpty();
        assertThat(TestJob.variable(plan, "RANK_TABLE_FILE")).isEqualTo(TestJob.TABLE_PATH);
        assertThat(TestJob.variable(plan, "MINDSPORE_HCCL_CONFIG_PATH")).isEqualTo("(not set)");
        LaunchPlan other = new TestJob()
                .table(ONE_SERVER)
                .variable("MINDSPORE_HCCL_CONFIG_PATH", "/another.json")
                .plan();
        assertThat(TestJob.variable(other, "MINDSPORE_HCCL_CONFIG_PATH"))
                .isEqualTo(TestJob.variable(other, "RANK_TABLE_FILE"));
    }

    @Test
    void ranksAreThoseOfTheTableInTheOrderOfTheFile() {
        LaunchPlan plan = new TestJob().table(ONE_SERVER).plan();

        assertThat(TestJob.ranks(plan)).containsExactly(1, 0);
        assertThat(TestJob.variable(plan, "DEVICE_ID")).isEqualTo("0");
        assertThat(TestJob.variable(plan, "RANK_SIZE")).isEqualTo("2");
    }

    @Test
    void numbersCauseACopyThatKeepsEveryField() {
        LaunchPlan plan = new TestJob()
                .table("{'status': 'completed', 'version': '1.0', 'server_count': 1, 'extra': [true, null, 1.5],"
                        + " 'server_list': [{'server_id': 'n', 'device': [{'device_id': 0, 'rank_id': 0}]}]}")
                .plan();

        assertThat(plan.files()).singleElement().satisfies(file -> {
            assertThat(file.name()).isEqualTo("jobstart_hccl.json");
            assertThat(file.directory()).contains("/m/rank_table");
            assertThat(file.content())
                    .isEqualTo("{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"1\","
                            + " \"extra\": [true, null, \"1.5\"], \"server_list\": [{\"server_id\": \"n\","
                            + " \"device\": [{\"device_id\": \"0\", \"rank_id\": \"0\"}]}]}");
        });
        assertThat(TestJob.variable(plan, "RANK_TABLE_FILE")).isEqualTo("<rank-table>");
        assertThat(TestJob.warnings(plan)).singleElement().asString().contains("numbers");
    }

    @Test
    void aPathThatHcclDoesNotTakeCausesACopy() {
        for (String path : new String[] {"/etc/table", "/data/x.json.d/table.json", "/a/b.JSON", "/abc"}) {
            LaunchPlan plan =
                    new TestJob().table(path, TestJson.object(ONE_SERVER)).plan();

            assertThat(plan.files())
                    .as(path)
                    .singleElement()
                    .satisfies(
                            file -> assertThat(TestJson.object(file.content())).isEqualTo(TestJson.object(ONE_SERVER)));
            assertThat(plan.notes()).hasSize(2);
        }
    }

    @Test
    void missingVersionIsAWarning() {
        LaunchPlan plan = new TestJob()
                .table(ONE_SERVER.replace("'version': '1.0', ", ""))
                .plan();

        assertThat(TestJob.ranks(plan)).containsExactly(1, 0);
        assertThat(TestJob.warnings(plan)).singleElement().asString().contains("has no \"version\"");
    }

    @Test
    void unknownVersionIsRefused() {
        new TestJob()
                .table(ONE_SERVER.replace("'1.0'", "'1.7'"))
                .assertRefused(Kind.DATA, TestJob.TABLE_PATH + ", /version: ", "\"1.7\"", "\"1.0\"", "\"1.2\"");
    }

    @Test
    void superpodTableIsHandedOverByItsOwnPath() {
        LaunchPlan plan =
                new TestJob().table(SUPERPOD).hostAddress("172.16.0.101").plan();

        assertThat(TestJob.ranks(plan)).containsExactly(1);
        assertThat(plan.files()).isEmpty();
        assertThat(plan.notes().get(0).text())
                .isEqualTo("rank table /user/config/jobstart_hccl.json (version 1.2, 2 servers, 2 cards):"
                        + " this node is server \"node_1\" with ranks 1");
    }

    @Test
    void numbersInASuperpodTableBecomeTextsAndTheVersionStays() {
        LaunchPlan plan = new TestJob()
                .table(SUPERPOD.replace("'super_device_id': '1'", "'super_device_id': 37748736"))
                .hostAddress("172.16.0.100")
                .plan();

        assertThat(plan.files())
                .singleElement()
                .satisfies(file -> assertThat(file.content())
                        .contains(
                                "\"version\": \"1.2\"", "\"super_device_id\": \"37748736\"", "\"super_pod_list\": [{"));
    }

    @Test
    void inOneSuperpodNoAddressesAreNeeded() {
        String table = SUPERPOD.replace("'device_ip': '192.168.1.6', ", "");

        assertThat(TestJob.ranks(
                        new TestJob().table(table).hostAddress("172.16.0.100").plan()))
                .containsExactly(0);
    }

    @Test
    void severalSuperpodsNeedAddresses() {
        String table = SUPERPOD.replace("'device_ip': '192.168.1.6', ", "")
                .replace(
                        "{'server_id': 'node_1'}]}]",
                        "]}, {'super_pod_id': '1', 'server_list': [{'server_id': 'node_1'}]}]")
                .replace("{'server_id': 'node_0'}, ]", "{'server_id': 'node_0'}]");

        new TestJob().table(table).assertRefused(Kind.DATA, "/server_list/0/device/0: device_ip", "superpods");
    }

    @Test
    void superpodsMustNameEveryServerOnce() {
        new TestJob()
                .table(SUPERPOD.replace("[{'server_id': 'node_0'}, ", "[{'server_id': 'node_7'}, "))
                .assertRefused(Kind.DATA, "/super_pod_list/0/server_list/0/server_id: ", "\"node_7\"");
        new TestJob()
                .table(SUPERPOD.replace("[{'server_id': 'node_0'}, ", "["))
                .assertRefused(Kind.DATA, "/super_pod_list: ", "1 servers", "2");
        new TestJob()
                .table(SUPERPOD.replace("[{'server_id': 'node_0'}, ", "[{'server_id': 'node_1'}, "))
                .assertRefused(Kind.DATA, "/super_pod_list/0/server_list/1/server_id: ", "appears twice");
        new TestJob()
                .table(SUPERPOD.replace(
                        ", 'server_list': [{'server_id': 'node_0'}", ", 'no_list': [{'server_id': 'node_0'}"))
                .assertRefused(Kind.DATA, "/super_pod_list/0/server_list: server_list is missing");
    }
}
