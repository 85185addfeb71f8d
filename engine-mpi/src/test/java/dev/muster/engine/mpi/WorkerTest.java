package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.StopMethod;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerTest {

    private final LaunchPlan plan = TestJob.onModelArts(1, 3).plan();

    @Test
    void onlyServes() {
        assertThat(Plans.ids(plan)).containsExactly("ssh-keys", "sshd", "stop");
        assertThat(Plans.notes(plan)).first().asString().contains("node 1 (vj-worker-1.vj) of 3", "vj-worker-0.vj");
    }

    @Test
    void endsWithTheCodeThatNodeZeroTells() {
        Outcome.Case release = Plans.cases(plan).get(0);

        assertThat(release.when()).isEqualTo(new Condition.PrivateFileReady("release"));
        assertThat(release.codeFile()).contains("release");
    }

    @Test
    void endsWithZeroWhereTheUserWantsThat() {
        LaunchPlan zero =
                TestJob.onModelArts(1, 3).option("worker-exit", "zero").plan();

        assertThat(Plans.cases(zero).subList(0, 2)).allSatisfy(told -> {
            assertThat(told.exitCode()).isZero();
            assertThat(told.codeFile()).isEmpty();
        });
    }

    @Test
    void endsWith75WhenNodeZeroNeverCameOrIsLost() {
        List<Outcome.Case> cases = Plans.cases(plan);

        assertThat(cases).hasSize(4);
        assertThat(cases.subList(2, 4)).allSatisfy(ended -> {
            assertThat(ended.exitCode()).isEqualTo(75);
            assertThat(ended.reason()).contains("node 0 (vj-worker-0.vj)");
        });
        assertThat(cases.get(2).missing()).contains(new Condition.PortOpen("vj-worker-0.vj", 36666));
        assertThat(cases.get(3).when()).isInstanceOf(Condition.PortClosed.class);
    }

    /** mpirun needs its daemon here as long as ranks of other hosts write their checkpoints. */
    @Test
    void sshdStaysUntilNodeZeroNeedsItNoMore() {
        Optional<StopMethod.Forerunners> first =
                Plans.process(plan, "sshd").stop().first();

        assertThat(first)
                .hasValueSatisfying(forerunners -> assertThat(forerunners.afterwards())
                        .isInstanceOfSatisfying(
                                Condition.AnyOf.class,
                                any -> assertThat(any.parts())
                                        .contains(
                                                new Condition.PrivateFileReady("release"),
                                                new Condition.PrivateFileReady("unheard"))));
    }

    @Test
    void tellsNodeZeroWhenItIsStopped() {
        assertThat(Plans.command(plan, "stop"))
                .containsSubsequence("<tell>", "stop", "<code>", "node 1 (vj-worker-1.vj)", "<reason>")
                .endsWith("vj-worker-0.vj");
    }
}
