package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods of PyTorchJobs and of TrainJobs. */
class PyTorchJobTest {

    private static final String[] HOSTILE = {
        "\n",
        "1\n2",
        "$(touch x)",
        "'; id #",
        "-1",
        "99999999999999999999",
        "4097",
        "1:",
        ":",
        "3:2",
        "\u001b[2J",
        "a b"
    };

    @TempDir
    private Path root;

    private KubernetesPods like(String name) {
        return KubernetesPods.like(root, name);
    }

    private static void assertRefused(KubernetesPods pod, String... words) {
        assertThatThrownBy(pod::site)
                .isInstanceOf(MusterException.class)
                .hasMessageContainingAll(words)
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("\n", "\u001b"))
                .extracting(refused -> ((MusterException) refused).exitCode())
                .isEqualTo(ExitCode.CONFIGURATION);
    }

    @Test
    void ranksAreOnePerCardAndMeetAtTheMaster() {
        Site site = like("pytorchjob-nproc-worker-0").site();

        assertThat(site.platform().why()).isEqualTo("set: PET_NODE_RANK, PET_NNODES");
        assertThat(KubernetesPods.option(site, "processes")).isEqualTo("per-card (PET_NODE_RANK)");
        assertThat(KubernetesPods.option(site, "master-addr")).isEqualTo("pt-four-master-0 (MASTER_ADDR)");
        assertThat(KubernetesPods.option(site, "master-port")).isEqualTo("23456 (MASTER_PORT)");
        assertThat(site.node().cards().count()).hasValue(4);
        assertThat(site.node().cards().origin()).isEqualTo("PET_NPROC_PER_NODE");
        assertThat(site.jobId()).isEqualTo("pt-four");
        assertThat(like("pytorchjob-worker-0").site().node().cards().count()).isEmpty();
    }

    @Test
    void theUserWins() {
        Site site = like("pytorchjob-nproc-worker-0")
                .set("MASTER_PORT", "no port")
                .site("processes", "torchrun", "master-port", "7000", "cards", "2", "job-id", "mine");

        assertThat(KubernetesPods.option(site, "processes")).isEqualTo("(not given)");
        assertThat(KubernetesPods.option(site, "master-port")).isEqualTo("(not given)");
        assertThat(site.node().cards().count()).hasValue(2);
        assertThat(site.jobId()).isEqualTo("mine");
    }

    @Test
    void theMastersNameTellsThoseOfTheWorkers() {
        assertThat(KubernetesPods.names(like("pytorchjob-worker-1").site()))
                .containsExactly("pt-master-0", "pt-worker-0", "pt-worker-1");
        // On the network of its machine a pod has the machine's name.
        assertThat(KubernetesPods.names(
                        like("pytorchjob-worker-1").called("box").site()))
                .hasSize(3);
        assertThat(KubernetesPods.names(
                        like("pytorchjob-worker-1").called("pt-worker-7").site()))
                .isEmpty();
        assertThat(KubernetesPods.names(like("pytorchjob-worker-1")
                        .set("MASTER_ADDR", "10.0.0.1")
                        .set("PET_MASTER_ADDR", "10.0.0.1")
                        .site()))
                .isEmpty();
    }

    @Test
    void workersWithoutAMasterAreNodesByTheirNames() {
        Site site = like("pytorchjob-workers-worker-1").site();

        assertThat(site.node().index()).hasValue(1);
        assertThat(KubernetesPods.names(site)).containsExactly("pt-workers-worker-0", "pt-workers-worker-1");
        assertThat(site.platform().contract().rendezvousPort()).hasValue(23_456);
        assertRefused(
                like("pytorchjob-workers-worker-1").called("box"),
                "PET_NNODES=2, but nothing tells which node this is",
                "host name \"box\"",
                "--nodes 2 --node-index I --hosts A,B,...");
        assertThat(like("pytorchjob-workers-worker-1")
                        .called("box")
                        .site("nodes", "2", "node-index", "1")
                        .node()
                        .index())
                .hasValue(1);
    }

    @Test
    void anOlderOperatorSaysItWithoutTorchrunsVariables() {
        String[] newer = {"PET_NNODES", "PET_NODE_RANK", "PET_NPROC_PER_NODE", "PET_MASTER_ADDR", "PET_MASTER_PORT"};
        Site site = like("pytorchjob-worker-1").unset(newer).site();

        assertThat(site.platform().name()).isEqualTo("pytorchjob");
        assertThat(site.platform().why()).isEqualTo("set: MASTER_ADDR, RANK, WORLD_SIZE");
        assertThat(site.node().index()).hasValue(2);
        assertThat(site.node().count()).hasValue(3);
        assertThat(KubernetesPods.option(site, "processes")).isEqualTo("per-card (RANK)");
    }

    /** What another platform or launcher says by the same three variables is not a PyTorchJob's. */
    @Test
    void theThreeVariablesOfEnvAloneAreNoSignOutsideAPod() {
        String[] newer = {"PET_NNODES", "PET_NODE_RANK", "PET_NPROC_PER_NODE", "PET_MASTER_ADDR", "PET_MASTER_PORT"};
        assertThat(like("pytorchjob-worker-1")
                        .unset(newer)
                        .unset("KUBERNETES_SERVICE_HOST")
                        .site()
                        .platform()
                        .name())
                .isEqualTo("none");
        assertThat(like("pytorchjob-worker-1")
                        .unset(newer)
                        .set("MUSTER_JOB", "1")
                        .site()
                        .platform()
                        .name())
                .isEqualTo("none");
        assertThat(like("volcano-pytorch-worker-0").site().platform().others()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"8, 4", "2, 4", "2, auto", "16, auto", "6, gpu", "4, 2"})
    void theWorldMayCountPodsOrProcesses(String size, String each) {
        Site site = like("pytorchjob-nproc-worker-0")
                .set("WORLD_SIZE", size)
                .set("PET_NPROC_PER_NODE", each)
                .site();

        assertThat(site.node().count()).hasValue(2);
    }

    @ParameterizedTest
    @CsvSource({"7, 4", "3, auto", "4, 4", "1, 4"})
    void aWorldOfAnotherSizeIsAContradiction(String size, String each) {
        assertRefused(
                like("pytorchjob-nproc-worker-0").set("WORLD_SIZE", size).set("PET_NPROC_PER_NODE", each),
                "WORLD_SIZE=" + size + ", but PET_NNODES=2",
                "--nodes N");
    }

    /** Without a number of processes the operator counts pods, and so many of them would each boot a job of one node. */
    @ParameterizedTest
    @CsvSource({"2, 0", "2, 1", "8, 0"})
    void anOnlyPodIsNotOneOfSeveral(String size, String rank) {
        KubernetesPods only = like("pytorchjob-single").set("WORLD_SIZE", size).set("RANK", rank);
        only.unset("PET_NPROC_PER_NODE", "PET_NODE_RANK");

        assertRefused(only, "WORLD_SIZE=" + size + ", but PET_NNODES=1", "--nodes N");
        assertThat(only.site("nodes", "1").node().index()).hasValue(0);
        assertThat(only.set("PET_NPROC_PER_NODE", size)
                        .set("RANK", "0")
                        .site()
                        .node()
                        .count())
                .hasValue(1);
    }

    @Test
    void variablesThatContradictEachOtherAreRefused() {
        assertRefused(like("pytorchjob-worker-1").set("RANK", "1"), "PET_NODE_RANK=\"2\", but RANK=\"1\"");
        assertRefused(like("pytorchjob-worker-1").set("MASTER_ADDR", "a"), "PET_MASTER_ADDR=\"pt-master-0\"", "\"a\"");
        assertRefused(like("pytorchjob-worker-1").set("MASTER_PORT", "1"), "PET_MASTER_PORT=\"23456\"", "\"1\"");
        assertRefused(
                like("pytorchjob-worker-1").set("RANK", "3").set("PET_NODE_RANK", "3"),
                "PET_NODE_RANK=3, but PET_NNODES=3");
        assertRefused(like("trainer-node-1").unset("PET_NNODES"), "PET_NNODES is not set", "--nodes N");
        assertRefused(
                like("trainer-node-1").set("PET_NODE_RANK", "0").set("PET_NNODES", "1"),
                "PET_NODE_RANK=0",
                "JOB_COMPLETION_INDEX=1");
        assertRefused(like("pytorchjob-worker-1").set("PET_NNODES", "1:3"), "PET_NNODES=\"1:3\" is a range");
    }

    /** A rank of torchrun that starts a launcher has torchrun's RANK and WORLD_SIZE. */
    @Test
    void whatTorchrunGaveItsRankContradictsNothing() {
        Site site = like("pytorchjob-worker-1")
                .set("RANK", "17")
                .set("WORLD_SIZE", "24")
                .set("MASTER_PORT", "1")
                .set("TORCHELASTIC_RUN_ID", "x")
                .site();

        assertThat(site.node().index()).hasValue(2);
        assertThat(KubernetesPods.option(site, "master-port")).isEqualTo("23456 (PET_MASTER_PORT)");
    }

    @Test
    void anElasticJobIsForTorchrunOnly() {
        assertRefused(
                like("pytorchjob-elastic-worker-1").with(KubernetesPods.PLAIN),
                "this is an elastic PyTorchJob (PET_RDZV_ENDPOINT): only torchrun finds out",
                "engine plain",
                "--engine pytorch-gpu");
        Site fixed =
                like("pytorchjob-elastic-worker-1").with(KubernetesPods.PLAIN).site("nodes", "2", "node-index", "1");
        assertThat(fixed.node().count()).hasValue(2);
        assertThat(like("pytorchjob-elastic-worker-1").site().node().cards().count())
                .hasValue(2);
    }

    @ParameterizedTest
    @CsvSource({
        "PET_RDZV_ENDPOINT, 'a b:1'",
        "PET_RDZV_ENDPOINT, a:b",
        "PET_RDZV_ENDPOINT, a:70000",
        "PET_RDZV_ENDPOINT, $(id):1",
        "PET_RDZV_BACKEND, 'c10d --x'",
        "PET_RDZV_BACKEND, ';id'",
        "PET_MAX_RESTARTS, -1",
        "PET_MAX_RESTARTS, many",
        "PET_NNODES, 0:3",
        "PET_NNODES, 3:1",
        "PET_NNODES, 1:5000",
        "PET_NNODES, x",
        "PET_NPROC_PER_NODE, 0",
        "PET_NPROC_PER_NODE, all"
    })
    void whatTorchrunCouldNotUseIsRefused(String variable, String value) {
        assertRefused(like("pytorchjob-elastic-worker-1").set(variable, value), variable);
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void aHostileValueIsRefusedWithItsVariable(String pod, String variable, String value) {
        assertRefused(like(pod).set(variable, value), variable);
    }

    static Stream<Arguments> hostile() {
        Stream<String> ofPods = Stream.of("PET_NODE_RANK", "PET_NNODES", "PET_NPROC_PER_NODE", "RANK", "WORLD_SIZE")
                .flatMap(variable -> Stream.of("pytorchjob-worker-1 " + variable));
        Stream<String> ofTrainer = Stream.of("PET_NODE_RANK", "PET_NNODES", "PET_NPROC_PER_NODE")
                .map(variable -> "trainer-node-1 " + variable);
        Stream<String> ofJax = Stream.of("NUM_PROCESSES", "PROCESS_ID").map(variable -> "jaxjob-worker-1 " + variable);
        Stream<Arguments> numbers = Stream.of(ofPods, ofTrainer, ofJax)
                .flatMap(all -> all)
                .flatMap(text -> Stream.of(HOSTILE)
                        .map(value -> Arguments.of(text.split(" ", 2)[0], text.split(" ", 2)[1], value)));
        Stream<Arguments> names = Stream.of("PET_MASTER_ADDR", "PET_MASTER_PORT")
                .flatMap(variable -> Stream.of("\n", "a\nb", "$(id)", "a b", "-o", "a/b", "'")
                        .map(value -> Arguments.of("trainer-node-1", variable, value)));
        Stream<Arguments> addresses = Stream.of("\n", "a\nb", "$(id)", "a b", "-o")
                .map(value -> Arguments.of("jaxjob-worker-1", "COORDINATOR_ADDRESS", value));
        return Stream.of(numbers, names, addresses).flatMap(all -> all);
    }

    @Test
    void podsOfATrainJobAreNamedByTheirNumbers() {
        Site site = like("trainer-node-1").site();

        assertThat(site.platform().why()).isEqualTo("set: PET_NODE_RANK, PET_NNODES, JOB_COMPLETION_INDEX");
        assertThat(KubernetesPods.names(site)).containsExactly("llm-node-0-0.llm", "llm-node-0-1.llm");
        assertThat(site.jobId()).isEqualTo("llm");
        assertThat(KubernetesPods.option(site, "processes")).isEqualTo("per-card (PET_NODE_RANK)");
        assertThat(KubernetesPods.option(site, "master-addr")).isEqualTo("llm-node-0-0.llm (PET_MASTER_ADDR)");
        assertThat(like("trainer-single").site().node().cards().count()).hasValue(2);
        assertThat(like("trainer-node-1")
                        .set("PET_MASTER_ADDR", "llm-trainer-node-0-0.llm")
                        .called("llm-trainer-node-0-1")
                        .site()
                        .jobId())
                .isEqualTo("llm");
    }

    @Test
    void workersOfAJaxJobAreNamedByTheirNumbers() {
        Site site = like("jaxjob-worker-1").site();

        assertThat(site.platform().why()).isEqualTo("set: COORDINATOR_ADDRESS, NUM_PROCESSES, PROCESS_ID");
        assertThat(KubernetesPods.names(site)).containsExactly("jax-worker-0", "jax-worker-1");
        assertThat(KubernetesPods.option(site, "processes")).isEqualTo("(not given)");
        assertThat(KubernetesPods.option(site, "master-addr")).isEqualTo("(not given)");
        Site other = like("jaxjob-worker-1")
                .set("COORDINATOR_ADDRESS", "first.example")
                .site();
        assertThat(KubernetesPods.names(other)).isEmpty();
        assertThat(KubernetesPods.option(other, "master-addr")).isEqualTo("first.example (COORDINATOR_ADDRESS)");
    }
}
