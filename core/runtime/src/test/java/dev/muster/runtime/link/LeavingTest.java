package dev.muster.runtime.link;

import static dev.muster.runtime.link.FaultlessJob.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which launchers may leave after their part has succeeded. */
class LeavingTest {

    private final FaultlessJob job = new FaultlessJob(3, false);

    @Test
    void aMemberMayLeaveAsSoonAsItsLeaderKnows() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(1).send(new LocalEvent.Succeeded(Optional.empty()));
        assertThat(job.heardBy(nodes.get(1))).isEmpty();
        job.network.run(1);

        assertThat(job.heardBy(nodes.get(1))).containsExactly(new LinkEvent.MayLeave());
        assertThat(job.heardBy(nodes.get(0))).isEmpty();
    }

    @Test
    void aLeaderStaysUntilAllHaveLeft() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(0).send(new LocalEvent.Succeeded(Optional.empty()));
        nodes.get(1).send(new LocalEvent.Succeeded(Optional.empty()));
        job.network.run(30);
        assertThat(job.heardBy(nodes.get(0))).isEmpty();

        nodes.get(2).send(new LocalEvent.Succeeded(Optional.empty()));
        job.network.run(1);
        assertThat(job.verdictOf(nodes.get(0)).map(JobEnd::kind)).contains(JobEnd.Kind.SUCCESS);
        assertThat(job.mayLeave(nodes.get(0))).isFalse();

        nodes.get(1).send(new LocalEvent.Left(0));
        nodes.get(2).send(new LocalEvent.Left(0));
        job.network.run(1);
        assertThat(job.mayLeave(nodes.get(0))).isTrue();
    }

    @Test
    void aLeaderDoesNotWaitForEverForThoseWhoDoNotLeave() {
        List<MemoryLink> nodes = job.allCome();
        nodes.forEach(node -> node.send(new LocalEvent.Succeeded(Optional.empty())));
        job.network.run(14);
        assertThat(job.mayLeave(nodes.get(0))).isFalse();
        job.network.run(3);
        assertThat(job.mayLeave(nodes.get(0))).isTrue();
    }

    @Test
    void whoFollowsIsToldThatTheJobHasSucceeded() {
        List<MemoryLink> nodes = job.allCome();
        FaultlessJob.plans(nodes.get(1), "8", "c", true);
        FaultlessJob.plans(nodes.get(2), "8", "c", true);
        job.network.run(1);
        nodes.get(0).send(new LocalEvent.Succeeded(Optional.empty()));
        job.network.run(1);

        assertThat(job.verdictOf(nodes.get(1)).map(JobEnd::kind)).contains(JobEnd.Kind.SUCCESS);
        assertThat(job.heardBy(nodes.get(2))).hasSize(1);
    }

    @Test
    void aFailureElsewhereIsTheWaitingLeadersToo() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(0).send(new LocalEvent.Succeeded(Optional.empty()));
        job.network.run(3);
        JobEnd end = FaultlessJob.fails(nodes.get(1));
        job.network.run(3);

        assertThat(job.heardBy(nodes.get(0)).get(0)).isInstanceOf(LinkEvent.Stop.class);
        assertThat(job.verdictOf(nodes.get(0))).contains(end);
    }

    @Test
    void aLeaderDoesNotWaitForNodesThatNobodyHasSeen() {
        MemoryLink leader = job.comes(0);
        leader.send(new LocalEvent.Succeeded(Optional.empty()));
        job.network.after(2900 * MILLI, () -> assertThat(job.heardBy(leader)).isEmpty());
        job.network.run(4);

        assertThat(job.heardBy(leader)).hasSize(2).endsWith(new LinkEvent.MayLeave());
    }

    @Test
    void aMemberDoesNotWaitForALeaderThatNobodyHasSeen() {
        MemoryLink member = job.comes(1);
        member.send(new LocalEvent.Succeeded(Optional.empty()));
        job.network.after(2900 * MILLI, () -> assertThat(job.heardBy(member)).isEmpty());
        job.network.run(4);

        assertThat(job.heardBy(member)).containsExactly(new LinkEvent.MayLeave());
    }

    @Test
    void aLeaderThatNeedsAllWaitsForThem() {
        FaultlessJob needed = new FaultlessJob(2, true);
        MemoryLink leader = needed.comes(0);
        leader.send(new LocalEvent.Succeeded(Optional.empty()));
        needed.network.run(20);
        assertThat(needed.heardBy(leader)).isEmpty();

        MemoryLink member = needed.comes(1);
        needed.network.run(1);
        member.send(new LocalEvent.Succeeded(Optional.empty()));
        needed.network.run(1);
        assertThat(needed.verdictOf(leader).map(JobEnd::kind)).contains(JobEnd.Kind.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLeaderTellsThoseWhoComeSoonAfterTheEnd(boolean required) {
        FaultlessJob needed = new FaultlessJob(3, required);
        MemoryLink leader = needed.comes(0);
        needed.network.run(4);
        JobEnd end = FaultlessJob.fails(leader);
        needed.network.run(1);
        assertThat(needed.mayLeave(leader)).isFalse();
        MemoryLink late = needed.comes(1);
        needed.network.run(1);
        assertThat(needed.verdictOf(late)).contains(end);
        late.send(new LocalEvent.Left(3));

        needed.network.run(2);
        assertThat(needed.mayLeave(leader)).isTrue();
    }

    @Test
    void theReportHasTheWholeJob() {
        List<MemoryLink> nodes = job.allCome();
        long startedAt = nodes.get(0).clock();
        nodes.forEach(node -> FaultlessJob.starts(node, "rank"));
        job.network.run(5);
        nodes.forEach(node -> FaultlessJob.ends(node, "rank"));
        nodes.get(1).send(new LocalEvent.Left(0));
        JobEnd end = FaultlessJob.fails(nodes.get(2));
        job.network.run(2);

        List<LinkReport.NodeEnd> report = nodes.get(0).report().nodes();
        assertThat(report).extracting(LinkReport.NodeEnd::launcher).containsExactly("node-0", "node-1", "node-2");
        assertThat(report).extracting(LinkReport.NodeEnd::state).containsExactly("running", "left", "running");
        assertThat(report)
                .extracting(LinkReport.NodeEnd::cause)
                .containsExactly(Optional.empty(), Optional.empty(), Optional.of(end));
        assertThat(report).allSatisfy(node -> {
            LinkReport.ProcessEnd process = node.processes().get(0);
            assertThat(Math.abs(process.startedAt() - startedAt)).isLessThan(4 * MILLI);
            assertThat(process.endedAt().orElseThrow() - startedAt).isGreaterThan(4900 * MILLI);
            assertThat(process.ended().orElseThrow().exitCode()).isZero();
        });
        assertThat(nodes.get(1).report().nodes()).isEmpty();
    }
}
