package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Jobs on several hosts with {@code --restarts}: all nodes begin an attempt together, also after a node was lost or replaced. */
@Order(1)
@Execution(ExecutionMode.SAME_THREAD) // Many of its tests start half a dozen launchers at once.
@ExtendWith(Scenes.class)
class LinkRunsIT {

    private static final int NODES = 3;

    /** In attempt 1 all ranks wait, and one fails when the test says so. In attempt 2 all ranks succeed. */
    private static LinkJob whereOneFails(LinkJob job, int rank) {
        return job.script(
                "[ \"$MUSTER_RUN\" = 1 ] || { note run$MUSTER_RUN; exit 0; }",
                "[ $me != " + rank + " ] || { await go; exit 3; }",
                "note waits",
                "exec sleep 600");
    }

    /** In attempt 1 all ranks wait. In attempt 2 all ranks succeed. */
    private static LinkJob waiting(LinkJob job) {
        return job.with("--restarts", "3")
                .script("[ \"$MUSTER_RUN\" = 1 ] || { note run$MUSTER_RUN; exit 0; }", "note waits", "exec sleep 600");
    }

    /** Rank 1 fails in each attempt with another exit code. The delay before an attempt grows. */
    private static LinkJob failing(LinkJob job) {
        return job.with("--restarts", "5")
                .script(
                        "note waits",
                        "[ $MUSTER_RUN != 1 ] || [ $me != 1 ] || await go",
                        "[ $me != 1 ] || exit $((2 + MUSTER_RUN))",
                        "exec sleep 600");
    }

    private static LinkJob ofPyTorch(Scene scene, TestHosts hosts, String name) {
        return new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, name);
    }

    private static void startAll(TestHosts hosts, LinkJob... jobs) {
        List.of(jobs).forEach(job -> job.startOnly(nodes(hosts)));
        List.of(jobs).forEach(LinkJob::awaitConnected);
    }

    private static int[] nodes(TestHosts hosts) {
        return IntStream.range(0, hosts.count()).toArray();
    }

    private static List<OnHost> all(LinkJob job, TestHosts hosts) {
        return IntStream.range(0, hosts.count()).mapToObj(job::launched).toList();
    }

    /** Demands that these launchers, old and new ones, end with 0 in attempt 2. */
    private static void assertRunTwo(LinkJob job, List<OnHost> launchers) {
        job.awaitNotes("run2");
        job.end(0, launchers.toArray(OnHost[]::new));
        JsonNode whole = job.result(0);
        assertThat(whole.path("exitCode").asInt()).as("%s: %s", job.id(), whole).isZero();
        assertThat(whole.path("nodes")).as("%s: %s", job.id(), whole).hasSameSizeAs(launchers);
    }

    @Tag("repeated")
    @Test
    @DisplayName("a rank fails on one node: all nodes go on with the next attempt, and succeed")
    void aFailureIsFollowedByTheNextRunOfAllNodes(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = new ArrayList<>();
        for (LinkJob job : LinkJob.ofPlan(scene, hosts, LinkEngine.TENSORFLOW_PS, "fails")) {
            jobs.add(whereOneFails(job.with("--restarts", "3"), 1));
        }
        startAll(hosts, jobs.toArray(LinkJob[]::new));
        jobs.forEach(job -> job.go(1));
        for (LinkJob job : jobs) {
            assertRunTwo(job, all(job, hosts));
            assertThat(job.result(0).path("attempts")).as(job.id()).hasSize(2);
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    @Tag("repeated")
    @Test
    @DisplayName("a member or the leader is killed, and comes as a new container: it joins the next attempt")
    void aNewContainerJoinsTheNextRun(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> members = LinkJob.ofPlan(scene, hosts, LinkEngine.ASCEND, "member").stream()
                .map(LinkRunsIT::waiting)
                .toList();
        LinkJob leader = waiting(ofPyTorch(scene, hosts, "leader"));
        startAll(hosts, members.toArray(LinkJob[]::new));
        startAll(hosts, leader);
        for (int at = 0; at < members.size(); at++) {
            // Outer, whose JVM can still tell the other launchers, or the JVM, which cannot.
            if (at % 2 == 0) {
                members.get(at).launched(2).signal("KILL");
            } else {
                members.get(at).launched(2).killJvm();
            }
        }
        leader.launched(0).killJvm();
        members.forEach(job -> job.launched(2).await());
        leader.launched(0).await();
        List<OnHost> fresh = members.stream().map(job -> job.start(2)).toList();
        OnHost freshLeader = leader.start(0);
        for (int at = 0; at < members.size(); at++) {
            LinkJob job = members.get(at);
            assertRunTwo(job, List.of(job.launched(0), job.launched(1), fresh.get(at)));
        }
        assertRunTwo(leader, List.of(freshLeader, leader.launched(1), leader.launched(2)));
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    @Test
    @DisplayName("a lost leader or member that does not come back ends the job with 75 after --input-timeout")
    void whoNeverComesBackEndsTheJob(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob leader = waiting(ofPyTorch(scene, hosts, "leader")).with("--input-timeout", "8s");
        LinkJob member = waiting(ofPyTorch(scene, hosts, "member")).with("--input-timeout", "8s");
        startAll(hosts, leader, member);
        leader.launched(0).killJvm();
        member.launched(1).killJvm();
        leader.end(75, leader.launched(1))
                .forEach(result -> result.says(leader.node(0), "could not be reached", "within 8s"));
        member.end(75, member.launched(0)).forEach(result -> result.says(member.node(1), "did not come within 8s"));
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    @Test
    @DisplayName("SIGTERM to any launcher between attempts, or while it waits for others: 143 on all nodes")
    void aStopBetweenRunsStopsAll(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob pause = failing(ofPyTorch(scene, hosts, "pause")).onTheFirst(2);
        LinkJob first = failing(ofPyTorch(scene, hosts, "first")).onTheFirst(2);
        LinkJob waits = waiting(ofPyTorch(scene, hosts, "waits"));
        Stream.of(pause, first).forEach(job -> job.startOnly(0, 1));
        startAll(hosts, waits);
        Stream.of(pause, first).forEach(LinkJob::awaitConnected);
        waits.launched(2).killJvm();
        pause.go(1);
        first.go(1);
        pause.launched(1).awaitMessage("run 5 begins in 8s");
        first.launched(0).awaitMessage("run 5 begins in 8s");
        pause.launched(1).signal("TERM");
        first.launched(0).signal("TERM");
        for (LinkJob job : List.of(pause, first)) {
            for (Result result : job.end(143)) {
                result.says("SIGTERM", "run 4 had ended with", "run 5 had not begun");
                assertThat(result.messages()).doesNotContain("nothing was started");
            }
        }
        waits.launched(1).awaitMessage("run 2 begins in");
        waits.launched(0).awaitMessage("2 of 3 nodes are here; " + waits.node(2));
        waits.launched(1).signal("TERM");
        waits.end(143, waits.launched(0), waits.launched(1));
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    /** A launcher whose ranks have ended waits for the next attempt already, while another node still stops its ranks. */
    @Test
    @DisplayName("SIGTERM to any launcher during the grace of one node: 143 on all nodes, no next attempt")
    void aStopDuringTheGraceOfOneNodeStopsAll(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = IntStream.range(0, NODES)
                .mapToObj(told -> ofPyTorch(scene, hosts, "grace" + told)
                        .with("--restarts", "3")
                        .script(
                                "[ \"$MUSTER_RUN\" = 1 ] || { note run$MUSTER_RUN; exit 0; }",
                                "[ $me != 0 ] || { await go; exit 3; }",
                                "[ $me != 1 ] || trap 'note asked' TERM",
                                "note waits",
                                "until [ -e $notes/never ]; do sleep 0.1; done"))
                .toList();
        // The signal goes to node 0 or 1 of a job of two nodes, or to node 2 of a job of three.
        jobs.subList(0, 2).forEach(job -> job.onTheFirst(2).startOnly(0, 1));
        jobs.get(2).startOnly(0, 1, 2);
        jobs.forEach(LinkJob::awaitConnected);
        jobs.forEach(job -> job.go(0));
        for (int told = 0; told < NODES; told++) {
            LinkJob job = jobs.get(told);
            Await.until("rank 1 is asked to end", () -> job.notes().has("asked", 1));
            job.launched(told).signal("TERM");
        }
        for (LinkJob job : jobs) {
            job.end(143).forEach(result -> result.says("SIGTERM"));
            assertThat(IntStream.range(0, NODES).filter(rank -> job.notes().has("run2", rank)))
                    .as(job.id())
                    .isEmpty();
            assertThat(job.result(0).path("attempts")).as(job.id()).hasSize(1);
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    @Test
    @DisplayName("no restart is left: all nodes end with the code of the last attempt, and tell the number of attempts")
    void theBudgetIsTheJobs(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob job = ofPyTorch(scene, hosts, "budget")
                .with("--restarts", "1", "--link-port", "29417")
                .script(
                        "note up-$MUSTER_RUN",
                        "until [ -e $notes/up-$MUSTER_RUN-0 ] && [ -e $notes/up-$MUSTER_RUN-1 ]; do sleep 0.02; done",
                        "[ $me != $((2 - MUSTER_RUN)) ] || exit $((2 + MUSTER_RUN))",
                        "exec sleep 600")
                .startOnly(0, 1);
        job.end(4).forEach(result -> result.says("after 2 runs"));
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    /** The node that is cut off declares its leader lost, too. The test demands that all nodes connect again. */
    @Test
    @DisplayName("a node was lost and its network comes back: the same launcher joins the next attempt")
    void whoIsReachedAgainJoinsTheNextRun(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob member = waiting(ofPyTorch(scene, hosts, "member")).with("--lost-after", "6s");
        LinkJob leader = waiting(ofPyTorch(scene, hosts, "leader")).from(1).with("--lost-after", "6s");
        startAll(hosts, member, leader);
        hosts.get(1).losesItsNetwork();
        member.launched(0).awaitMessage("run 2 begins in");
        leader.launched(1).awaitMessage("run 2 begins in");
        hosts.get(1).hasItsNetworkAgain();
        for (LinkJob job : List.of(member, leader)) {
            assertRunTwo(job, all(job, hosts));
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    /** {@code --restart-on} allows a restart after one failure, not after the other. The leader decides once which was first. */
    @Tag("repeated")
    @Test
    @DisplayName("two nodes fail at the same time with different codes: the same decision on all nodes")
    void twoFailuresAtTheSameTimeAreOneDecision(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = IntStream.range(0, Repetitions.isFull() ? 3 : 1)
                .mapToObj(count -> ofPyTorch(scene, hosts, "both" + count)
                        .with("--restarts", "1", "--restart-on", "3")
                        .script(
                                "[ \"$MUSTER_RUN\" = 1 ] || exit 0",
                                "[ $me = 0 ] || { await go; exit $((2 + me)); }",
                                "note waits",
                                "exec sleep 600"))
                .toList();
        startAll(hosts, jobs.toArray(LinkJob[]::new));
        jobs.forEach(job -> {
            job.go(1);
            job.go(2);
        });
        for (LinkJob job : jobs) {
            List<Result> results = all(job, hosts).stream().map(OnHost::await).toList();
            assertThat(results.stream().map(Result::exitCode).distinct())
                    .as("%s", results)
                    .hasSize(1)
                    .isSubsetOf(0, 4);
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    /** Only the rank table names the nodes here, so the next table names the launchers of the next attempt. */
    @Test
    @DisplayName("a node is lost, and the new rank table does not have it: the others go on alone")
    void theNextTableMayHaveFewerNodes(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkNotes notes = new LinkNotes(scene.beside("notes"));
        Path table = scene.beside("table.json");
        Scene.write(table, table(hosts, NODES));
        Path script = scene.beside("rank.sh");
        Scene.write(
                script,
                String.join(
                        "\n",
                        "#!/bin/sh",
                        "me=$RANK_ID",
                        notes.words(),
                        "[ $MUSTER_RUN = 1 ] || { note run$MUSTER_RUN-of-$RANK_SIZE; exit 0; }",
                        "note waits",
                        "exec sleep 600\n"));
        script.toFile().setExecutable(true, false);
        List<OnHost> launchers = IntStream.range(0, NODES)
                .mapToObj(node -> new OnHost(
                        ofTable(scene, hosts.get(node), table, script).start()))
                .toList();
        notes.await("waits", NODES, () -> launchers.get(0).messages());
        launchers.get(2).killJvm();
        launchers.get(0).awaitMessage("run 2 begins in");
        Scene.write(table, RankTables.initializing(table(hosts, 2)));
        launchers.get(1).awaitMessage("run 2 begins in");
        Scene.write(table, table(hosts, 2));
        notes.await("run2-of-2", 2, () -> launchers.get(0).messages());
        launchers.subList(0, 2).forEach(launcher -> launcher.await().endedWith(0));
        launchers.get(2).await();
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    private static String table(TestHosts hosts, int nodes) {
        return RankTables.templateOne(hosts.all()
                .limit(nodes)
                .map(host -> RankTables.server(host.address(), "0 10.79.0." + (1 + host.index())))
                .toArray(RankTables.Pod[]::new));
    }

    private static Invocation ofTable(Scene scene, TestHost host, Path table, Path script) {
        Invocation launcher = scene.muster("--engine", "ascend", "--platform", "none", "--job-id", "tables")
                .with("--rank-table", table.toString())
                .with("--log-dir", TestHost.LOGS, "--grace", "3s", "--restarts", "2")
                .with("--", script.toString())
                .behind(TestHost.AS_USER)
                .set("HOME", TestHost.USER_HOME);
        return host.here(launcher, TestHost.USER_HOME);
    }

    /** A signal to the node that has succeeded is a signal to the job. */
    @Test
    @DisplayName("a node has succeeded when another fails: it takes part in the next attempt; SIGTERM to it stops all")
    void whoHasSucceededIsThereForTheNextRun(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob early = early(ofPyTorch(scene, hosts, "early"));
        LinkJob told = early(ofPyTorch(scene, hosts, "told"));
        startAll(hosts, early, told);
        early.go(0);
        assertRunTwo(early, all(early, hosts));
        told.launched(1).signal("TERM");
        told.end(143);
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    private static LinkJob early(LinkJob job) {
        return job.with("--restarts", "3")
                .script(
                        "[ \"$MUSTER_RUN\" = 1 ] || { note run$MUSTER_RUN; exit 0; }",
                        "[ $me != 1 ] || { note waits; exit 0; }",
                        "await go",
                        "exit 3");
    }

    @Test
    @DisplayName("without the link, or with other restarts on another node: 78, and nothing starts")
    void whatCannotAgreeIsRefused(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob off = ofPyTorch(scene, hosts, "off")
                .with("--restarts", "1", "--link", "off")
                .script("note waits");
        LinkJob others = ofPyTorch(scene, hosts, "others").script("note waits");
        // Each launcher finds this by itself.
        off.startOnly(0).end(78).forEach(result -> result.says("--restarts=1 needs a link"));
        others.behind(0, "env", "MUSTER_RESTARTS=1").behind(1, "env", "MUSTER_RESTARTS=2");
        others.startOnly(0, 1);
        others.end(78)
                .forEach(result -> result.says("restarts: 2 here and 1 on " + others.node(0), "must be the same")
                        .doesNotSay("result file"));
        assertThat(off.notes().has("waits", 0) || others.notes().has("waits", 1))
                .isFalse();
        hosts.assertNothingIsLeft();
    }
}
