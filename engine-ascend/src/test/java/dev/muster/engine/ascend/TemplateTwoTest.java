package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TemplateTwoTest {

    /** Pods and devices are not in order, on purpose. */
    static final String TWO_NODES = """
            {'group_count': '1', 'group_list': [
              {'group_name': 'job-trainjob', 'device_count': '3', 'instance_count': '2', 'instance_list': [
                {'pod_name': 'jobx-worker-1', 'server_id': '192.168.0.26',
                 'devices': [{'device_id': '6', 'device_ip': '10.0.0.3'}]},
                {'pod_name': 'jobx-worker-0', 'server_id': '192.168.0.25',
                 'devices': [{'device_id': '5', 'device_ip': '10.0.0.2'},
                             {'device_id': '4', 'device_ip': '10.0.0.1'}]}]}],
             'status': 'completed'}
            """;

    private static String device(int id, String ip) {
        return "{'device_id': '" + id + "', 'device_ip': '" + ip + "'}";
    }

    private static String pod(String name, String server, String... devices) {
        return "{'pod_name': '" + name + "', 'server_id': '" + server + "', 'devices': [" + String.join(", ", devices)
                + "]}";
    }

    private static String group(int devices, String... pods) {
        return "{'group_name': 'g', 'device_count': '" + devices + "', 'instance_count': '" + pods.length
                + "', 'instance_list': [" + String.join(", ", pods) + "]}";
    }

    private static String table(String... groups) {
        return "{'group_count': '" + groups.length + "', 'group_list': [" + String.join(", ", groups)
                + "], 'status': 'completed'}";
    }

    private static String converted(LaunchPlan plan) {
        assertThat(plan.files()).hasSize(1);
        return plan.files().get(0).content();
    }

    @Test
    void convertedTableIsTheReferencesByteForByte() {
        LaunchPlan plan = new TestJob().table(TWO_NODES).pod("jobx-worker-0").plan();

        assertThat(plan.files())
                .containsExactly(new GeneratedFile(
                        "rank-table",
                        Optional.of("/m/rank_table"),
                        "jobstart_hccl.json",
                        "{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"2\", \"server_list\": ["
                                + "{\"server_id\": \"192.168.0.25\", \"device\": ["
                                + "{\"device_id\": \"5\", \"device_ip\": \"10.0.0.2\", \"rank_id\": \"0\"}, "
                                + "{\"device_id\": \"4\", \"device_ip\": \"10.0.0.1\", \"rank_id\": \"1\"}]}, "
                                + "{\"server_id\": \"192.168.0.26\", \"device\": ["
                                + "{\"device_id\": \"6\", \"device_ip\": \"10.0.0.3\", \"rank_id\": \"2\"}]}]}"));
    }

    @Test
    void eachPodStartsItsOwnDevicesOnly() {
        LaunchPlan first = new TestJob().table(TWO_NODES).pod("jobx-worker-0").plan();
        LaunchPlan second = new TestJob().table(TWO_NODES).pod("jobx-worker-1").plan();

        assertThat(TestJob.ranks(first)).containsExactly(0, 1);
        assertThat(TestJob.ranks(second)).containsExactly(2);
        assertThat(second.files()).isEqualTo(first.files());
        assertThat(second.notes().get(0).text())
                .isEqualTo("rank table /user/config/jobstart_hccl.json (template 2, 2 pods, 3 cards):"
                        + " this node is pod \"jobx-worker-1\" with ranks 2");
    }

    @Test
    void numbersAreWrittenAsTexts() {
        String table = TWO_NODES.replace("'5'", "5").replace("'3'", "3");

        LaunchPlan plan = new TestJob().table(table).pod("jobx-worker-0").plan();

        assertThat(converted(plan)).contains("{\"device_id\": \"5\", \"device_ip\"");
    }

    @Test
    void podsOfTheFirstGroupAreOrderedByNumberNotByText() {
        String table = table(group(
                4,
                pod("a-10", "10.0.0.10", device(0, "1.0.0.10")),
                pod("a-9", "10.0.0.9", device(0, "1.0.0.9")),
                pod("a-100", "10.0.0.100", device(0, "1.0.0.100")),
                pod("a-2", "10.0.0.2", device(0, "1.0.0.2"))));

        assertThat(TestJob.ranks(new TestJob().table(table).pod("a-2").plan())).containsExactly(0);
        assertThat(TestJob.ranks(new TestJob().table(table).pod("a-9").plan())).containsExactly(1);
        assertThat(TestJob.ranks(new TestJob().table(table).pod("a-10").plan())).containsExactly(2);
        assertThat(TestJob.ranks(new TestJob().table(table).pod("a-100").plan()))
                .containsExactly(3);
    }

    @Test
    void laterGroupsKeepTheOrderOfTheFileAndNeedNoNumbers() {
        String table = table(
                group(2, pod("a-1", "s1", device(0, "10.0.1.1")), pod("a-0", "s0", device(0, "10.0.1.0"))),
                group(2, pod("b-1", "s3", device(0, "10.0.1.3")), pod("last", "s2", device(0, "10.0.1.2"))));

        assertThat(TestJob.ranks(new TestJob().table(table).pod("a-0").plan())).containsExactly(0);
        assertThat(TestJob.ranks(new TestJob().table(table).pod("b-1").plan())).containsExactly(2);
        assertThat(TestJob.ranks(new TestJob().table(table).pod("last").plan())).containsExactly(3);
    }

    @Test
    void podsWithEqualNumbersStayInTheOrderOfTheFile() {
        String table =
                table(group(2, pod("b-0", "s1", device(0, "10.0.1.1")), pod("a-0", "s0", device(0, "10.0.1.0"))));

        assertThat(TestJob.ranks(new TestJob().table(table).pod("b-0").plan())).containsExactly(0);
    }

    @Test
    void aSinglePodNeedsNoNumber() {
        LaunchPlan plan = new TestJob()
                .table(table(group(1, pod("solo", "s", device(0, "10.0.1.0")))))
                .pod("solo")
                .plan();

        assertThat(TestJob.ranks(plan)).containsExactly(0);
    }

    @Test
    void twoPodsOnOneServerShareItsEntryAndStartOnlyTheirOwnCards() {
        String table = table(group(
                4,
                pod("a-0", "10.0.0.1", device(4, "1.0.0.4"), device(5, "1.0.0.5")),
                pod("a-1", "10.0.0.1", device(6, "1.0.0.6"), device(7, "1.0.0.7"))));

        LaunchPlan second = new TestJob().table(table).pod("a-1").plan();

        assertThat(TestJob.ranks(second)).containsExactly(2, 3);
        assertThat(TestJob.tasks(second))
                .extracting(task -> task.launch().logFile())
                .containsExactly(
                        "modelarts-job-x-proc-rank-2-device-0.txt", "modelarts-job-x-proc-rank-3-device-1.txt");
        assertThat(TestJob.variable(second, "DEVICE_ID")).isEqualTo("0");
        assertThat(converted(second)).contains("\"server_count\": \"1\"").containsOnlyOnce("server_id");
    }

    @Test
    void groupsWithoutDevicesAreSkipped() {
        String table = table(
                "{'device_count': '0', 'instance_list': [{'pod_name': 'master', 'server_id': 's'}]}",
                group(2, pod("w-1", "s1", device(0, "10.0.1.1")), pod("w-0", "s0", device(0, "10.0.1.0"))));

        assertThat(TestJob.ranks(new TestJob().table(table).pod("w-1").plan())).containsExactly(0);
        new TestJob().table(table).pod("master").assertRefused(Kind.DATA, "pod \"master\"", "no cards");
    }

    @Test
    void devicesMayBeNull() {
        String table = table(group(
                2,
                "{'pod_name': 'w-0', 'server_id': 's0', 'devices': null}",
                pod("w-1", "s1", device(0, "10.0.1.1"), device(1, "10.0.1.2"))));

        assertThat(TestJob.ranks(new TestJob().table(table).pod("w-1").plan())).containsExactly(0, 1);
    }

    @Test
    void unequalPodsAreAccepted() {
        String table = table(group(
                3,
                pod("w-0", "s0", device(0, "10.0.1.0")),
                pod("w-1", "s1", device(0, "10.0.1.1"), device(1, "10.0.1.2"))));

        assertThat(TestJob.ranks(new TestJob().table(table).pod("w-1").plan())).containsExactly(1, 2);
    }

    @Test
    void onOneServerAddressesMayBeMissingOrEmptyAndStaySo() {
        String table = table(group(2, pod("w-0", "s0", "{'device_id': '0'}", "{'device_id': '1', 'device_ip': ''}")));

        assertThat(converted(new TestJob().table(table).pod("w-0").plan()))
                .contains("[{\"device_id\": \"0\", \"rank_id\": \"0\"}, "
                        + "{\"device_id\": \"1\", \"device_ip\": \"\", \"rank_id\": \"1\"}]");
    }

    @Test
    void foreignLettersAreEscapedAsPythonDoes() {
        String table = table(group(1, pod("w-0", "sérv\uD83D\uDE00", device(0, "10.0.1.0"))));

        assertThat(converted(new TestJob().table(table).pod("w-0").plan()))
                .contains("\"server_id\": \"s\\u00e9rv\\ud83d\\ude00\"");
    }

    @Test
    void zeroDevicesStartOneProcessWithoutTable() {
        String table = table(group(0, pod("w-0", "s0")));

        LaunchPlan plan = new TestJob().table(table).pod("w-0").plan();

        assertThat(TestJob.ranks(plan)).containsExactly(0);
        assertThat(plan.files()).isEmpty();
        assertThat(TestJob.variable(plan, "RANK_SIZE")).isEqualTo("1");
        assertThat(TestJob.variable(plan, "RANK_TABLE_FILE")).isEqualTo("(not set)");
        assertThat(plan.processes().get(0).launch().environment().remove())
                .containsExactly("MINDSPORE_HCCL_CONFIG_PATH", "RANK_TABLE_FILE");
        assertThat(TestJob.warnings(plan))
                .containsExactly(
                        "no devices in rank table /user/config/jobstart_hccl.json: starting one process without"
                                + " RANK_TABLE_FILE, with RANK_ID=0 and RANK_SIZE=1");
    }

    @Test
    void convertedTableNeverOverwritesTheOriginal() {
        LaunchPlan plan = new TestJob()
                .table("/m/rank_table/jobstart_hccl.json", TestJson.object(TWO_NODES))
                .pod("jobx-worker-0")
                .plan();

        assertThat(plan.files()).extracting(GeneratedFile::directory).isEqualTo(List.of(Optional.empty()));
    }

    @Test
    void moreDevicesThanAnyJobHasAreRefused() {
        StringBuilder many = new StringBuilder();
        for (int id = 0; id < 50_001; id++) {
            many.append(id == 0 ? "" : ", ")
                    .append("{'device_id': '")
                    .append(id)
                    .append("'}");
        }
        String table =
                table(group(50_001, pod("a-0", "s", many.toString())), group(50_001, pod("b-0", "t", many.toString())));

        new TestJob().table(table).pod("a-0").assertRefused(Kind.DATA, "/group_list: 100002 devices", "100000");
    }

    @Test
    void podWithoutNumberAmongSeveralIsRefused() {
        new TestJob()
                .table(TWO_NODES.replace("jobx-worker-1", "jobx-workerA"))
                .pod("jobx-worker-0")
                .assertRefused(
                        Kind.DATA,
                        TestJob.TABLE_PATH + ", /group_list/0/instance_list/0/pod_name: ",
                        "pod_name \"jobx-workerA\" does not end in -<number>. ");
    }
}
