package dev.muster.runtime.link;

import static dev.muster.runtime.link.FaultlessJob.lines;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What users hear about launchers that are missing, and about launchers that wait. */
class ArrivalReporterTest {

    @Test
    void whoIsThereSoonNeedsNoWords() {
        FaultlessJob job = new FaultlessJob(3, true);
        List<MemoryLink> nodes = job.allCome();
        job.network.run(120);

        assertThat(nodes).allSatisfy(node -> assertThat(lines(node)).isEmpty());
    }

    @Test
    void aLeaderThatNeedsAllSaysWhoIsMissing() {
        FaultlessJob job = new FaultlessJob(4, true);
        MemoryLink leader = job.comes(0);
        job.comes(1);
        job.network.run(4);
        assertThat(lines(leader)).isEmpty();

        job.network.run(6);
        assertThat(lines(leader)).containsExactly("2 of 4 nodes are here; not node 2 (gpu2); node 3 (gpu3), 5 s");
        job.comes(3);
        job.network.run(60);
        assertThat(lines(leader))
                .containsExactly(
                        "2 of 4 nodes are here; not node 2 (gpu2); node 3 (gpu3), 5 s",
                        "3 of 4 nodes are here; node 2 (gpu2) is not, 10 s",
                        "3 of 4 nodes are here; node 2 (gpu2) is not, 40 s");
        job.comes(2);
        job.network.run(3);
        assertThat(lines(leader)).endsWith("4 of 4 nodes are here");
    }

    @Test
    void aMemberSaysWhyItsLeaderCannotBeReached() {
        FaultlessJob job = new FaultlessJob(2, true);
        MemoryLink member = job.comes(1);
        job.network.run(30);
        assertThat(lines(member))
                .singleElement()
                .asString()
                .matches("node 0 \\(gpu0\\), which leads, cannot be reached: connection refused, [56] s");

        job.comes(0);
        job.network.run(2);
        assertThat(lines(member)).endsWith("node 0 (gpu0), which leads, is reached");
    }

    @Test
    void whoeverIsNotNeededIsNotedOnce() {
        FaultlessJob job = new FaultlessJob(3, false);
        MemoryLink leader = job.comes(0);
        job.comes(1);
        job.network.run(59);
        assertThat(lines(leader)).isEmpty();
        job.network.run(300);
        assertThat(lines(leader))
                .containsExactly("2 of 3 nodes are here; node 2 (gpu2) is not, 60 s. The job goes on. This node is not"
                        + " told how such a node ends, nor is that node told of others (see --link and --link-port)");
        job.comes(2);
        job.network.run(2);
        assertThat(lines(leader)).hasSize(2).endsWith("3 of 3 nodes are here");
    }

    @Test
    void aMemberThatNeedsNoLeaderSaysSoOnce() {
        FaultlessJob job = new FaultlessJob(2, false);
        MemoryLink member = job.comes(1);
        job.network.run(59);
        assertThat(lines(member)).isEmpty();
        job.network.run(300);

        assertThat(lines(member))
                .containsExactly("node 0 (gpu0), which leads, cannot be reached: connection refused, 60 s. This node"
                        + " goes on alone. It is not told how the others end, nor are they told how it ends"
                        + " (see --link and --link-port)");
        assertThat(job.heardBy(member)).isEmpty();
    }

    @Test
    void patienceEndsForALeader() {
        FaultlessJob job = new FaultlessJob(4, true);
        MemoryLink leader = job.comes(0);
        MemoryLink member = job.comes(1);
        job.network.run(299);
        assertThat(job.heardBy(leader)).isEmpty();
        job.network.run(4);

        JobEnd verdict = job.verdictOf(leader).orElseThrow();
        assertThat(verdict.exitCode()).isEqualTo(75);
        assertThat(verdict.where()).isEqualTo("node 2 (gpu2)");
        assertThat(verdict.reason()).isEqualTo("its launcher did not come within 5m; not there either: node 3 (gpu3)");
        assertThat(job.verdictOf(member)).contains(verdict);
    }

    @Test
    void patienceEndsForAMember() {
        FaultlessJob job = new FaultlessJob(2, true);
        MemoryLink member = job.comes(1);
        job.network.run(299);
        assertThat(job.heardBy(member)).isEmpty();
        job.network.run(3);

        JobEnd verdict = job.verdictOf(member).orElseThrow();
        assertThat(verdict.exitCode()).isEqualTo(75);
        assertThat(verdict.where()).isEqualTo("node 0 (gpu0)");
        assertThat(verdict.reason())
                .isEqualTo("its launcher, which leads, could not be reached (connection refused) within 5m");
    }

    @Test
    void withoutAPlatformASuccessIsNoneWhereSomebodyWasNeverMet() {
        for (int node = 0; node < 2; node++) {
            LinkSettings settings = withoutPlatform(new FaultlessJob(2, false).settings(node));
            Party party = node == 0
                    ? new Leader(settings, FaultlessJob.NO_LOG, 0)
                    : new Member(settings, FaultlessJob.NO_LOG, 0);
            party.onLocalEvent(new LocalEvent.Succeeded(Optional.empty()), 1);
            List<LinkEvent> early = pass(party, 1, 59);
            List<LinkEvent> late = pass(party, 60, 63);

            assertThat(early).isEmpty();
            JobEnd end = late.stream()
                    .filter(LinkEvent.Decided.class::isInstance)
                    .map(event -> ((LinkEvent.Decided) event).end())
                    .findFirst()
                    .orElseThrow();
            assertThat(end.exitCode()).isEqualTo(75);
            assertThat(end.where()).isEqualTo("node " + (1 - node) + " (gpu" + (1 - node) + ")");
            assertThat(end.reason()).contains(" within 1m");
        }
    }

    private static List<LinkEvent> pass(Party party, int from, int to) {
        List<LinkEvent> heard = new ArrayList<>();
        for (int second = from; second <= to; second++) {
            party.check(second * FaultlessJob.SECOND);
            heard.addAll(party.drainEvents());
        }
        return heard;
    }

    @Test
    void aMemberThatIsTurnedAwayGoesOnAloneWhereItMay() {
        Member member = new Member(new FaultlessJob(3, false).settings(1), FaultlessJob.NO_LOG, 0);
        member.onConnected("node-0", "run", 1);
        member.onDisconnected("node-0", "the job is ending", Disconnection.REFUSED, 2);
        member.onLocalEvent(new LocalEvent.Succeeded(Optional.empty()), 3);
        member.onDisconnected("node-0", "connection refused", Disconnection.NOBODY, 4);
        member.onDisconnected("node-0", "connection refused", Disconnection.NOBODY, 20 * FaultlessJob.SECOND);

        assertThat(member.drainEvents()).containsExactly(new LinkEvent.MayLeave());
    }

    @Test
    void allAreToldWhoWaitsForWhat() {
        FaultlessJob job = new FaultlessJob(3, false);
        List<MemoryLink> nodes = job.allCome();
        nodes.get(1).send(new LocalEvent.Awaiting(Optional.of("/user/config/jobstart_hccl.json")));
        job.network.run(10);

        String line = "node 1 (gpu1) waits for /user/config/jobstart_hccl.json";
        assertThat(lines(nodes.get(0))).containsExactly(line);
        assertThat(lines(nodes.get(1))).isEmpty();
        assertThat(lines(nodes.get(2))).containsExactly(line);

        job.network.run(30);
        assertThat(lines(nodes.get(2))).containsExactly(line, line);
        nodes.get(1).send(new LocalEvent.Awaiting(Optional.empty()));
        job.network.run(100);
        assertThat(lines(nodes.get(2))).containsExactly(line, line);
    }

    private static LinkSettings withoutPlatform(LinkSettings settings) {
        return new LinkSettings(
                settings.jobId(),
                settings.launchers(),
                settings.required(),
                true,
                settings.key(),
                settings.ports(),
                settings.lostAfter(),
                settings.grace(),
                settings.patience(),
                settings.run());
    }
}
