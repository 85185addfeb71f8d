package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.PlanException;
import dev.muster.spi.PlanException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables with one mistake each. The message names the file, the place, the value and a way out. */
class RefusedTablesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'group_count': '1' | 'group_count': '2' | /group_count: group_count says 2 but 1 groups are listed",
                "'group_list': | 'group_lists': | this is no rank table: its keys are group_count, group_lists, status (3)",
                "'device_count': '3' | 'device_count': '4' |"
                        + " /group_list/0/device_count: device_count says 4 but 3 devices are listed",
                "'device_count': '3' | 'device_count': '0' |"
                        + " /group_list/0/device_count: device_count says 0 but 3 devices are listed",
                "'device_count': '3', | `` | /group_list/0/device_count: device_count is missing",
                "'instance_count': '2' | 'instance_count': '1' |"
                        + " /group_list/0/instance_count: instance_count says 1 but 2 instances are listed",
                "'instance_list': [ | 'instances': [ | /group_list/0/instance_list: instance_list is missing",
                "jobx-worker-1 | jobx-worker-0 | /group_list/0/instance_list/1/pod_name: pod_name \"jobx-worker-0\" appears"
                        + " twice, first at /group_list/0/instance_list/0/pod_name",
                "'pod_name': 'jobx-worker-1', | `` | /group_list/0/instance_list/0/pod_name: pod_name is missing",
                "'jobx-worker-1' | '' | /group_list/0/instance_list/0/pod_name: pod_name is empty",
                "'jobx-worker-1' | null | /group_list/0/instance_list/0/pod_name: null is neither a text nor a number",
                "'192.168.0.26' | true | /group_list/0/instance_list/0/server_id: true is neither a text nor a number",
                "'192.168.0.26' | '' | /group_list/0/instance_list/0/server_id: server_id is empty",
                "'192.168.0.26' | ['a'] | /group_list/0/instance_list/0/server_id: an array is neither a text nor a number",
                "[{'device_id': '6', 'device_ip': '10.0.0.3'}] | {} |"
                        + " /group_list/0/instance_list/0/devices: an object is not an array",
                "{'device_id': '6', 'device_ip': '10.0.0.3'} | 6 |"
                        + " /group_list/0/instance_list/0/devices/0: 6 is not an object",
                "'device_id': '4' | 'device_id': '5' | /group_list/0/instance_list/1/devices/1/device_id: device_id \"5\""
                        + " appears twice on server \"192.168.0.25\", first at"
                        + " /group_list/0/instance_list/1/devices/0/device_id",
                "'device_id': '4' | 'device_id': '05' | device_id \"5\" appears twice",
                "'device_id': '4', | `` | /group_list/0/instance_list/1/devices/1/device_id: device_id is missing",
                "10.0.0.1 | 10.0.0.3 | device_ip: device_ip \"10.0.0.3\" appears twice",
                "10.0.0.1 | 10.0.0.3 , 10.0.0.8 | device_ip: device_ip \"10.0.0.3\" appears twice",
                "10.0.0.1 | 10.0.0.8,10.0.0.3 | device_ip: device_ip \"10.0.0.3\" appears twice",
                "'10.0.0.1' | '10.0.0.1 ' | device_ip: \"10.0.0.1 \" is no IP address",
                "'10.0.0.1' | '10.0.0.1\\u0000' | is no IP address",
                "'10.0.0.1' | 'fd00::1' | \"fd00::1\" is of another IP family than 10.0.0.",
                "'10.0.0.1' | '10.0.0.1,' | device_ip: \"\" is no IP address",
                "'10.0.0.1' | '' | /group_list/0/instance_list/1/devices/1: device_ip is missing or empty, and the job has"
                        + " several servers",
                "'device_ip': '10.0.0.1' | 'ip': '10.0.0.1' | /group_list/0/instance_list/1/devices/1: device_ip is missing",
            })
    void mistakesOfTemplateTwo(String old, String wrong, String message) {
        assertThat(TemplateTwoTest.TWO_NODES).contains(old);
        String table = TemplateTwoTest.TWO_NODES.replace(old, wrong);

        PlanException refusal = new TestJob().table(table).pod("jobx-worker-0").refusal();

        assertThat(refusal).hasMessageContaining(message).hasMessageStartingWith(TestJob.TABLE_PATH);
        assertThat(refusal.kind()).isEqualTo(Kind.DATA);
        assertThat(refusal.getMessage()).containsPattern("\\. [A-Z].{10,}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'server_count': '2' | 'server_count': '3' | /server_count: server_count says 3 but 2 servers are listed",
                "'server_id': '192.168.0.26' | 'server_id': '192.168.0.25' | /server_list/1/server_id: server_id"
                        + " \"192.168.0.25\" appears twice, first at /server_list/0/server_id",
                "'rank_id': '3' | 'rank_id': '1' | /server_list/1/device/1/rank_id: rank_id \"1\" appears twice, first at"
                        + " /server_list/0/device/1/rank_id",
                "'rank_id': '3' | 'rank_id': '4' | /server_list: rank_id 3 is missing though 4 is there; 4 devices need the"
                        + " rank ids 0..3",
                "'rank_id': '0' | 'rank_id': '7' | /server_list: rank_id 0 is missing though 7 is there",
                ", 'rank_id': '3' | `` | /server_list/1/device/1/rank_id: rank_id is missing",
                "'rank_id': '3' | 'rank_id': null | /server_list/1/device/1/rank_id: null is neither a text nor a number",
                "'10.0.0.4' | '' | /server_list/1/device/1: device_ip is missing or empty",
                "'10.0.0.4' | '10.0.0.1' | /server_list/1/device/1/device_ip: device_ip \"10.0.0.1\" appears twice",
                "'host_ip': '172.16.0.26' | 'host_ip': {} | /server_list/1/host_ip: an object is neither",
                "'version': '1.0' | 'version': '' | /version: version \"\" is unknown",
                "'container_ip': '10.244.0.7', 'device' | 'devices' | /server_list/1/device: device is missing",
            })
    void mistakesOfTemplateOne(String old, String wrong, String message) {
        assertThat(TemplateOneTest.TWO_SERVERS).contains(old);
        String table = TemplateOneTest.TWO_SERVERS.replace(old, wrong);

        new TestJob()
                .table(table)
                .hostAddress("192.168.0.25")
                .assertRefused(Kind.DATA, TestJob.TABLE_PATH + ", /", message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'NaN'",
                "'Infinity'",
                "'-1'",
                "'0x8'",
                "'8.0'",
                "'\uFF18'",
                "''",
                "' 3 '",
                "'+3'",
                "'3e0'",
                "'1_0'",
                "'99999999999999999999'",
                "'200000'",
                "-1",
                "3.5",
                "1e999",
                "NaN",
                "99999999999999999999"
            })
    void whatIsNoWholeNumberInItsRange(String value) {
        new TestJob()
                .table(TemplateTwoTest.TWO_NODES.replace("'device_count': '3'", "'device_count': " + value))
                .assertRefused(Kind.DATA, "/group_list/0/device_count: ", " is not a whole number 0..100000");
        new TestJob()
                .table(TemplateTwoTest.TWO_NODES.replace("'device_id': '4'", "'device_id': " + value))
                .assertRefused(Kind.DATA, "/devices/1/device_id: ", " is not a whole number 0..65535");
        new TestJob()
                .table(TemplateOneTest.TWO_SERVERS.replace("'rank_id': '3'", "'rank_id': " + value))
                .assertRefused(Kind.DATA, "/server_list/1/device/1/rank_id: ", " is not a whole number 0..99999");
    }

    @Test
    void wrongValueIsShownAsItStandsInTheFile() {
        new TestJob()
                .table(TemplateTwoTest.TWO_NODES.replace("'device_count': '3'", "'device_count': '\uFF18'"))
                .assertRefused(Kind.DATA, "/device_count: \"\\uff18\" is not");
        new TestJob()
                .table(TemplateTwoTest.TWO_NODES.replace("'device_count': '3'", "'device_count': 3.5"))
                .assertRefused(Kind.DATA, "/device_count: 3.5 is not");
    }

    @Test
    void documentsOfNoFamilyAreRefused() {
        new TestJob()
                .table("{'status': 'completed'}")
                .assertRefused(Kind.DATA, "its keys are status (1). ", "server_list", "group_list", "rank_list", "lab");
        new TestJob()
                .table("{'status': 'completed', 'server_list': null}")
                .assertRefused(Kind.DATA, "/server_list: null is not an array");
        new TestJob()
                .table("{'status': 'completed', 'group_list': 'none'}")
                .assertRefused(Kind.DATA, "/group_list: \"none\" is not an array");
        new TestJob()
                .table("{'status': 'completed', 'group_list': [7]}")
                .assertRefused(Kind.DATA, "/group_list/0: 7 is not an object");
    }
}
