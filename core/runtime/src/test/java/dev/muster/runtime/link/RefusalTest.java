package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Launchers that refuse the job before the others have connected. */
class RefusalTest {

    private static JobEnd refuses(MemoryLink node) {
        return refuses(node, 65);
    }

    private static JobEnd refuses(MemoryLink node, int code) {
        JobEnd end = JobEnd.of(JobEnd.Kind.REFUSED, node.name(), Optional.of("host"), code, "a wrong table");
        node.send(new LocalEvent.Over(end, node.clock()));
        return end;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a member that refuses before the leader is there tells the launchers that come later")
    void aMemberThatIsThereFirstIsHeard(boolean required) {
        FaultlessJob job = new FaultlessJob(3, required);
        MemoryLink member = job.comes(1);
        JobEnd end = refuses(member);
        job.network.run(25);
        assertThat(job.verdictOf(member)).isEmpty();
        MemoryLink leader = job.comes(0);
        job.network.run(2);
        MemoryLink late = job.comes(2);
        job.network.run(2);

        assertThat(List.of(leader, member, late))
                .allSatisfy(node -> assertThat(job.verdictOf(node)).contains(end));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a leader that refuses before others are there stays half a minute to tell them")
    void aLeaderStaysForThoseWhoComeLater(boolean required) {
        FaultlessJob job = new FaultlessJob(3, required);
        MemoryLink leader = job.comes(0);
        JobEnd end = refuses(leader);
        job.network.run(20);
        assertThat(job.mayLeave(leader)).isFalse();
        MemoryLink member = job.comes(1);
        job.network.run(2);
        assertThat(job.verdictOf(member)).contains(end);
        member.send(new LocalEvent.Left(65));
        job.network.run(5);
        assertThat(job.mayLeave(leader)).isFalse();
        job.network.run(5);

        assertThat(job.mayLeave(leader)).isTrue();
    }

    @Test
    @DisplayName("a leader that refuses leaves as soon as all have heard it")
    void aLeaderLeavesWhenAllHaveHeard() {
        FaultlessJob job = new FaultlessJob(2, true);
        MemoryLink leader = job.comes(0);
        refuses(leader);
        job.network.run(5);
        MemoryLink member = job.comes(1);
        job.network.run(1);
        member.send(new LocalEvent.Left(65));
        job.network.run(1);

        assertThat(job.mayLeave(leader)).isTrue();
    }

    @Test
    @DisplayName("a leader does not stay for wrong options, since all nodes have them")
    void nobodyStaysForWrongOptions() {
        FaultlessJob job = new FaultlessJob(2, true);
        MemoryLink leader = job.comes(0);
        refuses(leader, 64);
        job.network.run(6);

        assertThat(job.mayLeave(leader)).isTrue();
    }

    /** Another launcher comes with another number of cards than the leader. The leader refuses it, and it leaves. */
    private static void doesNotFit(FaultlessJob job, MemoryLink leader) {
        MemoryLink member = job.comes(1);
        FaultlessJob.plans(leader, "8", "python train.py", false);
        FaultlessJob.plans(member, "4", "python train.py", false);
        job.network.run(3);
        member.send(new LocalEvent.Left(78));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a leader that refuses a launcher with other settings tells the launchers that come later")
    void aLeaderStaysWhereLaunchersDoNotFitTogether(boolean required) {
        FaultlessJob job = new FaultlessJob(3, required);
        MemoryLink leader = job.comes(0);
        doesNotFit(job, leader);
        job.network.run(5);
        assertThat(job.mayLeave(leader)).isFalse();
        MemoryLink late = job.comes(2);
        job.network.run(1);

        JobEnd end = job.verdictOf(leader).orElseThrow();
        assertThat(end.exitCode()).isEqualTo(78);
        assertThat(job.verdictOf(late)).contains(end);
        late.send(new LocalEvent.Left(78));
        job.network.run(1);
        assertThat(job.mayLeave(leader)).isTrue();
    }
}
