package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.InputValue;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.PlanException.Kind;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What MindX DL's {@code train_start.sh} and {@code main.sh} give to a rank, by framework. End-to-end tests cover the whole. */
class FrameworkRanksTest {

    private static final String TABLE = "/user/serverid/devindex/config/hccl.json";

    /** No CANN environment; four CPUs. */
    private static final String PLAIN = "0-1,4-5\0\0\0";

    private static TestJob job(String framework) {
        return new TestJob()
                .onMindXDl()
                .table(TABLE, TestJson.object(TemplateOneTest.TWO_SERVERS))
                .address("192.168.0.26", "XDL_IP")
                .places(new JobDirectories("/job/code", false, "/job/logs", Optional.empty()))
                .option("framework", framework)
                .input("cann-environment", new InputValue.CommandOutput(0, PLAIN))
                .input("taskset", new InputValue.Program("/usr/bin/taskset"));
    }

    private static TestJob singleCard(String framework) {
        return job(framework).table(TABLE, TestJson.object("""
                        {'status': 'completed', 'version': '1.0', 'server_count': '1', 'server_list': [
                          {'server_id': '192.168.0.26', 'device': [{'device_id': '5', 'rank_id': '0'}]}]}
                        """));
    }

    private static Map<String, String> environment(ProcessSpec task) {
        Map<String, String> environment = new TreeMap<>();
        task.launch().environment().set().forEach((name, value) -> environment.put(name, TestJob.text(value)));
        return environment;
    }

    private static List<String> command(LaunchPlan plan, int task) {
        return plan.processes().get(task).launch().command().stream()
                .map(TestJob::text)
                .toList();
    }

    private static List<String> notes(LaunchPlan plan) {
        return plan.notes().stream().map(Note::text).toList();
    }

    @Test
    void aSingleCardWithoutFrameworkKeepsItsTable() {
        LaunchPlan plan = singleCard("none").plan();

        assertThat(TestJob.variable(plan, "RANK_TABLE_FILE")).isEqualTo(TABLE);
        assertThat(TestJob.variable(plan, "JOB_ID")).isEqualTo("modelarts-job-x");
        assertThat(TestJob.variable(plan, "DEVICE_NUM")).isEqualTo("(not set)");
    }

    @Test
    void whatTheUserHasSetIsKept() {
        Map<String, String> environment = environment(job("pytorch")
                .variable("TASK_QUEUE_ENABLE", "2")
                .variable("HCCL_IF_IP", "10.9.9.9")
                .variable("ASCEND_GLOBAL_LOG_LEVEL", "")
                .variable("PYTHONUNBUFFERED", "")
                .variable("PYTHONPATH", "/libs:/more")
                .variable("RANK", "7")
                .plan()
                .processes()
                .get(0));

        assertThat(environment)
                .doesNotContainKeys("TASK_QUEUE_ENABLE", "HCCL_IF_IP", "ASCEND_GLOBAL_LOG_LEVEL", "PYTHONUNBUFFERED")
                .containsEntry("PYTHONPATH", "/here:/libs:/more")
                .containsEntry("RANK", "1");
    }

    @Test
    void cannComesBeforeTheJob() {
        String cann = "0-3\0/usr/local/Ascend/nnae/set_env.sh\0\0"
                + "LD_LIBRARY_PATH=/nnae/lib\0PYTHONPATH=/nnae/python\0RANK_ID=99\0HCCL_CONNECT_TIMEOUT=200\0"
                + "PATH=/nnae/bin:/bin\0TWO=a\nb\0SHLVL=9\0\0";
        LaunchPlan plan = job("mindspore")
                .input("cann-environment", new InputValue.CommandOutput(0, cann))
                .plan();

        assertThat(environment(plan.processes().get(0)))
                .containsEntry("LD_LIBRARY_PATH", "/nnae/lib")
                .containsEntry("PYTHONPATH", "/here:/nnae/python")
                .containsEntry("PATH", "/nnae/bin:/bin")
                .containsEntry("TWO", "a\nb")
                .containsEntry("RANK_ID", "2")
                .containsEntry("HCCL_CONNECT_TIMEOUT", "200")
                .doesNotContainKeys("SHLVL");
        assertThat(notes(plan)).contains("ranks get the environment of /usr/local/Ascend/nnae/set_env.sh");
    }

    @Test
    void cpusAreNotAConditionForAnything() {
        TestJob withoutTaskset = job("tensorflow").withoutInput("taskset");
        TestJob fewCpus = job("pytorch").input("cann-environment", new InputValue.CommandOutput(0, "3\0\0\0"));
        TestJob unknownCpus = job("pytorch").input("cann-environment", new InputValue.CommandOutput(0, "\0\0\0"));
        TestJob withoutBash = job("pytorch").input("cann-environment", new InputValue.CommandOutput(127, ""));

        assertThat(command(withoutTaskset.plan(), 0)).startsWith("python");
        assertThat(notes(withoutTaskset.plan())).contains("taskset is not installed: ranks are not bound to CPUs");
        assertThat(command(fewCpus.plan(), 0)).startsWith("python");
        assertThat(notes(fewCpus.plan()))
                .contains("ranks are not bound to CPUs: this node may use CPUs \"3\", fewer than 2 ranks need");
        assertThat(notes(unknownCpus.plan())).anyMatch(note -> note.contains("CPUs that are unknown"));
        assertThat(command(withoutBash.plan(), 0)).startsWith("python");
        assertThat(notes(withoutBash.plan())).anyMatch(note -> note.contains("(bash is not there)"));
    }

    @Test
    void pyTorchsWayOfCountingFitsToTheTable() {
        String unequal = TemplateOneTest.TWO_SERVERS.replace(
                ", 'rank_id': '3'}", ", 'rank_id': '3'}, {'device_id': '2', 'device_ip': '10.0.0.5', 'rank_id': '4'}");
        String mixed = TemplateOneTest.TWO_SERVERS
                .replace("'rank_id': '2'", "'rank_id': 'x'")
                .replace("'rank_id': '3'", "'rank_id': '2'")
                .replace("'rank_id': 'x'", "'rank_id': '3'");

        job("pytorch")
                .table(TABLE, TestJson.object(unequal))
                .assertRefused(Kind.DATA, "framework pytorch (--framework)", "of this server 2-4", "--framework none");
        job("pytorch")
                .table(TABLE, TestJson.object(mixed))
                .assertRefused(Kind.DATA, "framework pytorch", "of this server 3,2");
        assertThat(TestJob.ranks(
                        job("tensorflow").table(TABLE, TestJson.object(unequal)).plan()))
                .containsExactly(2, 3, 4);
    }

    @Test
    void theFirstServerIsThatOfRankZeroAndHasAnAddress() {
        String named = TemplateOneTest.TWO_SERVERS
                .replace("'192.168.0.25'", "'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'")
                .replace("'192.168.0.26'", "'node-1'");
        LaunchPlan plan = job("pytorch")
                .table(TABLE, TestJson.object(named))
                .address("172.16.0.26", "XDL_IP")
                .plan();

        assertThat(environment(plan.processes().get(0)))
                .containsEntry("MASTER_ADDR", "172.16.0.25")
                .containsEntry("HCCL_IF_IP", "172.16.0.26")
                .containsEntry("RANK", "1");
    }

    @Test
    void aTableWithoutServersNeedsHosts() {
        TestJob job = job("pytorch")
                .table(TABLE, TestJson.object(LevelListTest.table(0, 1, 2, 3)))
                .node(1, 2);

        job.assertRefused(Kind.CONFIGURATION, "framework pytorch (--framework)", "MASTER_ADDR", "--hosts A,B,...");
        assertThat(environment(job.hosts("w0", "w1").plan().processes().get(0)))
                .containsEntry("MASTER_ADDR", "w0")
                .containsEntry("RANK", "1")
                .containsEntry("WORLD_SIZE", "2");
    }

    @Test
    void onlyAFrameworkAsksForMore() {
        assertThat(job("none").inputs()).hasSize(1);
        assertThat(job("pytorch").inputs()).hasSize(3);
    }
}
