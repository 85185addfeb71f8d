package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import org.junit.jupiter.api.Test;

class SeatsTest {

    @Test
    void hostsAreThoseOfThePlatform() {
        LaunchPlan plan = TestJob.onModelArts(0, 3).plan();

        assertThat(Plans.hosts(plan))
                .containsExactly(
                        "vj-worker-0.vj vj-worker-0.vj 1 vj-worker-0.vj",
                        "vj-worker-1.vj vj-worker-1.vj 1 vj-worker-1.vj",
                        "vj-worker-2.vj vj-worker-2.vj 1 vj-worker-2.vj");
    }

    @Test
    void hostsThatTheUserNamesHoldOnAPlatform() {
        LaunchPlan plan = TestJob.onModelArts(0, 2).hosts("a", "b").plan();

        assertThat(Plans.hosts(plan)).containsExactly("a a 1 a", "b b 1 b");
    }

    @Test
    void aMissingIndexIsNeverGuessedAndThePlatformsVariablesForItAreNamed() {
        TestJob.onModelArts(0, 2)
                .withoutIndex()
                .hostName("vj-worker-1")
                .assertRefused(Kind.CONFIGURATION, "MA_TASK_INDEX and VC_TASK_INDEX are not set", "--node-index");
    }

    @Test
    void oneHostNeedsNoIndexAndNoName() {
        LaunchPlan plan = new TestJob().modelArts().nodes(1).plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun");
    }

    @Test
    void severalNodesWithoutHostsAreRefused() {
        new TestJob().nodes(3).index(0).assertRefused(Kind.CONFIGURATION, "3 nodes", "--hosts");
        new TestJob().nodes(3).index(0).hosts("a", "b").assertRefused(Kind.CONFIGURATION, "3 nodes", "2 hosts");
    }
}
