package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Launchers of a job that come late, never, twice, or with another idea of the job. */
@Tag("repeated")
@Execution(ExecutionMode.SAME_THREAD) // Each of its tests starts a dozen launchers at once.
@ExtendWith(Scenes.class)
class LinkArrivalIT {

    private static final int NODES = 3;

    /** How late somebody comes: what a build has time for. */
    private static final Duration LATE = Duration.ofSeconds(Repetitions.isFull() ? 20 : 3);

    private static final Duration LIMIT = Duration.ofSeconds(40);

    private static LinkJob pytorch(Scene scene, TestHosts hosts, String name) {
        return new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, name);
    }

    /** Engines that can do without the link: the others need it whatever the user says. */
    private static boolean canDoWithout(LinkJob job) {
        return job.engine() == LinkEngine.ASCEND || job.engine() == LinkEngine.PYTORCH_GPU;
    }

    private static void assertNobodyEnds(Duration during, List<LinkJob> jobs) {
        assertThat(Await.holdsWithin(during, () -> jobs.stream().anyMatch(job -> !job.allRun())))
                .as("somebody ended")
                .isFalse();
    }

    @Test
    void aNodeThatNeverComesIsNamedWhereTheLinkIsRequired(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofEveryPlan(scene, hosts, "never");
        jobs.forEach(job -> job.with("--link", "required", "--input-timeout", "5s")
                .script("note waits; exec sleep 600")
                .startOnly(0, 1));
        for (LinkJob job : jobs) {
            job.end(75).forEach(result -> result.tookLessThan(LIMIT));
            job.launchedSays(0, job.node(2));
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    /** The leader cannot know of whom it has never heard, and nobody else can say it. */
    @Test
    void aLeaderThatNeverComesIsNamedWhereTheLinkIsRequired(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofEveryPlan(scene, hosts, "nobody");
        jobs.forEach(job -> job.with("--link", "required", "--input-timeout", "5s")
                .script("note waits; exec sleep 600")
                .startOnly(1, 2));
        for (LinkJob job : jobs) {
            job.end(75).forEach(result -> result.tookLessThan(LIMIT).says(job.node(0)));
        }
        hosts.assertNothingIsLeft();
    }

    /** A closed port and an absent node look alike: a job that the link cannot be made for goes on as without it. */
    @Test
    void aNodeThatNeverComesHoldsNobodyUpElsewhere(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob job = pytorch(scene, hosts, "auto").script("exit 0").startOnly(0, 1);
        job.end(0).forEach(result -> result.tookLessThan(Duration.ofSeconds(15)));
        LinkJob without = pytorch(scene, hosts, "headless").script("exit 0").startOnly(1, 2);
        without.end(0).forEach(result -> result.tookLessThan(Duration.ofSeconds(15)));
        hosts.assertNothingIsLeft();
    }

    /** In every other job it is the leader; in {@code ./verify --torture} it is each in all. */
    @Test
    void aNodeThatComesLateIsWaitedFor(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> members = new ArrayList<>();
        List<LinkJob> leaders = new ArrayList<>();
        for (LinkJob job : LinkJob.ofEveryPlan(scene, hosts, "late")) {
            (members.size() > leaders.size() ? leaders : members).add(job);
        }
        if (Repetitions.isFull()) {
            leaders.addAll(LinkJob.ofEveryPlan(scene, hosts, "leader"));
            members.addAll(LinkJob.ofEveryPlan(scene, hosts, "member"));
        }
        List<LinkJob> all = Stream.concat(members.stream(), leaders.stream()).toList();
        all.forEach(job -> job.with("--link", "required").whereOne(1, "exit 3"));
        members.forEach(job -> job.startOnly(0, 1));
        leaders.forEach(job -> job.startOnly(1, 2));
        assertNobodyEnds(LATE, all);
        members.forEach(job -> job.startAlso(2));
        leaders.forEach(job -> job.startAlso(0));
        all.forEach(job -> job.awaitNotes("waits"));
        for (LinkJob job : all) {
            job.go(1);
            job.end(3).forEach(result -> result.says(job.engine().rank(1)));
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void twoLaunchersOfOneNodeAreRefusedOnAll(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofEveryPlan(scene, hosts, "twice");
        jobs.forEach(
                job -> job.claims(2, 1).script("note waits; exec sleep 600").startOnly(0, 1, 2));
        for (LinkJob job : jobs) {
            List<Result> results = job.end(78);
            results.forEach(result -> result.tookLessThan(LIMIT).says("node 1"));
            results.get(0).says(job.host(1).address(), job.host(2).address());
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void twoLaunchersThatBothLeadAreRefusedOnAll(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        // One can do without the link, one cannot.
        List<LinkJob> jobs = LinkJob.ofEveryEngine(scene, hosts, "leads").stream()
                .filter(job -> job.engine() == LinkEngine.PYTORCH_GPU || job.engine() == LinkEngine.MPI)
                .toList();
        jobs.forEach(
                job -> job.claims(1, 0).script("note waits; exec sleep 600").startOnly(0, 1, 2));
        for (LinkJob job : jobs) {
            job.end(78)
                    .forEach(result -> result.says(
                            "two launchers of this name",
                            job.node(0),
                            job.host(1).address()));
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void anotherNumberOfNodesIsRefusedOnAll(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofEveryEngine(scene, hosts, "counts").stream()
                // A rank table says how many nodes there are, and is the same on all.
                .filter(job -> job.engine() != LinkEngine.ASCEND)
                .toList();
        jobs.forEach(job -> job.sees(1, 2).script("note waits; exec sleep 600").startOnly(0, 1, 2));
        for (LinkJob job : jobs) {
            job.end(78).forEach(result -> result.tookLessThan(LIMIT).says(" 2", " 3"));
        }
        // Then one comes of whom the leader has never heard, or one counts more.
        LinkJob fewer = pytorch(scene, hosts, "short").sees(0, 2);
        fewer.script("note waits; exec sleep 600").startOnly(0, 1, 2);
        fewer.end(78).forEach(result -> result.tookLessThan(LIMIT).says(" 2 "));
        hosts.assertNothingIsLeft();
    }

    @Test
    void unequalNumbersOfCardsAreRefusedOnAll(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob job = pytorch(scene, hosts, "cards")
                .hasCards(1, 2)
                .script("note waits; exec sleep 600")
                .startOnly(0, 1, 2);
        job.end(78).forEach(result -> result.tookLessThan(LIMIT).says("cards", "1", "2"));
        hosts.assertNothingIsLeft();
    }

    @Test
    @DisplayName("1 what launchers are told of restarts must mean the same, in whatever words")
    void restartsMustMeanTheSame(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob same = pytorch(scene, hosts, "words")
                .behind(0, "env", "MUSTER_RESTARTS=1", "MUSTER_RESTART_ON=lost,failure", "MUSTER_RESTART_DELAY=5")
                .behind(1, "env", "MUSTER_RESTARTS=1", "MUSTER_RESTART_ON=1-255,lost", "MUSTER_RESTART_DELAY=5000ms")
                .behind(2, "env", "MUSTER_RESTARTS=1");
        LinkJob unlike = pytorch(scene, hosts, "unlike")
                .behind(0, "env", "MUSTER_RESTARTS=1")
                .behind(1, "env", "MUSTER_RESTARTS=1")
                .behind(2, "env", "MUSTER_RESTARTS=2");
        Stream.of(same, unlike).forEach(job -> job.script("exit 0").startOnly(0, 1, 2));
        same.end(0);
        unlike.end(78)
                .forEach(result -> result.tookLessThan(LIMIT)
                        .says("restarts", "must be the same")
                        .doesNotSay("result file"));
        hosts.assertNothingIsLeft();
    }

    @Test
    void withoutTheLinkEachNodeIsOnItsOwn(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofEveryEngine(scene, hosts, "off").stream()
                .filter(LinkArrivalIT::canDoWithout)
                .toList();
        jobs.forEach(job -> job.with("--link", "off")
                .script("await go", "exit $me")
                .startOnly(0, 1, 2)
                .awaitNotes("waits"));
        hosts.assertNobodyListens();
        for (LinkJob job : jobs) {
            job.go(1);
            job.end(1, job.launched(1));
            assertThat(job.launched(0).isRunning() && job.launched(2).isRunning())
                    .isTrue();
            job.go(0);
            job.go(2);
            job.end(0, job.launched(0));
            job.end(2, job.launched(2));
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void whatNeedsTheLinkCannotSwitchItOff(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        for (LinkJob job : LinkJob.ofEveryEngine(scene, hosts, "needs")) {
            if (!canDoWithout(job)) {
                job.with("--link", "off").startOnly(0, 1, 2);
                job.end(78).forEach(result -> result.says("--link"));
            }
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void theFirstPortMayBeTaken(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob job = pytorch(scene, hosts, "taken").with("--link", "required").whereOne(1, "exit 3");
        JsonNode ports = job.plan(0).path("link").path("ports");
        assertThat(ports).as("ports in the plan").hasSize(3);
        OnHost taken = job.host(0).listen(ports.get(0).asInt());
        job.startAll().go(1);
        job.end(3).forEach(result -> result.says("rank 1"));
        taken.signal("KILL").await();
        hosts.assertNothingIsLeft();
    }

    @Test
    void noPortAtAllIsARefusalWhereTheLinkIsRequired(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        int port = 24_321;
        LinkJob job = pytorch(scene, hosts, "full")
                .with("--link", "required", "--link-port", Integer.toString(port), "--input-timeout", "3s")
                .script("note waits; exec sleep 600");
        OnHost taken = job.host(0).listen(port);
        job.startOnly(0, 1, 2);
        assertThat(job.launched(0).await().exitCode()).isIn(69, 75);
        job.launchedSays(0, Integer.toString(port));
        job.end(75, job.launched(1), job.launched(2));
        taken.signal("KILL").await();
        hosts.assertNothingIsLeft();
    }

    @Test
    void allPortsOfTheJobsIdMayBeTaken(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob needs = pytorch(scene, hosts, "needs")
                .with("--link", "required", "--input-timeout", "3s")
                .script("note waits; exec sleep 600");
        LinkJob goesOn = pytorch(scene, hosts, "goes-on").script("exit 0");
        List<OnHost> taken = new ArrayList<>();
        for (LinkJob job : List.of(needs, goesOn)) {
            job.plan(0)
                    .path("link")
                    .path("ports")
                    .forEach(port -> taken.add(job.host(0).listen(port.asInt())));
            job.startOnly(0, 1, 2);
        }
        needs.end(75).forEach(result -> result.tookLessThan(LIMIT).says(needs.node(0)));
        needs.launchedSays(0, "are taken", "--link-port");
        goesOn.end(0);
        taken.forEach(listener -> listener.signal("KILL").await());
        hosts.assertNothingIsLeft();
    }

    @Test
    void theLeadersNameMayComeLate(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob job = pytorch(scene, hosts, "named")
                .with("--link", "required")
                .calls(0, "late-one")
                .whereOne(2, "exit 3")
                .startOnly(0, 1, 2);
        assertNobodyEnds(Duration.ofSeconds(2), List.of(job));
        hosts.all().forEach(host -> host.learns("late-one", job.host(0).address()));
        // Members ask for the name once a second at least; a job that failed before they came would not wait for them.
        assertNobodyEnds(Duration.ofSeconds(3), List.of(job));
        job.awaitNotes("waits").go(2);
        job.end(3).forEach(result -> result.says("rank 2"));
        hosts.assertNothingIsLeft();
    }

    @Test
    void hostsMayHaveAddressesOfIpv6Only(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofEveryEngine(scene, hosts, "names").stream()
                // Those of a rank table are IPv4.
                .filter(job -> job.engine() != LinkEngine.ASCEND)
                .collect(Collectors.toCollection(ArrayList::new));
        LinkJob literals = pytorch(scene, hosts, "literals");
        for (int node = 0; node < NODES; node++) {
            String address = "fd77::" + (10 + node);
            String name = "six-" + node;
            hosts.get(node).shell("ip address add " + address + "/64 dev eth0 nodad");
            hosts.all().forEach(host -> host.learns(name, address));
            for (LinkJob job : jobs) {
                job.calls(node, name);
            }
            literals.calls(node, address);
        }
        jobs.add(literals);
        jobs.forEach(job -> job.with("--link", "required").whereOne(2, "exit 3").startOnly(0, 1, 2));
        for (LinkJob job : jobs) {
            job.awaitNotes("waits").go(2);
            job.end(3).forEach(result -> result.says(job.engine().rank(2)));
        }
        hosts.assertNothingIsLeft();
    }
}
