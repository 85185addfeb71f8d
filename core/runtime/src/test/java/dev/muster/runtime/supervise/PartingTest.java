package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How long a launcher stays when nothing of its node runs any more. */
class PartingTest {

    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final JobEnd ELSEWHERE = JobEnd.of(
            JobEnd.Kind.LOST, "node-2", Optional.of("gpu3"), 75, "nothing was heard of its launcher for 60 s");
    private static final Cause OWN = new Cause.Decided(3, "it is over");

    private long now = 1000;
    private final Events clock = new Events(() -> now);
    private final Roster roster = new Roster(Specs.plan(Outcome.ALL_TASKS));
    private final Ending ending = new Ending(Outcome.ALL_TASKS, StopTimes.withGrace(GRACE), roster, clock);
    private final List<String> lines = new ArrayList<>();

    private final ScriptedLink leader = ScriptedLink.ofLeader(clock);
    private final ScriptedLink member = ScriptedLink.ofMember(clock);

    @Test
    void aLauncherThatIsAloneGoesAtOnce() {
        ending.begin(OWN, now);

        assertThat(parting(Others.NONE).isOver()).isTrue();
    }

    @Test
    void theVerdictIsWaitedForTwoSeconds() {
        ending.begin(OWN, now);
        Parting parting = parting(others(member));

        assertThat(parting.isOver()).isFalse();
        assertThat(parting.nextLook()).hasValue(now + seconds(2));
        pass(2);
        assertThat(parting.isOver()).isTrue();
        assertThat(parting.settled()).isEqualTo(OWN);
    }

    @Test
    void aMemberGoesWhenItHasHeardTheVerdict() {
        ending.begin(OWN, now);
        Parting parting = parting(others(member));

        parting.decided(new Heard.Decided(ELSEWHERE), now);

        assertThat(parting.isOver()).isTrue();
        assertThat(parting.settled()).isEqualTo(new Cause.Elsewhere(ELSEWHERE));
    }

    /** A rank that its mpirun may have ended is an end only once mpirun tells. */
    @Test
    void anEndThatIsKnownLateIsDecidedFromThenOn() {
        long happened = now;
        pass(3);
        ending.begin(OWN, happened, now);
        Parting parting = parting(others(leader));

        pass(1);
        assertThat(parting.isOver()).isFalse();
        pass(1);
        assertThat(parting.isOver()).isTrue();
    }

    @Test
    void aLeaderWaitsForTheOthersForTheirGraceAndFiveSeconds() {
        ending.begin(OWN, now);
        Parting parting = parting(others(leader));
        parting.decided(new Heard.Decided(ELSEWHERE), now);

        pass(34);
        assertThat(parting.isOver()).isFalse();
        pass(1);
        assertThat(parting.isOver()).isTrue();
    }

    /** Those who come late shall hear of a refusal, however short the grace period is. */
    @Test
    void aLeaderStaysLongerForThoseWhoHaveNotComeToBeRefused() {
        ending.begin(OWN, now);
        Parting parting = parting(others(leader), Duration.ofSeconds(3));
        leader.report = new LinkReport(
                List.of(node("node-0", "running"), node("node-1", "left"), node("node-2", "never seen")));
        JobEnd refusal = JobEnd.of(JobEnd.Kind.REFUSED, "node-1", Optional.empty(), 78, "other cards");
        parting.decided(new Heard.Decided(refusal), now);

        assertThat(parting.isOver()).isFalse();
        pass(29);
        assertThat(parting.isOver()).isFalse();
        assertThat(lines)
                .containsExactly(
                        "staying to tell those who have not come yet: node 2 (host of node-2); a signal ends that");
        parting.signalled();
        assertThat(parting.isOver()).isTrue();
    }

    @Test
    void aLeaderGoesWhenTheOthersAreGone() {
        ending.begin(OWN, now);
        Parting parting = parting(others(leader));
        parting.decided(new Heard.Decided(ELSEWHERE), now);

        assertThat(parting.isOver()).isFalse();
        parting.mayLeave();
        assertThat(parting.isOver()).isTrue();
    }

    @Test
    void aLeaderThatHasSucceededWaitsForFollowersForTheirGraceAndFiveSeconds() {
        ending.begin(new Cause.Success(), now);
        Parting parting = parting(others(leader));

        pass(100_000);
        assertThat(parting.isOver()).isFalse();
        parting.decided(new Heard.Decided(JobEnd.of(JobEnd.Kind.SUCCESS, "node-0", Optional.empty(), 0, "done")), now);
        pass(34);
        assertThat(parting.isOver()).isFalse();
        pass(1);
        assertThat(parting.isOver()).isTrue();
    }

    @Test
    void aLeaderTellsWhomItWaitsForWhenThatTakesTime() {
        ending.begin(new Cause.Success(), now);
        Parting parting = parting(others(leader));
        leader.report =
                new LinkReport(List.of(node("node-0", "running"), node("node-1", "left"), node("node-2", "running")));

        parting.isOver();
        assertThat(parting.nextLook()).hasValue(now + seconds(5));
        assertThat(lines).isEmpty();
        pass(5);
        parting.isOver();
        pass(20);
        parting.isOver();
        assertThat(lines).containsExactly("this node has succeeded; waiting for node 2 (host of node-2)");
        pass(10);
        parting.isOver();
        assertThat(lines)
                .last()
                .isEqualTo("still waiting after 35s: this node has succeeded; waiting for node 2 (host of node-2)");
    }

    @Test
    void otherLaunchersThanTheOriginsMayStay() {
        ending.begin(ending.elsewhere(ELSEWHERE), now);
        Parting parting = parting(new Others(member, false, Optional.of(Duration.ofSeconds(30)), Optional.empty()));
        parting.decided(new Heard.Decided(ELSEWHERE), now);

        pass(29);
        assertThat(parting.isOver()).isFalse();
        pass(1);
        assertThat(parting.isOver()).isTrue();
    }

    @Test
    void aSignalEndsTheStay() {
        ending.begin(ending.elsewhere(ELSEWHERE), now);
        Parting parting = parting(new Others(member, false, Optional.of(Duration.ofSeconds(30)), Optional.empty()));

        parting.signalled();

        assertThat(parting.isOver()).isTrue();
    }

    @Test
    void theOriginDoesNotWaitForThoseThatStay() {
        ending.begin(OWN, now);
        Parting parting = parting(new Others(leader, false, Optional.of(Duration.ofSeconds(30)), Optional.empty()));
        JobEnd own = JobEnd.of(JobEnd.Kind.OUTCOME, "node-0", Optional.empty(), 3, "it is over");

        parting.decided(new Heard.Decided(own), now);

        assertThat(parting.isOver()).isTrue();
        assertThat(parting.settled()).isEqualTo(OWN);
    }

    @Test
    void nobodyStaysAfterAStop() {
        JobEnd stop = JobEnd.of(JobEnd.Kind.STOPPED, "node-2", Optional.empty(), 143, "stopped by SIGTERM");
        ending.begin(ending.elsewhere(stop), now);
        Parting parting = parting(new Others(member, false, Optional.of(Duration.ofSeconds(30)), Optional.empty()));

        parting.decided(new Heard.Decided(stop), now);

        assertThat(parting.isOver()).isTrue();
    }

    @Test
    void aLauncherThatTheOthersLostEndsAsLost() {
        ending.begin(OWN, now);
        Parting parting = parting(others(member));
        JobEnd lost = JobEnd.of(JobEnd.Kind.LOST, "node-1", Optional.empty(), 75, "its launcher is gone");

        parting.decided(new Heard.Decided(lost), now);

        assertThat(parting.settled()).isEqualTo(new Cause.Elsewhere(lost));
    }

    private Parting parting(Others others) {
        return parting(others, GRACE);
    }

    private Parting parting(Others others, Duration grace) {
        StopTimes times = StopTimes.withGrace(grace);
        Company company =
                new Company(others, roster, times, new ScriptedEffects(clock), roster.watch(Outcome.ALL_TASKS, clock));
        return new Parting(others, company, times, clock, WaitReporter.inLines(lines::add, () -> now), ending);
    }

    private static Others others(ScriptedLink link) {
        return new Others(link, false, Optional.empty(), Optional.empty());
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
