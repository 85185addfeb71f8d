package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.Said;
import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Launchers;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** How long an mpirun hears nothing of the end of ranks, on a clock that the tests move. */
class KeptEndsTest {

    private static final List<String> NODES = List.of("node-0", "node-1", "node-2");

    private static final Condition SERVED = new Condition.Exited(new TreeSet<>(List.of("mpirun@node-0")));

    private long now = Duration.ofMinutes(1).toNanos();
    private final Events clock = new Events(() -> now);
    private final ScriptedEffects world = new ScriptedEffects(clock);
    private final ConditionWatch conditions = new ConditionWatch(List.of(), () -> now, (met, when) -> {});

    @Test
    void theLeaderReleasesWhenTheRanksOfAllNodesHaveEnded() {
        ScriptedLink link = ScriptedLink.ofLeader(clock);
        KeptEnds ends = keptEnds("node-0", plan("node-0", SERVED), link);
        rankStarts(3);
        ends.begin();
        look(ends);
        conditions.ended("#ranks@node-1", now);
        conditions.ended("#ranks@node-2", now);
        look(ends);
        assertThat(world.log).containsExactly("ends are kept");
        assertThat(ended(link)).isEmpty();

        world.goneRanks.add(3);
        look(ends);

        assertThat(world.log).containsExactly("ends are kept", "ends are released");
        assertThat(ended(link)).containsExactly("#ranks", "#ranks-of-all");
        assertThat(ends.nextLook()).isEmpty();
    }

    @Test
    void aMemberTellsOfItsOwnAndWaitsForTheWordOfTheLeader() {
        ScriptedLink link = ScriptedLink.ofMember(clock);
        KeptEnds ends = keptEnds("node-1", plan("node-1", SERVED), link);
        ends.begin();
        look(ends);
        assertThat(ended(link)).containsExactly("#ranks");
        conditions.ended("#ranks@node-2", now);
        look(ends);
        assertThat(world.log).containsExactly("ends are kept");

        conditions.ended("#ranks-of-all@node-0", now);
        look(ends);

        assertThat(world.log).containsExactly("ends are kept", "ends are released");
    }

    @Test
    void nobodyWaitsForTheWordOfALeaderThatIsGone() {
        KeptEnds ends = keptEnds("node-1", plan("node-1", SERVED), ScriptedLink.ofMember(clock));
        ends.begin();
        ends.decided(lost("node-2"));
        look(ends);
        assertThat(world.log).containsExactly("ends are kept");

        ends.decided(lost("node-0"));
        look(ends);

        assertThat(world.log).containsExactly("ends are kept", "ends are released");
    }

    /** As under torchrun, which knows its own node only. */
    @Test
    void whereTheProcessHostsRanksOfOneNodeNothingIsKept() {
        ScriptedLink link = ScriptedLink.ofLeader(clock);
        KeptEnds ends = keptEnds("node-0", plan("node-0", Condition.IMMEDIATELY), link);
        ends.begin();
        look(ends);
        ends.end();

        assertThat(world.log).isEmpty();
        assertThat(ended(link)).isEmpty();
    }

    private KeptEnds keptEnds(String own, LaunchPlan plan, Link link) {
        Roster roster = new Roster(plan);
        Supervised process = roster.get("sshd");
        process.starting(now);
        process.started(world.start(process.spec()));
        world.log.clear();
        Others others = new Others(link, false, Optional.empty(), Optional.of(own));
        Company company = new Company(others, roster, StopTimes.withGrace(Duration.ofSeconds(30)), world);
        return new KeptEnds(plan, new RankWatch(roster, clock, world), company, conditions, world, clock);
    }

    /** @param until what the process waits for that hosts the ranks */
    private static LaunchPlan plan(String own, Condition until) {
        ProcessSpec sshd = ProcessSpec.task("sshd", Specs.launch())
                .hosts(new HostedRanks(new TreeSet<>(List.of("RANK")), until, 0, 0))
                .build();
        List<Launchers.Peer> peers = NODES.stream()
                .map(name -> new Launchers.Peer(name, Optional.empty()))
                .toList();
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .processes(List.of(sshd))
                .launchers(new Launchers(own, "node-0", peers, true, Optional.empty()))
                .build();
    }

    private void rankStarts(int rank) {
        world.startedRanks.add(new RankNotes.Started(rank, 71, 1));
        world.carriers.put(71L, Set.of("RANK"));
    }

    private void look(KeptEnds ends) {
        now += Duration.ofMillis(50).toNanos();
        ends.look();
    }

    private static JobEnd lost(String launcher) {
        return JobEnd.of(JobEnd.Kind.LOST, launcher, Optional.empty(), 75, "gone");
    }

    private static List<String> ended(ScriptedLink link) {
        return link.said.stream()
                .filter(Said.Ended.class::isInstance)
                .map(said -> ((Said.Ended) said).process())
                .toList();
    }
}
