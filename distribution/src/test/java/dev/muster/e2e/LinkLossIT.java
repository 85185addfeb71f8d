package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Jobs on three hosts, one of which loses its network. Kinds of plan take turns; in {@code ./verify --torture} every one is tried, on the
 * same hosts.
 */
@Tag("repeated")
@Execution(ExecutionMode.SAME_THREAD) // In the torture each of its tests starts a dozen launchers at once.
@ExtendWith(Scenes.class)
class LinkLossIT {

    private static final int NODES = 3;

    /** Less than what is given to a launcher to come again, and more than any retry of a connection. */
    private static final Duration BREAK = Duration.ofSeconds(5);

    private static boolean runAll(List<LinkJob> jobs) {
        return jobs.stream()
                .allMatch(job ->
                        Stream.of(0, 1, 2).allMatch(node -> job.launched(node).isRunning()));
    }

    /**
     * In half of the jobs the lost host is the last node, in the others the leader, but for MPI's: {@link MpiFaultsIT}. Who is cut off
     * ends by itself. The leader of one more job is deleted before, as a pod is: it closes its connections, and then its address is gone;
     * it is missed long before {@code --lost-after} is over. TensorFlow's nodes are not alike either: who of them is killed is in {@link TfJobIT}.
     */
    @Test
    void aHostThatIsCutOffEndsTheJobOnBothSidesAndALeaderWhoseAddressIsGoneIsMissedSoon(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> members = LinkJob.ofPlan(scene, hosts, LinkEngine.MPI, "member");
        List<LinkJob> leaders = LinkJob.ofPlan(scene, hosts, LinkEngine.ASCEND, "leader").stream()
                .filter(job -> job.engine().supervisesItsRanks())
                .toList();
        leaders.forEach(job -> job.from(2));
        List<LinkJob> known = Stream.concat(members.stream(), leaders.stream()).toList();
        known.forEach(job -> job.with("--lost-after", "6s"));
        LinkJob deleted = new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, "deleted").from(2);
        List<LinkJob> all = Stream.concat(known.stream(), Stream.of(deleted)).toList();
        all.forEach(job -> job.script("note waits; exec sleep 600"));
        all.forEach(job -> job.startOnly(0, 1, 2));
        all.forEach(LinkJob::awaitConnected);
        deleted.launched(0).killContainer();
        Await.until(
                "the leader's connections are closed",
                () -> Stream.of(1, 2).allMatch(node -> deleted.launched(node).connections() == 0));
        hosts.get(2).expectsFiles(); // Nobody could take them away.
        hosts.get(2).losesItsNetwork();
        for (LinkJob job : members) {
            List<Result> results = job.end(75);
            results.get(0).says(job.node(2));
            results.get(1).says(job.node(2));
            results.get(2).says(job.node(0));
        }
        for (LinkJob job : leaders) {
            List<Result> results = job.end(75);
            results.get(1).says(job.node(0));
            results.get(2).says(job.node(0));
        }
        deleted.end(75, deleted.launched(1), deleted.launched(2))
                .forEach(result -> result.says(deleted.node(0), "gone"));
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    /** Its leader has been silent for longer than it is patient with one, and has left. */
    @Test
    void whoStoodStillHearsWhatWasSaidBeforeItTakesAnybodyForSilent(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        List<LinkJob> jobs = Stream.of("one", "two", "three", "four")
                .map(name -> new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, name)
                        .with("--lost-after", "9s", "--link", "required")
                        .script("note waits; exec sleep 600")
                        .startOnly(0))
                .toList();
        // Who has connected may not have said who it is yet.
        jobs.forEach(job -> job.launched(0).awaitMessage("1 of 2 nodes are here"));
        jobs.forEach(job -> job.startAlso(1));
        jobs.forEach(job -> job.launched(0).awaitMessage("2 of 2 nodes are here"));
        // One after the other: on a busy machine it takes seconds to freeze one, and its leader must not miss it before
        // it is told to stop.
        jobs.forEach(job -> {
            job.launched(1).freezeContainer();
            job.launched(0).signal("TERM");
        });
        jobs.forEach(job -> job.end(143, job.launched(0)));
        jobs.forEach(job -> job.launched(1).thawContainer());
        for (LinkJob job : jobs) {
            job.end(143, job.launched(1)).forEach(result -> result.says(job.node(0), "SIGTERM"));
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void aBreakOfTheNetworkThatHealsIsNone(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> all = Repetitions.isFull()
                ? LinkJob.ofEveryPlan(scene, hosts, "heals")
                : Stream.of(LinkEngine.MPI, LinkEngine.PYTORCH_GPU)
                        .map(engine -> new LinkJob(scene, hosts, engine, LinkJob.Form.OPTIONS, "heals"))
                        .toList();
        // In every other job it is the leader's.
        for (int at = 1; at < all.size(); at += 2) {
            all.get(at).from(2);
        }
        all.forEach(job -> job.script("await go", "note goes-on"));
        all.forEach(job -> job.startOnly(0, 1, 2));
        all.forEach(LinkJob::awaitConnected);
        hosts.get(2).losesItsNetwork();
        assertThat(Await.holdsWithin(BREAK, () -> !runAll(all)))
                .as("somebody ended: %s", all)
                .isFalse();
        hosts.get(2).hasItsNetworkAgain();
        for (LinkJob job : all) {
            for (int rank = 0; rank < NODES; rank++) {
                job.go(rank);
            }
        }
        for (LinkJob job : all) {
            job.end(0).forEach(result -> result.doesNotSay("lost"));
        }
        hosts.assertNothingIsLeft();
    }

    /** The connections are new then, and what happened meanwhile is told over them. */
    @Test
    void whatHappensDuringABreakIsToldAfterIt(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofPlan(scene, hosts, LinkEngine.TENSORFLOW_PS, "broken").stream()
                .filter(job -> job.engine().supervisesItsRanks())
                .toList();
        jobs.forEach(job -> job.whereOne(2, "note fails; exit 5"));
        jobs.forEach(job -> job.startOnly(0, 1, 2));
        jobs.forEach(LinkJob::awaitConnected);
        hosts.get(2).losesItsNetwork();
        jobs.forEach(job -> job.go(2));
        jobs.forEach(job -> Await.until("the rank fails", () -> job.notes().has("fails", 2)));
        assertThat(Await.holdsWithin(
                        Duration.ofSeconds(1),
                        () -> jobs.stream().anyMatch(job -> !job.launched(0).isRunning())))
                .isFalse();
        hosts.get(2).hasItsNetworkAgain();
        for (LinkJob job : jobs) {
            List<Result> results = job.end(5);
            results.get(0).says(job.node(2), job.engine().rank(2));
            results.get(1).says(job.node(2), job.engine().rank(2));
        }
        hosts.assertNothingIsLeft();
    }
}
