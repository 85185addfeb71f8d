package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerTest {

    private final LaunchPlan plan = TestJob.onModelArts(1, 3).plan();

    @Test
    void onlyServes() {
        assertThat(Plans.ids(plan)).containsExactly("ssh-keys", "sshd");
        assertThat(Plans.process(plan, "sshd"))
                .isInstanceOfSatisfying(
                        ProcessSpec.Service.class,
                        sshd -> assertThat(sshd.readyWhen()).isEqualTo(Condition.portOpen("vj-worker-1.vj", 36666)));
        assertThat(Plans.notes(plan)).first().asString().contains("node 1 (vj-worker-1.vj) of 3", "vj-worker-0.vj");
    }

    /** mpirun needs its daemon here as long as ranks of other hosts write their checkpoints. */
    @Test
    void sshdStaysUntilNodeZeroNeedsItNoMore() {
        assertThat(Plans.process(plan, "sshd").hosted())
                .hasValueSatisfying(
                        ranks -> assertThat(ranks.until()).isEqualTo(Condition.exited(List.of("mpirun@node-0"))));
    }
}
