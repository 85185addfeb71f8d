package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.LinkedNode.MAY_LEAVE;
import static dev.muster.runtime.supervise.LinkedNode.SUCCESS;
import static dev.muster.runtime.supervise.LinkedNode.decided;
import static dev.muster.runtime.supervise.LinkedNode.failure;
import static dev.muster.runtime.supervise.LinkedNode.others;
import static dev.muster.runtime.supervise.LinkedNode.rank;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Outcome;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A launcher without running processes stays until the job no longer needs it. */
@Timeout(60)
class SupervisorExitDelayTest {

    private final LinkedNode node = new LinkedNode();
    private final ScriptedEffects effects = node.effects;
    private final ScriptedLink member = node.member;
    private final ScriptedLink leader = node.leader;

    @Test
    void aMemberThatHasSucceededWaitsUntilItMayLeave() throws InterruptedException {
        effects.ends("rank-0", 0);
        member.answers(LocalEvent.Succeeded.class, MAY_LEAVE);

        assertThat(node.run(member, rank(0)).cause()).isInstanceOf(Cause.Success.class);
        assertThat(member.kinds()).contains("Ended", "Succeeded").doesNotContain("Heeded", "Over");
    }

    @Test
    void theLeadersCodeIsTheJobs() throws InterruptedException {
        JobEnd end = failure("node-2", 3);
        effects.ends("rank-0", 0);
        leader.answers(LocalEvent.Succeeded.class, new LinkEvent.Stop(end))
                .answers(LocalEvent.Heeded.class, decided(end), MAY_LEAVE);

        Verdict verdict = node.run(leader, rank(0));

        assertThat(verdict.cause()).isEqualTo(new Cause.Elsewhere(end));
        assertThat(ExitCodes.STANDARD.of(verdict.cause())).isEqualTo(3);
        assertThat(leader.kinds()).containsSubsequence("Succeeded", "Heeded");
    }

    @Test
    void aLeaderThatHasSucceededStaysForTheOthersHoweverLong() throws InterruptedException {
        effects.ends("rank-0", 0);
        leader.on(LocalEvent.Succeeded.class, () -> {
            node.pass(Duration.ofDays(3));
            leader.tell(new LinkEvent.Decided(SUCCESS));
            leader.tell(MAY_LEAVE);
        });

        assertThat(node.run(leader, rank(0)).cause()).isInstanceOf(Cause.Success.class);
    }

    @Test
    void aStopOfTheLeaderThatHasSucceededStopsTheJob() throws InterruptedException {
        effects.ends("rank-0", 0);
        leader.on(LocalEvent.Succeeded.class, () -> effects.signalLauncher("TERM", 15))
                .on(LocalEvent.Over.class, () -> {
                    leader.tell(decided(leader.over()));
                    leader.tell(MAY_LEAVE);
                });

        Verdict verdict = node.run(leader, rank(0));

        assertThat(verdict.cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("TERM", 15)));
        assertThat(leader.over().exitCode()).isEqualTo(143);
    }

    @Test
    void aStopOfAMemberThatHasSucceededEndsOnlyItsWait() throws InterruptedException {
        effects.ends("rank-0", 0);
        member.on(LocalEvent.Succeeded.class, () -> effects.signalLauncher("TERM", 15));

        assertThat(node.run(member, rank(0)).cause()).isInstanceOf(Cause.Success.class);
    }

    @Test
    void aSecondSigintEndsAnyWait() throws InterruptedException {
        effects.onStart("rank-0", id -> effects.signalLauncher("INT", 2));
        leader.on(LocalEvent.Over.class, () -> effects.signalLauncher("INT", 2));

        assertThat(node.run(leader, rank(0)).cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("INT", 2)));
    }

    @Test
    void aNodeThatFollowsEndsWithTheJob() throws InterruptedException {
        effects.onStart("sshd", id -> member.tell(new LinkEvent.Decided(SUCCESS)));

        Verdict verdict = follow();

        assertThat(verdict.cause()).isEqualTo(new Cause.Elsewhere(SUCCESS));
        assertThat(ExitCodes.STANDARD.of(verdict.cause())).isZero();
        assertThat(effects.log)
                .containsSubsequence(
                        "say: node 0 (gpu1): all nodes have succeeded; stopping 1 process (grace 5m)", "TERM sshd");
        assertThat(member.kinds()).doesNotContain("Over", "Succeeded");
    }

    @Test
    void aNodeThatFollowsFailsWithItsOwnCode() throws InterruptedException {
        effects.ends("sshd", 5);
        member.on(LocalEvent.Over.class, () -> member.tell(decided(member.over())));

        assertThat(ExitCodes.STANDARD.of(follow().cause())).isEqualTo(5);
    }

    @Test
    void aSignalEndsTheStay() throws InterruptedException {
        JobEnd end = failure("node-2", 3);
        member.answers(LocalEvent.Heeded.class, decided(end))
                .on(LocalEvent.Heeded.class, () -> effects.signalLauncher("TERM", 15));
        effects.onStart("rank-0", id -> member.tell(new LinkEvent.Stop(end)));

        Verdict verdict =
                node.run(new PeerLink(member, false, Optional.of(Duration.ofHours(1))), Outcome.ALL_TASKS, rank(0));

        assertThat(verdict.cause()).isEqualTo(new Cause.Elsewhere(end));
    }

    private Verdict follow() throws InterruptedException {
        return node.run(others(member), Outcome.FOLLOWS_LEADER, Specs.service("sshd", false));
    }
}
