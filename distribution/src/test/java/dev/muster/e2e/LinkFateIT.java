package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs on several hosts end as one: one exit code, one cause, and no process or file is left. Kinds of plan take turns;
 * {@code ./verify --torture} tries each on the same hosts.
 */
@Tag("repeated")
@Execution(ExecutionMode.SAME_THREAD) // In the torture each of its tests starts a dozen launchers at once.
@ExtendWith(Scenes.class)
class LinkFateIT {

    private static final int NODES = 3;

    private static void startAll(List<LinkJob> jobs) {
        // Waiting for each job in turn would make the test slow.
        jobs.forEach(job -> job.startOnly(0, 1, 2));
        jobs.forEach(LinkJob::awaitConnected);
    }

    private static LinkJob ofPyTorch(Scene scene, TestHosts hosts, String name) {
        return new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, name);
    }

    /** Jobs of two kinds of plan; in {@code ./verify --torture} of every kind. */
    private static List<LinkJob> ofBoth(
            Scene scene, TestHosts hosts, LinkEngine one, LinkEngine other, LinkJob.Form form, String name) {
        return Repetitions.isFull()
                ? LinkJob.ofEveryPlan(scene, hosts, form, name)
                : List.of(new LinkJob(scene, hosts, one, form, name), new LinkJob(scene, hosts, other, form, name));
    }

    /** Every other node names the node where the failure began. */
    private static void assertAllName(LinkJob job, int origin, List<Result> results) {
        for (int node = 0; node < results.size(); node++) {
            if (node != origin) {
                results.get(node).says(job.node(origin));
            }
        }
    }

    @Test
    void aRankThatFailsEndsTheJobOnAllNodes(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = ofBoth(scene, hosts, LinkEngine.ASCEND, LinkEngine.MPI, LinkJob.Form.OPTIONS, "fails");
        jobs.forEach(job -> job.whereOne(1, "note fails; exit 3"));
        startAll(jobs);
        for (LinkJob job : jobs) {
            job.go(1);
            List<Result> results = job.end(3);
            results.forEach(result -> result.says("exit 3: ", job.engine().rank(1)));
            if (job.engine().supervisesItsRanks()) {
                assertAllName(job, 1, results);
                assertRankIsTold(job, 1, results.get(0).says("exit code 3"));
            }
            assertWholeJob(job, 3, 1);
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    private static void assertRankIsTold(LinkJob job, int rank, Result leaders) {
        leaders.says("pid " + job.notes().read("fails", rank), TestHost.LOGS + "/" + job.id() + "-");
    }

    /** The leader's result has all nodes. The members' results have the verdict. */
    private static void assertWholeJob(LinkJob job, int exitCode, int origin) {
        JsonNode whole = job.result(0);
        assertThat(whole.path("job").path("exitCode").asInt())
                .as("%s: %s", job.id(), whole)
                .isEqualTo(exitCode);
        assertThat(whole.path("nodes")).as("%s: %s", job.id(), whole).hasSize(NODES);
        whole.path("nodes")
                .forEach(node -> assertThat(node.path("exitCode").asInt())
                        .as("%s: %s", job.id(), node)
                        .isEqualTo(exitCode));
        for (int node = 1; node < NODES; node++) {
            JsonNode own = job.result(node);
            assertThat(own.path("exitCode").asInt()).isEqualTo(exitCode);
            if (exitCode != 0 && node != origin) {
                assertThat(own.path("reason").asText()).contains("node ");
            }
        }
    }

    /** In the containers of a platform. A rank that exits with a code ends there as in the test above. */
    @Test
    void aRankThatIsKilledEndsTheJobOnAllNodes(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs =
                ofBoth(scene, hosts, LinkEngine.PYTORCH_GPU, LinkEngine.TENSORFLOW_PS, LinkJob.Form.PLATFORM, "killed");
        jobs.forEach(job -> job.whereOne(2, "note fails; kill -s KILL $$"));
        startAll(jobs);
        for (LinkJob job : jobs) {
            job.go(2);
            List<Result> results = job.end(137);
            results.forEach(result -> result.says("exit 137: "));
            if (job.engine().supervisesItsRanks()) {
                results.forEach(result -> result.says(job.engine().rank(2), "SIGKILL"));
                assertAllName(job, 2, results);
                assertRankIsTold(job, 2, results.get(0));
            }
            assertWholeJob(job, 137, 2);
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    /** Kills outer, whose JVM can still tell the other launchers, or the JVM, which cannot. */
    private static void kill(OnHost launcher, boolean isScript) {
        if (isScript) {
            launcher.signal("KILL");
        } else {
            launcher.killJvm();
        }
    }

    /**
     * The supervisor stops the ranks of the killed launcher. {@link MpiFaultsIT} and {@link TfJobIT} kill launchers of the engines whose
     * nodes are not alike.
     */
    @Test
    void aLauncherThatIsKilledIsNamedByAllOthers(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> members = LinkJob.ofPlan(scene, hosts, LinkEngine.ASCEND, "member");
        List<LinkJob> leaders = List.of(
                ofPyTorch(scene, hosts, "leader"),
                ofPyTorch(scene, hosts, "leaders-jvm").onTheFirst(2));
        members.forEach(job -> job.script("note waits; exec sleep 600"));
        leaders.forEach(job -> job.script("note waits; exec sleep 600"));
        startAll(members);
        leaders.get(0).startOnly(0, 1, 2);
        leaders.get(1).startOnly(0, 1);
        members.forEach(LinkJob::awaitConnected);
        leaders.forEach(LinkJob::awaitConnected);
        for (int at = 0; at < members.size(); at++) {
            kill(members.get(at).launched(2), at % 2 == 1);
        }
        kill(leaders.get(0).launched(0), true);
        kill(leaders.get(1).launched(0), false);
        for (LinkJob job : members) {
            job.launched(2).await();
            job.end(75, job.launched(0), job.launched(1)).forEach(result -> result.says(job.node(2)));
        }
        for (LinkJob job : leaders) {
            job.launched(0).await();
            job.end(75, job.others(0)).forEach(result -> result.says(job.node(0)));
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }

    /** The signal goes to the leader or to a member; the other launchers stop, too. */
    @ParameterizedTest
    @CsvSource({
        "TERM, 143, 0, 2, OPTIONS, TENSORFLOW_PS",
        "TERM, 143, 1, 2, PLATFORM, MPI",
        "INT, 130, 1, 3, OPTIONS, PYTORCH_GPU"
    })
    void aSignalToOneLauncherStopsTheJob(
            String signal, int exitCode, int node, int nodes, LinkJob.Form form, LinkEngine engine, Scene scene) {
        TestHosts hosts = TestHosts.in(scene, nodes);
        List<LinkJob> jobs = LinkJob.ofPlan(scene, hosts, engine, form, "stopped");
        jobs.forEach(job -> job.script("trap 'sleep 0.5; note saved; exit 0' TERM", "note waits", "sleep 600 & wait"));
        jobs.forEach(job -> job.startOnly(IntStream.range(0, nodes).toArray()));
        jobs.forEach(LinkJob::awaitConnected);
        jobs.forEach(job -> job.launched(node).signal(signal));
        for (LinkJob job : jobs) {
            List<Result> results = job.end(exitCode);
            results.forEach(result -> result.says("SIG" + signal));
            assertAllName(job, node, results);
            job.awaitNotes("saved");
        }
        hosts.assertNothingIsLeft();
    }

    /** A scheduler signals all launchers. Each launcher names its own signal then. */
    @Test
    void aSignalToAllLaunchersIsOneStop(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofPlan(scene, hosts, LinkEngine.MPI, "all");
        jobs.forEach(job -> job.script("trap 'sleep 0.5; note saved; exit 0' TERM", "note waits", "sleep 600 & wait"));
        startAll(jobs);
        for (LinkJob job : jobs) {
            for (int node = 0; node < NODES; node++) {
                job.launched(node).signal("TERM");
            }
        }
        for (LinkJob job : jobs) {
            job.end(143).forEach(result -> result.says("exit 143: ", "SIGTERM"));
            job.awaitNotes("saved");
        }
        hosts.assertNothingIsLeft();
    }

    @Test
    void nodesThatEndAtDifferentTimesSucceedTogether(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        List<LinkJob> jobs = LinkJob.ofPlan(scene, hosts, LinkEngine.ASCEND, "succeeds");
        jobs.forEach(job -> job.script("[ $me != 1 ] || await go", "note waits"));
        jobs.forEach(job -> job.startOnly(0, 1, 2));
        jobs.forEach(job -> job.awaitNotes("waits"));
        jobs.forEach(job -> job.go(1));
        for (LinkJob job : jobs) {
            job.end(0);
            assertWholeJob(job, 0, 0);
        }
        hosts.assertNothingIsLeft();
        hosts.assertNobodyListens();
    }
}
