package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.EngineDescriptor;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcJobTest {

    @TempDir
    private Path root;

    @Test
    void pytorchsVariablesAreFollowedWithTheirOwnMeanings() {
        for (int i = 0; i < 2; i++) {
            OnNode node = OnNode.of("acjob-pytorch-" + i, root, TestEngines.TORCH);
            Site site = node.site();
            assertThat(site.platform().name()).isEqualTo("acjob");
            assertThat(site.jobId()).isEqualTo("5c1d1a2e-6a3c-4f43-9f0e-6d7a0e5f1b21");
            assertThat(site.node().count()).hasValue(2);
            assertThat(site.node().index()).hasValue(i);
            assertThat(site.node().cards().count()).hasValue(4);
            assertThat(site.unheard()).isEmpty();
            assertThat(node.option("master-addr")).isEqualTo("10.96.40.7 (MASTER_ADDR)");
            assertThat(node.option("master-port")).isEqualTo("2222 (MASTER_PORT)");
            assertThat(node.option("processes")).isEqualTo("per-card (MASTER_ADDR)");
        }
        assertThat(OnNode.of("acjob-pytorch-single", root, TestEngines.TORCH)
                        .site()
                        .node()
                        .count())
                .hasValue(1);
    }

    @Test
    void otherEnginesAreRefusedInASentence() {
        for (EngineDescriptor engine :
                List.of(TestEngines.PLAIN, TestEngines.ASCEND, TestEngines.MPI, TestEngines.TENSORFLOW)) {
            for (String name : List.of("acjob-pytorch-0", "acjob-mindspore-worker-1", "acjob-tensorflow-0")) {
                OnNode.of(name, root, engine)
                        .assertRefused("MINDX_TASK_ID", "engine " + engine.id(), "pytorch-gpu", "--platform mindx-dl");
            }
        }
        assertThat(OnNode.of("acjob-pytorch-0", root, TestEngines.PLAIN)
                        .site("platform", "none")
                        .unheard())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"acjob-mindspore-worker-0", "acjob-mindspore-scheduler", "acjob-tensorflow-1"})
    void anAcjobOfAnotherFrameworkIsNoJobOfPytorch(String name) {
        OnNode.of(name, root, TestEngines.TORCH)
                .assertRefused("none of PyTorch", "MASTER_ADDR", "LOCAL_WORLD_SIZE", "--nodes N");
    }

    @Test
    void contradictionsAreRefused() {
        node().set("WORLD_SIZE", "9").assertRefused("WORLD_SIZE=9", "LOCAL_WORLD_SIZE=4");
        node().set("RANK", "2").assertRefused("RANK=2", "WORLD_SIZE and LOCAL_WORLD_SIZE=2");
        node().set("LOCAL_WORLD_SIZE", "0").assertRefused("LOCAL_WORLD_SIZE=\"0\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"WORLD_SIZE", "RANK", "LOCAL_WORLD_SIZE", "MASTER_PORT", "TERMINATION_GRACE_PERIOD_SECONDS"})
    void hostileValuesAreRefused(String variable) {
        node().assertRefusesHostile(variable);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MASTER_ADDR", "MINDX_TASK_ID"})
    void hostileNamesAreRefused(String variable) {
        node().set(variable, "$(id)").assertRefused(variable, "\"$(id)\"");
        node().set(variable, "a\nb").assertRefused(variable);
    }

    /** A rank that starts a launcher has the variables of a rank. */
    @Test
    void ofARankTheVariablesSayNothing() {
        Site site = node().set("MUSTER_JOB", "x")
                .set("LOCAL_RANK", "2")
                .set("RANK", "6")
                .site();
        assertThat(site.node().count()).isEmpty();
        assertThat(site.unheard()).isEmpty();
    }

    private OnNode node() {
        return OnNode.of("acjob-pytorch-1", root, TestEngines.TORCH);
    }
}
