package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Host;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class VolcanoTest {

    @TempDir
    private Path root;

    @ParameterizedTest
    @MethodSource
    void jobsOfOneOrderAreFollowed(Recorded recorded) {
        for (var engine : List.of(TestEngines.PLAIN, TestEngines.TORCH, TestEngines.MPI, TestEngines.TENSORFLOW)) {
            Site site = OnNode.of(recorded, root, engine).site();
            String job = recorded.hostName().replace("-" + recorded.role() + "-" + number(recorded), "");
            assertThat(site.platform().name()).isEqualTo("volcano");
            assertThat(site.jobId()).isEqualTo(job);
            assertThat(site.node().count()).hasValue(recorded.nodes());
            assertThat(site.node().index()).hasValue(recorded.index());
            assertThat(site.node().role()).contains(recorded.role());
            assertThat(site.node().hosts()).hasSize(recorded.nodes());
            assertThat(site.node().hosts().get(recorded.index()).name()).isEqualTo(recorded.hostName() + "." + job);
            assertThat(site.unheard()).isEmpty();
        }
    }

    static Stream<Recorded> jobsOfOneOrderAreFollowed() {
        return recordings().filter(recorded -> !hasRoles(recorded));
    }

    @ParameterizedTest
    @MethodSource
    void rolesAreForEnginesThatKnowThem(Recorded recorded) {
        Site site = OnNode.of(recorded, root, TestEngines.TENSORFLOW).site();
        assertThat(site.node().role()).contains(recorded.role());
        assertThat(site.node().index()).hasValue(recorded.index());
        assertThat(site.node().count()).hasValue(recorded.nodes());
        assertThat(site.node().hostsByRole()).containsKeys("ps", "worker", recorded.role());
        assertThat(site.platform().contract().variables()).contains("TF_CONFIG");

        OnNode.of(recorded, root, TestEngines.TORCH)
                .assertRefused(
                        "tasks", "ps", "worker", "engine torch", "tensorflow-ps", "--hosts A,B,...", "--node-index");
    }

    static Stream<Recorded> rolesAreForEnginesThatKnowThem() {
        return recordings().filter(VolcanoTest::hasRoles);
    }

    private static Stream<Recorded> recordings() {
        return Recorded.all().filter(recorded -> recorded.platform().equals("volcano"));
    }

    private static boolean hasRoles(Recorded recorded) {
        return recorded.environment().containsKey("VC_PS_HOSTS");
    }

    private static String number(Recorded recorded) {
        return recorded.hostName().substring(recorded.hostName().lastIndexOf('-') + 1);
    }

    @Test
    void bothKindsAreRecorded() {
        assertThat(jobsOfOneOrderAreFollowed()).hasSizeGreaterThan(15);
        assertThat(rolesAreForEnginesThatKnowThem()).hasSizeGreaterThan(7);
    }

    @Test
    void thePytorchPluginsVariablesBecomeOptions() {
        OnNode node = OnNode.of("volcano-pytorch-worker-1", root, TestEngines.TORCH);
        assertThat(node.option("master-addr")).isEqualTo("vc-pt-master-0.vc-pt (MASTER_ADDR)");
        assertThat(node.option("master-port")).isEqualTo("23456 (MASTER_PORT)");
        assertThat(node.option("processes")).isEqualTo("per-card (MASTER_ADDR)");
        assertThat(node.option("processes", "processes", "per-node")).isEqualTo("per-node (--processes)");
        assertThat(OnNode.of("volcano-worker-0", root, TestEngines.TORCH)
                        .set("MASTER_ADDR", "leftover")
                        .option("master-addr"))
                .isEmpty();
    }

    @Test
    void thePytorchPluginMustAgree() {
        pytorch()
                .set("RANK", "1")
                .assertRefused("RANK=1, but this is node 2 (host name of task worker)", "--node-index");
        pytorch()
                .set("WORLD_SIZE", "4")
                .assertRefused("WORLD_SIZE=4, but the job has 3 nodes (VC_MASTER_HOSTS and", "--nodes");
        for (String variable : List.of("RANK", "WORLD_SIZE", "MASTER_PORT", "MASTER_ADDR")) {
            OnNode node = pytorch();
            if (variable.equals("MASTER_ADDR")) {
                node.set("MASTER_ADDR", "a b").assertRefused("MASTER_ADDR", "neither a host name");
            } else {
                node.assertRefusesHostile(variable);
            }
        }
    }

    /** Who starts ranks gives them variables of these names, with the ranks' own values. */
    @Test
    void ofARankThePytorchPluginsVariablesSayNothing() {
        assertThat(pytorch()
                        .set("MUSTER_JOB", "x")
                        .set("RANK", "7")
                        .site()
                        .node()
                        .index())
                .hasValue(2);
    }

    private OnNode pytorch() {
        return OnNode.of("volcano-pytorch-worker-1", root, TestEngines.TORCH);
    }

    @Test
    void theLeadingTaskIsWhereTheMasterIs() {
        Site site = OnNode.of("volcano-no-plugins-worker-0", root, TestEngines.TORCH)
                .set("VC_A_HOSTS", "j-a-0.j,j-a-1.j")
                .set("VC_B_HOSTS", "j-b-0.j")
                .set("MASTER_ADDR", "j-b-0.j")
                .siteOn("j-a-1");
        assertThat(site.node().index()).hasValue(2);
        assertThat(site.node().hosts()).extracting(Host::name).containsExactly("j-b-0.j", "j-a-0.j", "j-a-1.j");
    }

    @ParameterizedTest
    @CsvSource({"a, b", "master, head"})
    void twoTasksOfWhichNoneLeadsAreRefused(String one, String other) {
        lists(one, 1, other, 1)
                .assertRefusedOn("j-" + one + "-0", "the tasks", one, other, "--hosts A,B,...", "--node-index");
    }

    @Test
    void threeTasksAreRefusedUnlessTheUserSaysWho() {
        OnNode node = lists("master", 1, "worker", 2).set("VC_DATA_HOSTS", "j-data-0.j");
        node.assertRefusedOn("j-worker-0", "the tasks data, master, worker", "--hosts A,B,... and --node-index I");
        Site site = node.siteOn("j-worker-0", "hosts", "x,y", "node-index", "1");
        assertThat(site.node().count()).hasValue(2);
        assertThat(site.node().index()).hasValue(1);
    }

    @Test
    void countsThatAreNotThoseOfTheListsAreRefused() {
        worker().set("VC_WORKER_NUM", "4").assertRefused("VC_WORKER_NUM=4, but VC_WORKER_HOSTS names 3 hosts");
        worker().set("VC_MORE_NUM", "2").assertRefused("VC_MORE_NUM=2", "names 0 hosts");
        worker().set("VC_WORKER_HOSTS", "a,b,a").assertRefused("VC_WORKER_HOSTS", "\"a\" is there twice");
        worker().unset("VC_WORKER_NUM")
                .set(
                        "VC_WORKER_HOSTS",
                        String.join(
                                ",",
                                IntStream.range(0, 5000).mapToObj(i -> "h" + i).toList()))
                .assertRefused("VC_WORKER_HOSTS", "5000", "4096");
        worker().set("VC_TASK_INDEX", "3").assertRefused("VC_TASK_INDEX", "index 3", "VC_WORKER_HOSTS names 3 hosts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"VC_WORKER_HOSTS", "VC_WORKER_NUM", "VC_TASK_INDEX"})
    void hostileValuesAreRefused(String variable) {
        if (variable.equals("VC_WORKER_HOSTS")) {
            worker().set(variable, "a,$(id)").assertRefused(variable, "\"$(id)\"");
            worker().set(variable, "a\nb,c,d").assertRefused(variable);
        } else {
            worker().assertRefusesHostile(variable);
        }
    }

    @Test
    void theOlderNameOfTheIndexIsReadToo() {
        assertThat(worker().unset("VC_TASK_INDEX").site().node().index()).hasValue(1);
        assertThat(worker().unset("VC_TASK_INDEX").siteOn("some-node-7").node().index())
                .hasValue(1);
    }

    /** On the host's network the host has a name of its own, which may end in a number. */
    @Test
    void onTheHostsNetworkOnlyTheEnvPluginTellsTheIndex() {
        assertThat(worker().siteOn("gpu-node-2").node().index()).hasValue(1);
        worker().unset("VC_TASK_INDEX", "VK_TASK_INDEX")
                .assertRefusedOn("gpu-node-2", "\"gpu-node-2\" is none of them", "env plugin", "--node-index");
        lists("master", 1, "worker", 2)
                .set("VC_TASK_INDEX", "0")
                .assertRefusedOn("gpu-node-2", "none lists this host", "\"gpu-node-2\"", "--hosts");
    }

    @Test
    void theFilesTellWhereNoVariableDoes() {
        OnNode node = worker().unset("VC_WORKER_HOSTS", "VC_WORKER_NUM", "VC_TASK_INDEX", "VK_TASK_INDEX");
        Site site = node.site();
        assertThat(site.platform().explanation()).contains("/etc/volcano/worker.host");
        assertThat(site.node().count()).hasValue(3);
        assertThat(site.node().index()).hasValue(1);
        assertThat(site.jobId()).isEqualTo("vc");

        assertThat(OnNode.of("volcano-dashes-gpu-node-1", root.resolve("other"), TestEngines.PLAIN)
                        .unset("VC_GPU_NODE_HOSTS", "VC_GPU_NODE_NUM")
                        .set("VC_GPU_NODE_HOSTS", "")
                        .site()
                        .node()
                        .role())
                .contains("gpu-node");
    }

    /** Two containers that have one index would both be that node, and another one would be missing. */
    @Test
    void anIndexThatIsAnotherContainersIsRefused() {
        worker().set("VC_TASK_INDEX", "0")
                .assertRefused("VC_TASK_INDEX", "index 0", "\"vc-worker-0\"", "\"vc-worker-1\"");
        worker().assertRefusedOn("vc-worker-2", "VC_TASK_INDEX", "index 1", "\"vc-worker-2\"", "--node-index");
        worker().unset("VC_TASK_INDEX", "VK_TASK_INDEX", "VC_WORKER_NUM")
                .set("VC_WORKER_HOSTS", "vc-worker-0.vc")
                .assertRefused("VC_WORKER_HOSTS", "\"vc-worker-1\"");
        assertThat(worker().set("VC_TASK_INDEX", "0")
                        .site("node-index", "1")
                        .node()
                        .index())
                .hasValue(1);
    }

    /** The file is of a job that has grown meanwhile. */
    @Test
    void variablesWinOverFiles() {
        OnNode node =
                worker().set("VC_WORKER_HOSTS", "vc-worker-0.vc,vc-worker-1.vc").set("VC_WORKER_NUM", "2");
        assertThat(node.site().node().count()).hasValue(2);
    }

    @Test
    void anIndexAloneWantsTheNumberOfNodes() {
        OnNode node = OnNode.of("volcano-no-plugins-worker-1", root, TestEngines.PLAIN)
                .set("VC_TASK_INDEX", "1");
        assertThat(node.site().unheard())
                .anySatisfy(claim -> assertThat(claim.contradicts(1)).isTrue());
        Site site = node.site("nodes", "3");
        assertThat(site.unheard()).isEmpty();
        assertThat(site.node().index()).hasValue(1);
    }

    @Test
    void theJobsNameIsInThePodsNameWhereHostsHaveNoDomain() {
        assertThat(worker().set("VC_WORKER_HOSTS", "my-job-worker-0,my-job-worker-1,my-job-worker-2")
                        .site()
                        .jobId())
                .isEqualTo("my-job");
        assertThat(worker().set("VC_WORKER_HOSTS", "10.0.0.1,10.0.0.2,10.0.0.3")
                        .site()
                        .jobId())
                .startsWith("muster-");
        assertThat(worker().site("job-id", "mine").jobId()).isEqualTo("mine");
    }

    private OnNode worker() {
        return OnNode.of("volcano-worker-1", root, TestEngines.PLAIN);
    }

    private OnNode lists(String one, int ones, String other, int others) {
        return OnNode.of("volcano-no-plugins-worker-0", root, TestEngines.PLAIN)
                .set("VC_" + one.toUpperCase(Locale.ROOT) + "_HOSTS", list(one, ones))
                .set("VC_" + other.toUpperCase(Locale.ROOT) + "_HOSTS", list(other, others));
    }

    private static String list(String task, int count) {
        return String.join(
                ",",
                IntStream.range(0, count)
                        .mapToObj(i -> "j-" + task + "-" + i + ".j")
                        .toList());
    }
}
