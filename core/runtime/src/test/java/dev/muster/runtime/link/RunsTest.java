package dev.muster.runtime.link;

import static dev.muster.runtime.link.FaultlessJob.MILLI;
import static dev.muster.runtime.link.FaultlessJob.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Launchers of a job that may restart in place connect anew for each attempt. */
class RunsTest {

    private static final int LIMIT = 3;

    private final FaultlessJob job = new FaultlessJob(3, true);
    private final List<LinkRun> runs = new ArrayList<>(List.of(start(), start(), start()));

    private static LinkRun start() {
        return LinkRun.first(LIMIT);
    }

    private MemoryLink comes(int node) {
        return job.comes(node, runs.get(node));
    }

    private List<MemoryLink> allCome() {
        List<MemoryLink> nodes = List.of(comes(0), comes(1), comes(2));
        job.network.run(1);
        return nodes;
    }

    private static void isReady(MemoryLink node, String digest) {
        FaultlessJob.plans(node);
        node.send(new LocalEvent.Here(digest));
    }

    private List<MemoryLink> allBegin() {
        List<MemoryLink> nodes = allCome();
        nodes.forEach(node -> isReady(node, ""));
        job.network.run(1);
        nodes.forEach(node -> assertThat(begin(node)).as(node.name()).isPresent());
        return nodes;
    }

    private Optional<LinkEvent.Begin> begin(MemoryLink node) {
        return job.heardBy(node).stream()
                .filter(LinkEvent.Begin.class::isInstance)
                .map(LinkEvent.Begin.class::cast)
                .findFirst();
    }

    private Optional<Set<String>> replaced(MemoryLink node) {
        return job.heardBy(node).stream()
                .filter(LinkEvent.Complete.class::isInstance)
                .map(heard -> ((LinkEvent.Complete) heard).replaced())
                .reduce((first, last) -> last);
    }

    /** A launcher leaves its attempt, and connects for the next one. */
    private MemoryLink again(int node, MemoryLink last) {
        begin(last).ifPresent(begin -> runs.set(node, runs.get(node).begun(begin)));
        last.send(new LocalEvent.Left(3));
        last.close();
        LinkRun run = runs.get(node);
        runs.set(node, run.next(run.number() + 1));
        return comes(node);
    }

    private List<MemoryLink> allAgain(List<MemoryLink> last) {
        return List.of(again(0, last.get(0)), again(1, last.get(1)), again(2, last.get(2)));
    }

    private boolean isLost(MemoryLink node, int lost) {
        return job.verdictOf(node)
                .filter(end -> end.kind() == JobEnd.Kind.LOST && end.launcher().equals("node-" + lost))
                .isPresent();
    }

    /** One node may see a new rank table later than another. The others wait for it. */
    @Test
    void whoHasReadSomethingElseIsWaitedFor() {
        List<MemoryLink> nodes = allCome();
        FaultlessJob.plans(nodes.get(0), "8", "python train.py", false);
        FaultlessJob.plans(nodes.get(1), "8", "python train.py", false);
        FaultlessJob.plans(nodes.get(2), "4", "python train.py", false);
        nodes.get(0).send(new LocalEvent.Here("new"));
        nodes.get(1).send(new LocalEvent.Here("new"));
        nodes.get(2).send(new LocalEvent.Here("old"));
        job.network.run(30);
        assertThat(nodes).allSatisfy(node -> assertThat(begin(node)).isEmpty());
        isReady(nodes.get(2), "new");
        job.network.run(1);

        assertThat(nodes).allSatisfy(node -> assertThat(begin(node)).isPresent());
    }

    @Test
    void whoReadsSomethingElseForTooLongEndsTheJob() {
        List<MemoryLink> nodes = allCome();
        isReady(nodes.get(0), "new");
        isReady(nodes.get(1), "new");
        isReady(nodes.get(2), "old");
        job.network.run(302);

        assertThat(nodes).allMatch(node -> isLost(node, 2));
        assertThat(job.verdictOf(nodes.get(1)).orElseThrow().reason()).contains("it has read other files");
    }

    @Test
    void whatMustBeEqualIsComparedBeforeTheRun() {
        List<MemoryLink> nodes = allCome();
        FaultlessJob.plans(nodes.get(2), "4", "python train.py", false);
        nodes.get(2).send(new LocalEvent.Here(""));
        isReady(nodes.get(0), "");
        isReady(nodes.get(1), "");
        job.network.run(3);

        for (MemoryLink node : nodes) {
            assertThat(job.verdictOf(node).orElseThrow().exitCode()).isEqualTo(78);
            assertThat(begin(node)).isEmpty();
        }
    }

    @Test
    void launchersWithOtherLimitsEndTheJob() {
        runs.set(2, LinkRun.first(0));
        List<MemoryLink> nodes = allCome();
        job.network.run(3);

        for (MemoryLink node : nodes) {
            JobEnd end = job.verdictOf(node).orElseThrow();
            assertThat(end.exitCode()).isEqualTo(78);
            assertThat(end.reason())
                    .isEqualTo("restarts: 0 here and 3 on node 0 (gpu0); must be the same on all nodes");
        }
        nodes.get(1).send(new LocalEvent.Left(78));
        nodes.get(1).close();
        job.network.run(2);
        assertThat(job.heardBy(nodes.get(0))).anyMatch(LinkEvent.MayLeave.class::isInstance);
    }

    /** A node that is not in the new rank table waits for the next attempt. */
    @Test
    void whoIsLeftOutOfALaterRunEndsNothing() {
        List<MemoryLink> nodes = allAgain(allBegin());
        nodes.forEach(node -> isReady(node, ""));
        job.network.run(3);
        job.comes(3, start());
        job.network.run(3);

        assertThat(nodes).allSatisfy(node -> {
            assertThat(begin(node)).isPresent();
            assertThat(job.verdictOf(node)).isEmpty();
        });
    }

    @Test
    void aLeaderThatWakesInTimeLearnsOfTheSuccess() {
        List<MemoryLink> nodes = allBegin();
        nodes.get(0).send(new LocalEvent.Succeeded(Optional.empty()));
        nodes.get(0).freeze(40 * SECOND);
        job.network.run(1);
        nodes.get(1).send(new LocalEvent.Succeeded(Optional.empty()));
        nodes.get(2).send(new LocalEvent.Succeeded(Optional.empty()));
        job.network.run(42);

        assertThat(nodes)
                .allSatisfy(node ->
                        assertThat(job.verdictOf(node).orElseThrow().kind()).isEqualTo(JobEnd.Kind.SUCCESS));
    }

    /** The container comes while the leader stops its ranks, or before the leader knows that the node is lost. */
    @Test
    void aNewContainerThatComesTooEarlyJoinsTheNextRun() {
        List<MemoryLink> nodes = allBegin();
        nodes.get(2).kill();
        job.network.run(1);
        runs.set(2, start());
        MemoryLink fresh = comes(2);
        isReady(fresh, "");
        job.network.run(2);
        assertThat(isLost(nodes.get(0), 2)).isTrue();
        MemoryLink leader = again(0, nodes.get(0));
        MemoryLink member = again(1, nodes.get(1));
        isReady(leader, "");
        isReady(member, "");
        job.network.run(3);

        assertThat(List.of(leader, member, fresh))
                .allSatisfy(
                        node -> assertThat(begin(node).orElseThrow().number()).isEqualTo(2));
    }

    @Test
    void aNewLeaderLearnsTheCountFromItsMembers() {
        List<MemoryLink> nodes = allBegin();
        nodes.get(0).kill();
        job.network.run(7);
        assertThat(isLost(nodes.get(1), 0) && isLost(nodes.get(2), 0)).isTrue();
        MemoryLink first = again(1, nodes.get(1));
        MemoryLink second = again(2, nodes.get(2));
        isReady(first, "");
        isReady(second, "");
        job.network.run(30);
        assertThat(FaultlessJob.lines(first))
                .anyMatch(line -> line.contains("node 0 (gpu0), which leads, cannot be reached"));

        runs.set(0, start());
        MemoryLink leader = comes(0);
        isReady(leader, "");
        job.network.run(2);

        for (MemoryLink node : List.of(leader, first, second)) {
            assertThat(replaced(node)).contains(Set.of("node-0"));
            assertThat(job.heardBy(node)).contains(new LinkEvent.Complete(2, Set.of("node-0")));
            assertThat(begin(node).orElseThrow().number()).isEqualTo(2);
        }
    }

    /** Between two attempts no rank runs, so the loss of a launcher does not end the job. */
    @Test
    void whoIsKilledBetweenRunsIsReplaced() {
        List<MemoryLink> nodes = allBegin();
        FaultlessJob.fails(nodes.get(1));
        job.network.run(2);
        List<MemoryLink> next = allAgain(nodes);
        job.network.run(1);
        isReady(next.get(1), "");
        next.get(1).kill();
        next.get(0).kill();
        job.network.run(20);
        assertThat(job.verdictOf(next.get(2))).isEmpty();
        runs.set(0, start());
        runs.set(1, start());
        List<MemoryLink> there = List.of(comes(0), comes(1), next.get(2));
        there.forEach(node -> isReady(node, ""));
        job.network.run(3);

        for (MemoryLink node : there) {
            assertThat(begin(node).orElseThrow().number()).isEqualTo(2);
            assertThat(replaced(node)).contains(Set.of("node-0", "node-1"));
        }
    }

    @Test
    void aNodeThatWasTakenForLostJoinsTheNextRun() {
        List<MemoryLink> nodes = allBegin();
        nodes.get(2).freeze(70 * FaultlessJob.SECOND);
        nodes.get(2).cutOff();
        job.network.run(63);
        assertThat(isLost(nodes.get(0), 2)).isTrue();
        MemoryLink leader = again(0, nodes.get(0));
        MemoryLink member = again(1, nodes.get(1));
        isReady(leader, "");
        isReady(member, "");
        nodes.get(2).reconnectNetwork();
        nodes.get(2).breakConnection();
        job.network.run(10);

        assertThat(job.verdictOf(nodes.get(2)).orElseThrow().reason()).contains("the job has gone on to its run 2");
        MemoryLink back = again(2, nodes.get(2));
        isReady(back, "");
        job.network.run(2);
        for (MemoryLink node : List.of(leader, member, back)) {
            assertThat(begin(node).orElseThrow().number()).isEqualTo(2);
            assertThat(replaced(node)).contains(Set.of());
        }
    }

    @Test
    void aNodeWhosePlaceIsTakenEndsAlone() {
        List<MemoryLink> nodes = allBegin();
        nodes.get(2).cutOff();
        job.network.run(63);
        assertThat(isLost(nodes.get(2), 0)).isTrue();
        MemoryLink old = again(2, nodes.get(2));
        old.cutOff();
        MemoryLink leader = again(0, nodes.get(0));
        MemoryLink member = again(1, nodes.get(1));
        runs.set(2, start());
        MemoryLink fresh = comes(2);
        List.of(leader, member, fresh).forEach(node -> isReady(node, ""));
        job.network.run(3);
        assertThat(begin(fresh)).isPresent();
        old.reconnectNetwork();
        job.network.run(10);

        assertThat(job.verdictOf(old).orElseThrow().exitCode()).isEqualTo(75);
        assertThat(job.verdictOf(old).orElseThrow().reason()).contains("another launcher has taken the place");
        assertThat(List.of(leader, member, fresh))
                .allSatisfy(node -> assertThat(job.verdictOf(node)).isEmpty());
    }

    @Test
    void twoNodesOfOneIndexAreStillFoundInTheFirstRun() {
        List<MemoryLink> nodes = allCome();
        job.comes(1, start());
        job.network.run(3);

        assertThat(job.verdictOf(nodes.get(0)).orElseThrow().exitCode()).isEqualTo(78);
    }

    /** Probably the platform thinks that the first launcher is lost. That may be true soon. */
    @Test
    void aSecondLauncherOfANodeWaitsInLaterRuns() {
        List<MemoryLink> nodes = allBegin();
        FaultlessJob.fails(nodes.get(1));
        job.network.run(2);
        List<MemoryLink> next = allAgain(nodes);
        next.forEach(node -> isReady(node, ""));
        job.network.run(1);
        MemoryLink fresh = job.comes(2, start());
        isReady(fresh, "");
        job.network.run(20);

        assertThat(next).allSatisfy(node -> assertThat(job.verdictOf(node)).isEmpty());
        assertThat(job.verdictOf(fresh)).isEmpty();
        assertThat(FaultlessJob.lines(fresh))
                .anyMatch(line -> line.contains("another launcher of this node is there, and answers"));
    }

    @Test
    void anEndThatComesJustBeforeTheBeginIsTheEndOfTheJob() {
        List<MemoryLink> nodes = allCome();
        isReady(nodes.get(0), "");
        isReady(nodes.get(1), "");
        JobEnd stop = JobEnd.of(JobEnd.Kind.STOPPED, "node-1", Optional.empty(), 143, "stopped by SIGTERM");
        job.network.after(
                MILLI,
                () -> nodes.get(1).send(new LocalEvent.Over(stop, nodes.get(1).clock())));
        job.network.after(MILLI, () -> isReady(nodes.get(2), ""));
        job.network.run(3);

        // If the attempt has begun for one launcher, it has begun for all that are alive.
        long begun = nodes.stream().filter(node -> begin(node).isPresent()).count();
        assertThat(begun).isIn(0L, 3L);
        assertThat(nodes).allSatisfy(node -> assertThat(job.verdictOf(node)).contains(stop));
    }
}
