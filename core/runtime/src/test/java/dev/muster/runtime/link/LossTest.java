package dev.muster.runtime.link;

import static dev.muster.runtime.link.FaultlessJob.MILLI;
import static dev.muster.runtime.link.FaultlessJob.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Launchers that are gone or silent. */
class LossTest {

    private final FaultlessJob job = new FaultlessJob(3, false);

    private void isLost(MemoryLink listener, MemoryLink lost, String reason) {
        JobEnd verdict = job.verdictOf(listener).orElseThrow();
        assertThat(verdict.kind()).isEqualTo(JobEnd.Kind.LOST);
        assertThat(verdict.exitCode()).isEqualTo(75);
        assertThat(verdict.launcher()).isEqualTo(lost.name());
        assertThat(verdict.reason()).isEqualTo(reason);
    }

    @Test
    void aLauncherThatIsKilledIsMissedAfterFiveSeconds() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(2).kill();
        job.network.after(
                4900 * MILLI, () -> assertThat(job.heardBy(nodes.get(0))).isEmpty());
        job.network.run(8);

        isLost(nodes.get(0), nodes.get(2), "its launcher is gone (connection closed)");
        isLost(nodes.get(1), nodes.get(2), "its launcher is gone (connection closed)");
    }

    @Test
    void aConnectionThatComesBackIsNoLoss() {
        List<MemoryLink> nodes = job.allCome();
        for (int round = 0; round < 5; round++) {
            nodes.get(2).breakConnection();
            job.network.run(3);
        }
        job.network.run(60);

        assertThat(nodes).allSatisfy(node -> assertThat(job.heardBy(node)).isEmpty());
    }

    @Test
    void aNetworkThatHealsIsNoLoss() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(2).cutOff();
        job.network.run(50);
        nodes.get(2).reconnectNetwork();
        job.network.run(100);

        assertThat(nodes).allSatisfy(node -> assertThat(job.heardBy(node)).isEmpty());
    }

    @Test
    void silenceIsALossOnBothSides() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(2).cutOff();
        job.network.run(63);

        isLost(nodes.get(0), nodes.get(2), "nothing was heard of its launcher for 1m");
        isLost(nodes.get(1), nodes.get(2), "nothing was heard of its launcher for 1m");
        isLost(nodes.get(2), nodes.get(0), "nothing was heard of its launcher for 1m");
    }

    @Test
    void aLeaderThatIsKilledIsMissedByAll() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(0).kill();
        job.network.after(
                4900 * MILLI, () -> assertThat(job.heardBy(nodes.get(1))).isEmpty());
        job.network.run(8);

        isLost(nodes.get(1), nodes.get(0), "its launcher is gone (connection refused)");
        isLost(nodes.get(2), nodes.get(0), "its launcher is gone (connection refused)");
    }

    /** So it is when a pod is deleted: its connections are closed, then its address is gone. */
    @Test
    void aLeaderThatClosedItsConnectionAndIsNotReachedForTenSecondsIsGone() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(0).kill();
        job.network.after(10 * MILLI, nodes.get(0)::cutOff);
        job.network.after(
                9900 * MILLI, () -> assertThat(job.heardBy(nodes.get(1))).isEmpty());
        job.network.run(11);

        String reason = "its launcher is gone (the connection was closed; since then: no answer)";
        isLost(nodes.get(1), nodes.get(0), reason);
        isLost(nodes.get(2), nodes.get(0), reason);
    }

    @Test
    void aLeaderThatIsReachedAgainAfterItsNetworkWasAwayIsNotGone() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(0).breakConnection();
        job.network.after(10 * MILLI, nodes.get(0)::cutOff);
        job.network.after(4 * SECOND, nodes.get(0)::reconnectNetwork);
        job.network.run(60);

        assertThat(nodes).allSatisfy(node -> assertThat(job.heardBy(node)).isEmpty());
    }

    @Test
    void whoStoodStillTriesAgainBeforeALeaderIsGoneThatClosedItsConnection() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(1).breakConnection();
        job.network.after(10 * MILLI, nodes.get(1)::cutOff);
        job.network.after(3 * SECOND, () -> nodes.forEach(node -> node.freeze(10 * SECOND)));
        job.network.after(4 * SECOND, nodes.get(1)::reconnectNetwork);
        job.network.run(15);

        assertThat(job.heardBy(nodes.get(1))).isEmpty();
    }

    @Test
    void aLeaderOfAnotherRunIsNotTheLeaderAnyMore() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(0).kill();
        job.network.run(1);
        MemoryLink next = job.comes(0, "second");
        job.network.run(3);

        isLost(nodes.get(1), nodes.get(0), "its launcher was started again while the job was running");
        assertThat(job.heardBy(next)).isEmpty();
    }

    /** Ranks fail as soon as their peers are gone. The loss of the launcher is certain much later. */
    @Test
    void whatFailedBecauseTheLeaderWasGoneIsNotTheCause() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(0).kill();
        job.network.run(1);
        FaultlessJob.fails(nodes.get(1));
        FaultlessJob.fails(nodes.get(2));
        job.network.after(
                1900 * MILLI,
                () -> assertThat(nodes.subList(1, 3))
                        .allSatisfy(node -> isLost(node, nodes.get(0), "its launcher is gone (connection refused)")));
        job.network.run(3);
    }

    @Test
    void whoLosesItsLeaderAfterTheStopKeepsToTheStop() {
        List<MemoryLink> nodes = job.allCome();
        JobEnd end = FaultlessJob.fails(nodes.get(1));
        job.network.after(10 * MILLI, nodes.get(0)::kill);
        job.network.run(10);

        assertThat(job.verdictOf(nodes.get(2))).contains(end);
        assertThat(job.verdictOf(nodes.get(1))).contains(end);
    }

    @Test
    void whoHasSucceededNeedsNoLeader() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(0).kill();
        job.network.run(1);
        nodes.get(1).send(new LocalEvent.Succeeded(Optional.empty()));
        job.network.run(8);

        assertThat(job.heardBy(nodes.get(1))).containsExactly(new LinkEvent.MayLeave());
    }

    @Test
    void aLauncherThatStoodStillBlamesNobody() {
        MemoryLink leader = job.comes(0);
        MemoryLink member = job.comes(1);
        job.network.run(1);
        leader.freeze(90 * SECOND);
        member.freeze(90 * SECOND);
        job.network.run(100);

        assertThat(job.heardBy(leader)).isEmpty();
        assertThat(job.heardBy(member)).isEmpty();
    }

    @Test
    void whoSaidThatItLeavesIsNotLost() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(2).send(new LocalEvent.Left(143));
        nodes.get(2).close();
        job.network.run(70);

        assertThat(job.heardBy(nodes.get(0))).isEmpty();
        assertThat(nodes.get(0).report().nodes().get(2).state()).isEqualTo("left");
    }

    @Test
    void aLeaderThatSaidThatItLeavesIsNotLost() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(0).send(new LocalEvent.Left(143));
        nodes.get(0).close();
        job.network.run(70);
        assertThat(job.heardBy(nodes.get(1))).isEmpty();

        nodes.get(1).send(new LocalEvent.Succeeded(Optional.empty()));
        assertThat(job.heardBy(nodes.get(1))).containsExactly(new LinkEvent.MayLeave());
    }

    @Test
    void whoFollowsALeaderThatLeavesWithoutAWordEnds() {
        List<MemoryLink> nodes = job.allCome();
        FaultlessJob.plans(nodes.get(1), "8", "python train.py", true);
        nodes.get(0).send(new LocalEvent.Left(143));
        job.network.run(1);

        isLost(nodes.get(1), nodes.get(0), "its launcher left before it said how the job ended");
    }

    @Test
    void theLastWordsOfAMemberThatIsGoneStand() {
        List<MemoryLink> nodes = job.allCome();
        JobEnd end = FaultlessJob.fails(nodes.get(2));
        job.network.after(50 * MILLI, nodes.get(2)::kill);
        job.network.run(10);

        assertThat(job.verdictOf(nodes.get(1))).isEqualTo(Optional.of(end));
    }
}
