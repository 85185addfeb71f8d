package dev.muster.runtime.link;

import static dev.muster.runtime.link.FaultlessJob.MILLI;
import static dev.muster.runtime.link.FaultlessJob.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which failure was first, and that all launchers hear of it. */
class OriginTest {

    private final FaultlessJob job = new FaultlessJob(3, false);

    @Test
    void aFailureStopsAllAtOnce() {
        List<MemoryLink> nodes = job.allCome();
        JobEnd end = FaultlessJob.fails(nodes.get(1));
        job.network.run(1);

        assertThat(job.heardBy(nodes.get(0)).get(0)).isInstanceOf(LinkEvent.Stop.class);
        assertThat(job.heardBy(nodes.get(2)).get(0)).isInstanceOf(LinkEvent.Stop.class);
        assertThat(((LinkEvent.Stop) job.heardBy(nodes.get(2)).get(0)).end()).isEqualTo(end);
    }

    @Test
    void theOneWhoseEndItIsHearsNoStop() {
        List<MemoryLink> nodes = job.allCome();
        JobEnd end = FaultlessJob.fails(nodes.get(1));
        job.network.run(3);

        assertThat(job.heardBy(nodes.get(1))).containsExactly(new LinkEvent.Decided(end));
    }

    @Test
    void isDecidedAsSoonAsAllHaveAnswered() {
        List<MemoryLink> nodes = job.allCome();
        JobEnd end = FaultlessJob.fails(nodes.get(1));
        nodes.get(0).send(new LocalEvent.Heeded());
        nodes.get(2).send(new LocalEvent.Heeded());
        job.network.after(
                20 * MILLI, () -> assertThat(job.verdictOf(nodes.get(1))).contains(end));
        job.network.run(1);
    }

    @Test
    void isDecidedAfterASecondAnyway() {
        List<MemoryLink> nodes = job.allCome();
        JobEnd end = FaultlessJob.fails(nodes.get(1));
        job.network.after(
                900 * MILLI, () -> assertThat(job.verdictOf(nodes.get(1))).isEmpty());
        job.network.run(2);

        assertThat(nodes).allSatisfy(node -> assertThat(job.verdictOf(node)).contains(end));
    }

    @Test
    void whoWasKilledIsNamedAndNotWhoFailedForIt() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(1).kill();
        job.network.after(100 * MILLI, () -> FaultlessJob.fails(nodes.get(2)));
        job.network.run(3);

        JobEnd verdict = job.verdictOf(nodes.get(0)).orElseThrow();
        assertThat(verdict.kind()).isEqualTo(JobEnd.Kind.LOST);
        assertThat(verdict.where()).isEqualTo("node 1 (gpu1)");
        assertThat(verdict.reason()).isEqualTo("its launcher is gone (connection closed)");
        assertThat(verdict.exitCode()).isEqualTo(75);
    }

    @Test
    void whoComesLateHearsWhatHappened() {
        MemoryLink leader = job.comes(0);
        MemoryLink member = job.comes(1);
        job.network.run(1);
        JobEnd end = FaultlessJob.fails(leader);
        job.network.run(3);
        MemoryLink late = job.comes(2);
        job.network.run(1);

        assertThat(job.verdictOf(late)).contains(end);
        assertThat(job.verdictOf(member)).contains(end);
    }

    @Test
    void whoWasAwayHearsWhatItMissed() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(2).cutOff();
        JobEnd end = FaultlessJob.fails(nodes.get(0));
        job.network.run(4);
        assertThat(job.heardBy(nodes.get(2))).isEmpty();

        nodes.get(2).reconnectNetwork();
        job.network.run(4);
        assertThat(job.verdictOf(nodes.get(2))).contains(end);
    }

    @Test
    void theDecisionIsFinal() {
        List<MemoryLink> nodes = job.allCome();
        JobEnd end = FaultlessJob.fails(nodes.get(0));
        job.network.run(2);
        FaultlessJob.fails(nodes.get(1));
        nodes.get(2).kill();
        job.network.run(20);

        assertThat(job.heardBy(nodes.get(0)).stream().filter(LinkEvent.Decided.class::isInstance))
                .containsExactly(new LinkEvent.Decided(end));
        assertThat(job.network.now()).isGreaterThan(20 * SECOND);
    }
}
