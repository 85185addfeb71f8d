package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How long a launcher stays after all processes of its node have ended. */
class ExitBarrierTest {

    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final JobEnd ELSEWHERE = JobEnd.of(
            JobEnd.Kind.LOST, "node-2", Optional.of("gpu3"), 75, "nothing was heard of its launcher for 60 s");
    private static final Cause OWN = new Cause.Decided(3, "it is over");

    private long now = 1000;
    private final Events clock = new Events(() -> now);
    private final ScriptedEffects effects = new ScriptedEffects(clock);

    private final ScriptedLink leader = ScriptedLink.ofLeader(clock);
    private final ScriptedLink member = ScriptedLink.ofMember(clock);

    @Test
    void aLauncherThatIsAloneGoesAtOnce() {
        assertThat(barrierOf(PeerLink.NONE, OWN).isOver()).isTrue();
    }

    @Test
    void theVerdictIsWaitedForTwoSeconds() {
        ExitBarrier barrier = barrierOf(others(member), OWN);

        assertThat(barrier.isOver()).isFalse();
        assertThat(barrier.nextCheck()).hasValue(now + seconds(2));
        pass(2);
        assertThat(barrier.isOver()).isTrue();
        assertThat(barrier.finalCause()).isEqualTo(OWN);
    }

    @Test
    void aMemberGoesWhenItHasHeardTheVerdict() {
        ExitBarrier barrier = barrierOf(others(member), OWN);

        barrier.onDecided(new LinkEvent.Decided(ELSEWHERE), now);

        assertThat(barrier.isOver()).isTrue();
        assertThat(barrier.finalCause()).isEqualTo(new Cause.Elsewhere(ELSEWHERE));
    }

    /** If mpirun may have ended a rank, the failure counts from the moment when mpirun reports it. */
    @Test
    void anEndThatIsKnownLateIsDecidedFromThenOn() {
        long happened = now;
        pass(3);
        ExitBarrier barrier = barrierOf(others(leader), OWN, happened);

        pass(1);
        assertThat(barrier.isOver()).isFalse();
        pass(1);
        assertThat(barrier.isOver()).isTrue();
    }

    @Test
    void aLeaderWaitsForTheOthersForTheirGraceAndFiveSeconds() {
        ExitBarrier barrier = barrierOf(others(leader), OWN);
        barrier.onDecided(new LinkEvent.Decided(ELSEWHERE), now);

        pass(34);
        assertThat(barrier.isOver()).isFalse();
        pass(1);
        assertThat(barrier.isOver()).isTrue();
    }

    @Test
    void aLeaderGoesWhenTheOthersAreGone() {
        ExitBarrier barrier = barrierOf(others(leader), OWN);
        barrier.onDecided(new LinkEvent.Decided(ELSEWHERE), now);

        assertThat(barrier.isOver()).isFalse();
        barrier.allowExit();
        assertThat(barrier.isOver()).isTrue();
    }

    @Test
    void aLeaderThatHasSucceededWaitsForFollowersForTheirGraceAndFiveSeconds() {
        ExitBarrier barrier = barrierOf(others(leader), new Cause.Success());

        pass(100_000);
        assertThat(barrier.isOver()).isFalse();
        barrier.onDecided(
                new LinkEvent.Decided(JobEnd.of(JobEnd.Kind.SUCCESS, "node-0", Optional.empty(), 0, "done")), now);
        pass(34);
        assertThat(barrier.isOver()).isFalse();
        pass(1);
        assertThat(barrier.isOver()).isTrue();
    }

    @Test
    void aLeaderTellsWhomItWaitsForWhenThatTakesTime() {
        ExitBarrier barrier = barrierOf(others(leader), new Cause.Success());
        leader.report =
                new LinkReport(List.of(node("node-0", "running"), node("node-1", "left"), node("node-2", "running")));

        barrier.isOver();
        assertThat(barrier.nextCheck()).hasValue(now + seconds(1));
        assertThat(effects.log).isEmpty();
        pass(5);
        barrier.isOver();
        pass(20);
        barrier.isOver();
        assertThat(effects.log).containsExactly("say: this node has succeeded; waiting for node 2 (host of node-2)");
        pass(10);
        barrier.isOver();
        assertThat(effects.log)
                .last()
                .isEqualTo(
                        "say: still waiting after 35s: this node has succeeded; waiting for node 2 (host of node-2)");
    }

    @Test
    void otherLaunchersThanTheOriginsMayStay() {
        ExitBarrier barrier = barrierOf(
                new PeerLink(member, false, Optional.of(Duration.ofSeconds(30))), new Cause.Elsewhere(ELSEWHERE));
        barrier.onDecided(new LinkEvent.Decided(ELSEWHERE), now);

        pass(29);
        assertThat(barrier.isOver()).isFalse();
        pass(1);
        assertThat(barrier.isOver()).isTrue();
    }

    @Test
    void aSignalEndsTheStay() {
        ExitBarrier barrier = barrierOf(
                new PeerLink(member, false, Optional.of(Duration.ofSeconds(30))), new Cause.Elsewhere(ELSEWHERE));

        barrier.onSignal();

        assertThat(barrier.isOver()).isTrue();
    }

    @Test
    void theOriginDoesNotWaitForThoseThatStay() {
        ExitBarrier barrier = barrierOf(new PeerLink(leader, false, Optional.of(Duration.ofSeconds(30))), OWN);
        JobEnd own = JobEnd.of(JobEnd.Kind.OUTCOME, "node-0", Optional.empty(), 3, "it is over");

        barrier.onDecided(new LinkEvent.Decided(own), now);

        assertThat(barrier.isOver()).isTrue();
        assertThat(barrier.finalCause()).isEqualTo(OWN);
    }

    @Test
    void nobodyStaysAfterAStop() {
        JobEnd stop = JobEnd.of(JobEnd.Kind.STOPPED, "node-2", Optional.empty(), 143, "stopped by SIGTERM");
        ExitBarrier barrier =
                barrierOf(new PeerLink(member, false, Optional.of(Duration.ofSeconds(30))), new Cause.Elsewhere(stop));

        barrier.onDecided(new LinkEvent.Decided(stop), now);

        assertThat(barrier.isOver()).isTrue();
    }

    @Test
    void aLauncherThatTheOthersLostEndsAsLost() {
        ExitBarrier barrier = barrierOf(others(member), OWN);
        JobEnd lost = JobEnd.of(JobEnd.Kind.LOST, "node-1", Optional.empty(), 75, "its launcher is gone");

        barrier.onDecided(new LinkEvent.Decided(lost), now);

        assertThat(barrier.finalCause()).isEqualTo(new Cause.Elsewhere(lost));
    }

    private ExitBarrier barrierOf(PeerLink others, Cause cause) {
        return barrierOf(others, cause, now);
    }

    /** @param when the cause happened; the launcher learns of it now */
    private ExitBarrier barrierOf(PeerLink others, Cause cause, long when) {
        AttemptState state = AttemptState.of(Specs.plan(Outcome.ALL_TASKS), Specs.times(GRACE), clock, effects, others);
        state.outcome().setCause(cause, when, now);
        return new ExitBarrier(state);
    }

    private static PeerLink others(ScriptedLink link) {
        return new PeerLink(link, false, Optional.empty());
    }

    private void pass(int seconds) {
        now += seconds(seconds);
    }

    private static long seconds(int seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private static LinkReport.NodeEnd node(String name, String state) {
        return new LinkReport.NodeEnd(
                name, Optional.of("host of " + name), state, OptionalInt.empty(), Optional.empty(), List.of());
    }
}
