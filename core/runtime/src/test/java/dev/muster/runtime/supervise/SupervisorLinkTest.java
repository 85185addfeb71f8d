package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.LinkedNode.MAY_LEAVE;
import static dev.muster.runtime.supervise.LinkedNode.decided;
import static dev.muster.runtime.supervise.LinkedNode.failure;
import static dev.muster.runtime.supervise.LinkedNode.others;
import static dev.muster.runtime.supervise.LinkedNode.rank;
import static dev.muster.runtime.supervise.LinkedNode.stop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.process.Signals.ReceivedSignal;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Condition;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a node ends together with the other nodes. */
@Timeout(60)
class SupervisorLinkTest {

    private final LinkedNode node = new LinkedNode();
    private final ScriptedEffects effects = node.effects;
    private final ScriptedLink member = node.member;
    private final ScriptedLink leader = node.leader;

    @Test
    void anOrderFromElsewhereStopsTheRanksWithTheWholeGrace() throws InterruptedException {
        JobEnd end = failure("node-2", 3);
        member.answers(LocalEvent.Heeded.class, decided(end));
        effects.onStart("rank-1", id -> member.tell(new LinkEvent.Stop(end)));

        Verdict verdict = node.run(member, rank(0), rank(1));

        assertThat(verdict.cause()).isEqualTo(new Cause.Elsewhere(end));
        assertThat(ExitCodes.STANDARD.of(verdict.cause())).isEqualTo(3);
        assertThat(verdict.processes()).extracting(ProcessReport::stoppedByUs).containsOnly(true);
        assertThat(effects.log)
                .containsSubsequence(
                        "say: node 2 (gpu3): rank 4 (pid 71) ended with exit code 3 after 0.2 s; stopping 2 ranks (grace 5m)",
                        "TERM rank-0",
                        "TERM rank-1");
        assertThat(member.kinds()).containsOnlyOnce("Heeded").doesNotContain("Over", "Succeeded");
    }

    @Test
    void whatHappenedHereBeforeTheOrderWasHeardComesFirst() throws InterruptedException {
        JobEnd end = failure("node-2", 3);
        effects.onStart("rank-1", id -> {
            long now = node.events.now();
            node.events.post(new Event.OfPeer(new LinkEvent.Stop(end), now));
            node.events.post(Specs.ended("rank-0", 4, now - 1));
        });
        member.on(LocalEvent.Over.class, () -> member.tell(decided(member.over())));

        Verdict verdict = node.run(member, rank(0), rank(1));

        assertThat(verdict.cause()).isInstanceOf(Cause.ProcessFailed.class);
        assertThat(member.kinds()).contains("Over");
    }

    @Test
    void aFailureIsToldWithAllThatOthersNeed() throws InterruptedException {
        effects.ends("rank-0", 4);
        member.on(LocalEvent.Over.class, () -> member.tell(decided(member.over())));

        Verdict verdict = node.run(member, rank(0), rank(1));

        JobEnd told = member.over();
        assertThat(told.kind()).isEqualTo(JobEnd.Kind.FAILED);
        assertThat(told.launcher()).isEqualTo("node-1");
        assertThat(told.host()).contains("gpu2");
        assertThat(told.exitCode()).isEqualTo(4);
        assertThat(told.process()).contains("rank-0");
        assertThat(told.rank()).hasValue(0);
        assertThat(told.pid()).hasValue(100);
        assertThat(told.log()).contains("/logs/rank-0.log");
        assertThat(told.reason()).matches("rank 0 \\(pid 100\\) ended with exit code 4 after 0\\.\\d s");
        assertThat(verdict.cause()).isInstanceOf(Cause.ProcessFailed.class);
        assertThat(verdict.job().end()).contains(told);
        assertThat(member.kinds()).containsSubsequence("Started", "Ready", "Over", "Ended");
    }

    @Test
    void theEarlierEndOnAnotherNodeIsTheCause() throws InterruptedException {
        JobEnd earlier = failure("node-2", 3);
        effects.ends("rank-0", 4);
        member.on(LocalEvent.Over.class, () -> member.tell(new LinkEvent.Decided(earlier)));

        Verdict verdict = node.run(member, rank(0), rank(1));

        assertThat(verdict.cause()).isEqualTo(new Cause.Elsewhere(earlier));
        assertThat(verdict.processes().get(0).failed()).isTrue();
    }

    @Test
    void aSecondCauseAfterTheOrderChangesTheVerdictOnly() throws InterruptedException {
        JobEnd first = failure("node-2", 3);
        JobEnd earlier = failure("node-3", 5);
        member.answers(LocalEvent.Heeded.class, decided(earlier));
        effects.onStart("rank-0", id -> member.tell(new LinkEvent.Stop(first)));

        assertThat(node.run(member, rank(0)).cause()).isEqualTo(new Cause.Elsewhere(earlier));
        assertThat(effects.log).noneMatch(line -> line.contains("node 3"));
    }

    @Test
    void aVerdictThatDoesNotComeIsNotWaitedForLong() throws InterruptedException {
        effects.ends("rank-0", 4);
        member.on(LocalEvent.Over.class, () -> node.pass(Duration.ofSeconds(2)));

        Verdict verdict = node.run(member, rank(0));

        assertThat(verdict.cause()).isInstanceOf(Cause.ProcessFailed.class);
        assertThat(verdict.job().end()).isEmpty();
    }

    @Test
    void anOrderWithoutAVerdictIsTheCause() throws InterruptedException {
        JobEnd end = failure("node-2", 3);
        effects.onStart("rank-0", id -> member.tell(new LinkEvent.Stop(end)));
        member.on(LocalEvent.Heeded.class, () -> node.pass(Duration.ofSeconds(2)));

        assertThat(node.run(member, rank(0)).cause()).isEqualTo(new Cause.Elsewhere(end));
    }

    @Test
    void oneSignalToAllIsEverybodysOwn() throws InterruptedException {
        effects.onStart("rank-0", id -> effects.signalLauncher("TERM", 15));
        member.answers(LocalEvent.Over.class, decided(stop("node-0", 15)));

        assertThat(node.run(member, rank(0)).cause()).isEqualTo(new Cause.Interrupted(new ReceivedSignal("TERM", 15)));
        assertThat(member.over().kind()).isEqualTo(JobEnd.Kind.STOPPED);
        assertThat(member.over().exitCode()).isEqualTo(143);
        assertThat(member.over().signal()).hasValue(15);
        assertThat(member.over().reason()).startsWith("stopped by SIGTERM after ");
    }

    @Test
    void aSignalAfterAFailureElsewhereIsNotTheCause() throws InterruptedException {
        JobEnd end = failure("node-2", 3);
        effects.onStart("rank-0", id -> effects.signalLauncher("TERM", 15));
        member.answers(LocalEvent.Over.class, decided(end));

        assertThat(node.run(member, rank(0)).cause()).isEqualTo(new Cause.Elsewhere(end));
    }

    @Test
    void processesOfOtherLaunchersLetOursStart() throws InterruptedException {
        Condition ready = Condition.ready(List.of("sshd@node-1", "sshd@node-2"));
        leader.on(LocalEvent.Started.class, () -> {
            String started = ((LocalEvent.Started) leader.said.get(leader.said.size() - 1)).id();
            if (started.equals("first")) {
                leader.tell(new LinkEvent.ProcessIs("sshd@node-1", LinkEvent.State.READY));
                leader.tell(new LinkEvent.ProcessIs("sshd@node-2", LinkEvent.State.READY));
            } else if (started.equals("mpirun")) {
                leader.tell(new LinkEvent.ProcessIs("worker@node-1", LinkEvent.State.ENDED));
            }
        });
        effects.onStart("last", id -> {
            effects.end("first", 0);
            effects.end("mpirun", 0);
            effects.end("last", 0);
        });
        leader.answers(LocalEvent.Succeeded.class, MAY_LEAVE);

        node.run(
                leader,
                Specs.task("first"),
                Specs.task("mpirun", ready),
                Specs.task("last", Specs.exited("worker@node-1")));

        assertThat(effects.log).containsSubsequence("start first", "start mpirun", "start last");
    }

    @Test
    void aServiceIsReadyWhenThePlanSaysSo() throws InterruptedException {
        ProcessSpec sshd = ProcessSpec.service("sshd", Specs.launch()).withReadyWhen(Specs.exited("keys"));
        effects.onStart("sshd", id -> effects.end("keys", 0)).ends("job", 0);
        member.answers(LocalEvent.Succeeded.class, MAY_LEAVE);

        node.run(member, Specs.task("keys"), sshd, Specs.task("job", Condition.ready(List.of("sshd"))));

        assertThat(effects.log).containsSubsequence("start keys", "start sshd", "start job");
        assertThat(member.said)
                .filteredOn(said -> said instanceof LocalEvent.Ready)
                .extracting(said -> ((LocalEvent.Ready) said).process())
                .containsExactly("keys", "sshd", "job");
    }

    @Test
    void secretsDoNotLeaveTheNode() throws InterruptedException {
        effects.ends("rank-0", 0);
        member.on(LocalEvent.Over.class, () -> member.tell(decided(member.over())));

        node.run(
                others(member),
                Specs.cases(Specs.decides(Specs.exited("rank-0"), 75, "no answer to secret-value")),
                rank(0));

        assertThat(member.over().kind()).isEqualTo(JobEnd.Kind.OUTCOME);
        assertThat(member.over().reason()).isEqualTo("no answer to ******");
    }
}
