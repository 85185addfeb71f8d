package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Of two ranks that fail on two hosts shortly after each other it is the first that all nodes name, whatever their clocks say. */
@ExtendWith(Scenes.class)
class LinkOrderIT {

    private static final int NODES = 3;

    /** Seconds from a failure to the next; a machine that builds something is loaded. */
    private static final String APART = Repetitions.isFull() ? "0.02" : "0.1";

    /** Seconds that the job runs before: a launcher that has just started notices ends late. */
    private static final String RUNNING = "0.3";

    /** Which rank fails first, which second: the leader's is among them in some pairs. */
    private static final int[][] PAIRS = {{1, 2}, {2, 1}, {0, 1}, {2, 0}, {1, 0}, {0, 2}};

    private static LinkJob job(Scene scene, TestHosts hosts, String name) {
        return new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, name)
                .script("await go", "exit $((3 + me))");
    }

    /** Lets two ranks fail, unless the second is stopped before, and demands that all nodes name the first. */
    private static void assertFirstIsNamed(Scene scene, LinkJob job, int first, int second) {
        // Only its end counts: on a busy machine it may come long after it was told to.
        String process = job.host(first).file("/proc/" + job.notes().read("waits", first)) + "/stat";
        String runs = "[ -e " + process + " ] && ! grep -q ') [ZX] ' " + process;
        String each = "exec 3<> " + job.notes().pipe("go", first) + " 4<> "
                + job.notes().pipe("go", second) + "; sleep " + RUNNING + "; echo >&3; while " + runs
                + "; do :; done 2> /dev/null; sleep " + APART + "; echo >&4";
        scene.command("/bin/sh", "-c", each).run().endedWith(0);
        List<Result> results = job.end(3 + first);
        for (int node = 0; node < NODES; node++) {
            Result result = results.get(node);
            String verdict =
                    result.messages().lines().reduce((one, next) -> next).orElse("");
            assertThat(verdict).as("the verdict in %s", result).contains("rank " + first + " ");
            if (node != first) {
                assertThat(verdict).contains(job.node(first));
            }
        }
    }

    @Test
    void theFirstOfTwoFailuresIsNamedEveryTime(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        for (int run = 0; run < Repetitions.orElse(PAIRS.length); run++) {
            int[] pair = PAIRS[run % PAIRS.length];
            assertFirstIsNamed(scene, job(scene, hosts, "run-" + run).startAll(), pair[0], pair[1]);
        }
        hosts.assertNothingIsLeft();
    }

    /** What launchers measure time with does not begin at the same moment on two machines. */
    @Test
    void clocksThatDoNotJumpMayStartAnywhere(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        for (int run = 0; run < Repetitions.orElse(2); run++) {
            int[] pair = PAIRS[run % PAIRS.length];
            LinkJob job = job(scene, hosts, "time-" + run)
                    .behind(
                            1,
                            "unshare",
                            "--time",
                            "--monotonic",
                            "3",
                            "--boottime",
                            "3",
                            "--fork",
                            "--kill-child=KILL")
                    .behind(2, "unshare", "--time", "--monotonic", "86400", "--fork", "--kill-child=KILL");
            assertFirstIsNamed(scene, job.startAll(), pair[0], pair[1]);
        }
        hosts.assertNothingIsLeft();
    }

    /** The kernel cannot give processes another time of day, so a library does it. */
    @Test
    void theTimeOfDayMayDiffer(Scene scene) {
        Path library = skew(scene);
        TestHosts hosts = TestHosts.in(scene, NODES);
        for (int run = 0; run < Repetitions.orElse(2); run++) {
            int[] pair = PAIRS[run % PAIRS.length];
            LinkJob job = job(scene, hosts, "day-" + run)
                    .behind(1, "env", "LD_PRELOAD=" + library, "SKEW=3")
                    .behind(2, "env", "LD_PRELOAD=" + library, "SKEW=-3600");
            assertFirstIsNamed(scene, job.startAll(), pair[0], pair[1]);
            assertTimesAreTheLeaders(job);
        }
        hosts.assertNothingIsLeft();
    }

    private static Path skew(Scene scene) {
        Assumptions.assumeTrue(Components.isInstalled("cc"), "no C compiler here");
        Path library = scene.beside("skew.so");
        Path source = Product.project().resolve("distribution/src/test/link/skew.c");
        scene.command("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                .run()
                .endedWith(0);
        return library;
    }

    private static void assertTimesAreTheLeaders(LinkJob job) {
        JsonNode result = job.result(0);
        Instant started = Instant.parse(result.path("startedAt").asText());
        Instant ended = Instant.parse(result.path("endedAt").asText());
        assertThat(result.path("nodes")).hasSize(NODES);
        for (JsonNode node : result.path("nodes")) {
            Instant rank =
                    Instant.parse(node.path("processes").path(0).path("endedAt").asText());
            assertThat(rank).as("%s", node).isBetween(started.minus(Duration.ofSeconds(1)), ended.plusSeconds(1));
        }
    }
}
