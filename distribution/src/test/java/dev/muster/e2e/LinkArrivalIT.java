package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Launchers of a job that come late, never, twice, or with other values that must be equal. */
@Order(1)
@Tag("repeated")
@ResourceLock("LinkArrivalIT") // Many of its tests start half a dozen launchers at once.
@ExtendWith(Scenes.class)
class LinkArrivalIT {

    private static final int NODES = 3;

    /** How late a launcher comes: as late as a build has time for. */
    private static final Duration LATE = Duration.ofSeconds(Repetitions.isFull() ? 20 : 3);

    private static LinkJob pytorch(Scene scene, TestHosts hosts, String name) {
        return new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, name);
    }

    /** Whether the engine can do without the link. The others need it, and refuse {@code --link off}. */
    private static boolean canDoWithout(LinkJob job) {
        return job.engine() == LinkEngine.ASCEND || job.engine() == LinkEngine.PYTORCH_GPU;
    }

    private static void assertNobodyEnds(Duration during, List<LinkJob> jobs) {
        assertThat(Await.holdsWithin(during, () -> jobs.stream().anyMatch(job -> !job.allRun())))
                .as("somebody ended")
                .isFalse();
    }

    /** The leader names a member that never came. The members name a leader that never came. */
    @Test
    void aNodeThatNeverComesIsNamedWhereTheLinkIsRequired(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> members = LinkJob.ofPlan(scene, hosts, LinkEngine.ASCEND, "never");
        List<LinkJob> leaders = LinkJob.ofPlan(scene, hosts, LinkEngine.TENSORFLOW_PS, "nobody");
        Stream.concat(members.stream(), leaders.stream())
                .forEach(job ->
                        job.with("--link", "required", "--input-timeout", "5s").script("note waits; exec sleep 600"));
        members.forEach(job -> job.startOnly(0, 1));
        leaders.forEach(job -> job.startOnly(1, 2));
        for (LinkJob job : members) {
            job.end(75);
            job.launchedSays(0, job.node(2));
        }
        for (LinkJob job : leaders) {
            job.end(75).forEach(result -> result.says(job.node(0)));
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    /** A closed port and an absent node look alike. Without a platform no one knows how an absent node ended. */
    @Test
    void withoutAPlatformThereIsNoSuccessWhereANodeNeverCame(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        LinkJob auto = pytorch(scene, hosts, "auto");
        LinkJob headless = pytorch(scene, hosts, "headless");
        LinkJob alone = pytorch(scene, hosts, "off").with("--link", "off");
        Stream.of(auto, headless, alone)
                .forEach(job -> job.with("--lost-after", "8s").script("exit 0"));
        auto.startOnly(0, 1);
        headless.startOnly(1);
        alone.startOnly(0);
        auto.launched(0).await().endedWith(75).says(auto.node(2), "did not come within 8s");
        auto.launched(1).await().endedWith(0);
        headless.end(75).forEach(result -> result.says(headless.node(0), "could not be reached"));
        alone.end(0);
        hosts.assertNothingIsLeft();
    }

    /** One job waits for a member, the other for the leader. In {@code ./verify --torture} every kind of plan does both. */
    @Test
    void aNodeThatComesLateIsWaitedFor(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> members = LinkJob.ofPlan(scene, hosts, LinkEngine.MPI, "member");
        List<LinkJob> leaders = LinkJob.ofPlan(scene, hosts, LinkEngine.PYTORCH_GPU, "leader");
        List<LinkJob> all = Stream.concat(members.stream(), leaders.stream()).toList();
        all.forEach(job -> job.with("--link", "required").whereOne(1, "exit 3"));
        members.forEach(job -> job.startOnly(0, 1));
        leaders.forEach(job -> job.startOnly(1, 2));
        assertNobodyEnds(LATE, all);
        members.forEach(job -> job.startAlso(2));
        leaders.forEach(job -> job.startAlso(0));
        all.forEach(LinkJob::awaitConnected);
        for (LinkJob job : all) {
            job.go(1);
            job.end(3).forEach(result -> result.says(job.engine().rank(1)));
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void twoLaunchersOfOneNodeAreRefusedOnAll(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofPlan(scene, hosts, LinkEngine.TENSORFLOW_PS, "twice");
        jobs.forEach(
                job -> job.claims(2, 1).script("note waits; exec sleep 600").startOnly(0, 1, 2));
        for (LinkJob job : jobs) {
            List<Result> results = job.end(78);
            results.forEach(result -> result.says("node 1"));
            results.get(0).says(job.host(1).address(), job.host(2).address());
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void anotherNumberOfNodesIsRefusedOnAll(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofPlan(scene, hosts, LinkEngine.TENSORFLOW_PS, "counts").stream()
                // With ascend the rank table has the number of nodes, and is the same on all nodes.
                .filter(job -> job.engine() != LinkEngine.ASCEND)
                .toList();
        jobs.forEach(job -> job.sees(1, 2).script("note waits; exec sleep 600").startOnly(0, 1, 2));
        for (LinkJob job : jobs) {
            job.end(78).forEach(result -> result.says(" 2", " 3"));
        }
        // A member counts more nodes than the leader, or has an index that the leader does not know. Each case has a
        // job
        // of its own: in one job the second member could come after the leader has ended.
        for (int other : new int[] {1, 2}) {
            LinkJob fewer = pytorch(scene, hosts, "short" + other).sees(0, 2);
            fewer.script("note waits; exec sleep 600").startOnly(0, other);
            fewer.end(78).forEach(result -> result.says(" 2 "));
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void unequalNumbersOfCardsAreRefusedOnAll(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob job = pytorch(scene, hosts, "cards")
                .hasCards(1, 2)
                .script("note waits; exec sleep 600")
                .startOnly(0, 1);
        job.end(78).forEach(result -> result.says("cards", "1", "2"));
        hosts.assertNothingIsLeft();
    }

    @Test
    void withoutTheLinkEachNodeIsOnItsOwn(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        List<LinkJob> jobs = LinkJob.ofPlan(scene, hosts, LinkEngine.ASCEND, "off").stream()
                .filter(LinkArrivalIT::canDoWithout)
                .toList();
        jobs.forEach(job -> job.with("--link", "off")
                .script("await go", "exit $((1 - me))")
                .startOnly(0, 1)
                .awaitNotes("waits"));
        hosts.assertNobodyListens();
        for (LinkJob job : jobs) {
            job.go(0);
            job.end(1, job.launched(0));
            assertThat(job.launched(1).isRunning()).isTrue();
            job.go(1);
            job.end(0, job.launched(1));
        }
        hosts.assertNothingIsLeft();
    }

    /** Each launcher finds this by itself. */
    @Test
    void whatNeedsTheLinkCannotSwitchItOff(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        for (LinkJob job : LinkJob.ofPlan(scene, hosts, LinkEngine.MPI, "needs")) {
            if (!canDoWithout(job)) {
                job.with("--link", "off").startOnly(1);
                job.end(78).forEach(result -> result.says("--link"));
            }
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void theFirstPortMayBeTaken(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob job = pytorch(scene, hosts, "taken").with("--link", "required").whereOne(1, "exit 3");
        int[] ports = ports(job);
        assertThat(ports).as("ports in the plan").hasSize(3);
        OnHost taken = job.host(0).listen(ports[0]);
        job.startAll().go(1);
        job.end(3).forEach(result -> result.says("rank 1"));
        taken.signal("KILL").await();
        hosts.assertNothingIsLeft();
    }

    private static int[] ports(LinkJob job) {
        JsonNode ports = job.plan(0).path("link").path("ports");
        return IntStream.range(0, ports.size())
                .map(index -> ports.get(index).asInt())
                .toArray();
    }

    /** The port that the user gives is taken, or all ports that follow from the job's id. */
    @Test
    void noPortAtAllIsARefusalWhereTheLinkIsRequired(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        int port = 24_321;
        LinkJob full = pytorch(scene, hosts, "full")
                .with("--link", "required", "--link-port", Integer.toString(port), "--input-timeout", "3s")
                .script("note waits; exec sleep 600");
        LinkJob needs = pytorch(scene, hosts, "needs")
                .with("--link", "required", "--input-timeout", "3s")
                .script("note waits; exec sleep 600");
        LinkJob goesOn =
                pytorch(scene, hosts, "goes-on").with("--lost-after", "8s").script("exit 0");
        List<OnHost> taken = new ArrayList<>();
        taken.add(full.host(0).listen(port));
        for (LinkJob job : List.of(needs, goesOn)) {
            taken.add(job.host(0).listen(ports(job)));
        }
        Stream.of(full, needs, goesOn).forEach(job -> job.startOnly(0, 1));
        assertThat(full.launched(0).await().exitCode()).isIn(69, 75);
        full.launchedSays(0, Integer.toString(port));
        full.end(75, full.launched(1));
        needs.end(75);
        needs.launchedSays(1, needs.node(0));
        needs.launchedSays(0, "are taken", "--link-port");
        goesOn.end(75);
        taken.forEach(listener -> listener.signal("KILL").await());
        hosts.assertNothingIsLeft();
    }

    @Test
    void theLeadersNameMayComeLate(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob job = pytorch(scene, hosts, "named")
                .with("--link", "required")
                .calls(0, "late-one")
                .whereOne(1, "exit 3")
                .startOnly(0, 1);
        assertNobodyEnds(Duration.ofSeconds(2), List.of(job));
        hosts.all().forEach(host -> host.learns("late-one", job.host(0).address()));
        // If the rank failed before the others had come, the job would not wait for them.
        job.awaitConnected().go(1);
        job.end(3).forEach(result -> result.says("rank 1"));
        hosts.assertNothingIsLeft();
    }

    /** Two engines get names, one gets addresses. In {@code ./verify --torture} all engines get names, too. */
    @Test
    void hostsMayHaveAddressesOfIpv6Only(Scene scene) {
        int nodes = 2;
        TestHosts hosts = TestHosts.in(scene, nodes);
        List<LinkJob> jobs = LinkJob.ofEveryEngine(scene, hosts, "names").stream()
                // A rank table has IPv4 addresses only.
                .filter(job -> job.engine() != LinkEngine.ASCEND)
                .filter(job -> Repetitions.isFull() || job.engine() != LinkEngine.PYTORCH_GPU)
                .collect(Collectors.toCollection(ArrayList::new));
        LinkJob literals = pytorch(scene, hosts, "literals");
        for (int node = 0; node < nodes; node++) {
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
        jobs.forEach(job -> job.with("--link", "required").whereOne(1, "exit 3").startOnly(0, 1));
        for (LinkJob job : jobs) {
            job.awaitConnected().go(1);
            job.end(3).forEach(result -> result.says(job.engine().rank(1)));
        }
        hosts.assertNothingIsLeft();
    }
}
