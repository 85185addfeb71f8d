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

/** Jobs on hosts, one of which loses its network. Kinds of plan take turns; {@code ./verify --torture} tries each on the same hosts. */
@Tag("repeated")
@Execution(ExecutionMode.SAME_THREAD) // In the torture each of its tests starts a dozen launchers at once.
@ExtendWith(Scenes.class)
class LinkLossIT {

    private static final int NODES = 3;

    /** Shorter than the default of {@code --lost-after}, and longer than any retry of a connection. */
    private static final Duration BREAK = Duration.ofSeconds(5);

    private static boolean runAll(List<LinkJob> jobs) {
        return jobs.stream()
                .allMatch(job ->
                        Stream.of(0, 1, 2).allMatch(node -> job.launched(node).isRunning()));
    }

    /**
     * Half of the jobs lose their last node, the others their leader. A node that is cut off ends by itself. The leader of one more job
     * is deleted like a pod: its connections close, then its address is gone. The members notice that long before {@code --lost-after}.
     * {@link MpiFaultsIT} has the lost leader of MPI, {@link TfJobIT} the killed nodes of TensorFlow.
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
        hosts.get(2).expectsFiles(); // A killed container leaves its files.
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

    /** When the suspended member resumes, its leader has been silent for longer than {@code --lost-after}, and has ended. */
    @Test
    void whoStoodStillHearsWhatWasSaidBeforeItTakesAnybodyForSilent(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        List<LinkJob> jobs = Stream.of("one", "two", "three", "four")
                .map(name -> new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, name)
                        .with("--lost-after", "9s", "--link", "required")
                        .script("note waits; exec sleep 600")
                        .startOnly(0))
                .toList();
        // A connected member may not be admitted yet.
        jobs.forEach(job -> job.launched(0).awaitMessage("1 of 2 nodes are here"));
        jobs.forEach(job -> job.startAlso(1));
        jobs.forEach(job -> job.launched(0).awaitMessage("2 of 2 nodes are here"));
        // One after the other: a busy machine needs seconds to suspend a member. Its leader must get the signal before
        // it
        // declares the member lost.
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
        // In every other job the leader's network breaks.
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

    /** The launchers connect again, and the new connections carry what happened during the break. */
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
