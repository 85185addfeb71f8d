package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two ranks fail on two hosts, one shortly after the other: all nodes name the first, whatever their clocks say. */
@Tag("repeated")
@ExtendWith(Scenes.class)
class LinkOrderIT {

    private static final int NODES = 3;

    /** Seconds between the two failures: longer in a build, which loads the machine. */
    private static final String APART = Repetitions.isFull() ? "0.1" : "0.5";

    /** Seconds that the job runs before the first failure: a launcher that has just started notices ends late. */
    private static final String RUNNING = "0.3";

    private static final Duration AHEAD = Duration.ofHours(2);
    private static final Duration BEHIND = Duration.ofHours(-1);

    /** The time that a busy machine may need between two readings of a clock. */
    private static final Duration NEAR = Duration.ofMinutes(1);

    /** The rank that fails first, and the one that fails second. Rank 0 runs on the leader's node. */
    private static final int[][] PAIRS = {{1, 2}, {2, 1}, {0, 1}, {2, 0}, {1, 0}, {0, 2}};

    private static LinkJob job(Scene scene, TestHosts hosts, LinkEngine engine, String name) {
        return new LinkJob(scene, hosts, engine, LinkJob.Form.OPTIONS, name).script("await go", "exit $((3 + me))");
    }

    /**
     * Starts a job of each engine, all at once. In each job another pair of ranks fails.
     *
     * @param firstPair the pair of the first job; in {@code ./verify --torture} every engine has all pairs
     */
    private static void tryAll(
            Scene scene, TestHosts hosts, int firstPair, List<LinkEngine> engines, UnaryOperator<LinkJob> changes) {
        for (int round = 0; round < Repetitions.orElse(1); round++) {
            List<LinkJob> jobs = new ArrayList<>();
            for (LinkEngine engine : Repetitions.isFull() ? List.of(LinkEngine.values()) : engines) {
                jobs.add(changes.apply(job(scene, hosts, engine, "run-" + round)));
            }
            jobs.forEach(job -> job.startOnly(0, 1, 2));
            for (int at = 0; at < jobs.size(); at++) {
                LinkJob job = jobs.get(at);
                int[] pair = PAIRS[(firstPair + round + at) % PAIRS.length];
                assertFirstIsNamed(scene, job.awaitConnected(), pair[0], pair[1]);
            }
        }
    }

    /** Lets two ranks fail, and demands that all nodes name the first. The second may be stopped before it fails. */
    private static void assertFirstIsNamed(Scene scene, LinkJob job, int first, int second) {
        // The time between the failures counts from the first rank's end: on a busy machine it may end late.
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
            assertThat(verdict)
                    .as("the verdict in %s", result)
                    .contains(job.engine().rank(first) + " ");
            if (!job.engine().supervisesItsRanks()) {
                assertThat(verdict).contains(job.host(first).name());
            } else if (node != first) {
                assertThat(verdict).contains(job.node(first));
            }
        }
    }

    @Test
    void theFirstOfTwoFailuresIsNamedEveryTime(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        tryAll(scene, hosts, 0, List.of(LinkEngine.ASCEND, LinkEngine.TENSORFLOW_PS), job -> job);
        hosts.assertNothingIsLeft();
    }

    /**
     * Two machines have different monotonic clocks, and their time of day may differ. A time namespace changes only the monotonic clock,
     * so a library changes the time of day.
     */
    @Test
    void clocksMayStartAnywhereAndTheTimeOfDayMayDiffer(Scene scene) {
        boolean hasCompiler = Components.isInstalled("cc");
        String library = hasCompiler ? skew(scene).toString() : "";
        String[] ahead = {
            "unshare",
            "--time",
            "--monotonic",
            "3",
            "--boottime",
            "3",
            "--fork",
            "--kill-child=KILL",
            "env",
            "JAVA_HOME=" + skewedJava(scene, library, AHEAD)
        };
        String[] behind = {
            "unshare",
            "--time",
            "--monotonic",
            "86400",
            "--fork",
            "--kill-child=KILL",
            "env",
            "JAVA_HOME=" + skewedJava(scene, library, BEHIND)
        };
        TestHosts hosts = TestHosts.in(scene.generic(), NODES);
        List<LinkJob> jobs = new ArrayList<>();
        tryAll(scene, hosts, 2, List.of(LinkEngine.PYTORCH_GPU, LinkEngine.MPI), job -> {
            jobs.add(job);
            return job.behind(1, ahead).behind(2, behind);
        });
        hosts.assertNothingIsLeft();
        Assumptions.assumeTrue(hasCompiler, "no C compiler here: the time of day was the same on all");
        jobs.forEach(LinkOrderIT::assertTimesAreTheLeaders);
    }

    private static Path skew(Scene scene) {
        Path library = scene.beside("skew.so");
        Path source = Product.project().resolve("distribution/src/test/link/skew.c");
        scene.command("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl")
                .run()
                .endedWith(0);
        return library;
    }

    /** A Java whose programs see another time of day. bin/muster itself passes no LD_PRELOAD on to its JVM. */
    private static Path skewedJava(Scene scene, String library, Duration skew) {
        Path home = scene.beside("java-at-" + skew.toSeconds());
        Path real = scene.jdk().home();
        assertThat(home.resolve("bin").toFile().mkdirs()).isTrue();
        Scene.write(home.resolve("release"), Scene.read(real.resolve("release")));
        Path java = home.resolve("bin/java");
        Scene.write(
                java,
                "#!/bin/sh\nexec env LD_PRELOAD=" + library + " SKEW=" + skew.toSeconds() + " " + real
                        + "/bin/java \"$@\"\n");
        assertThat(java.toFile().setExecutable(true, false)).isTrue();
        return home;
    }

    private static void assertTimesAreTheLeaders(LinkJob job) {
        JsonNode result = job.result(0);
        Instant started = Instant.parse(result.path("startedAt").asText());
        Instant ended = Instant.parse(result.path("endedAt").asText());
        assertThat(result.path("nodes")).hasSize(NODES);
        for (JsonNode node : result.path("nodes")) {
            Instant rank =
                    Instant.parse(node.path("processes").path(0).path("endedAt").asText());
            assertThat(rank).as("%s", node).isBetween(started.minus(NEAR), ended.plus(NEAR));
        }
        assertThat(Duration.between(ended, ownEnd(job, 1))).isCloseTo(AHEAD, NEAR);
        assertThat(Duration.between(ended, ownEnd(job, 2))).isCloseTo(BEHIND, NEAR);
    }

    /** The end of a node on its own clock. */
    private static Instant ownEnd(LinkJob job, int node) {
        return Instant.parse(job.result(node).path("endedAt").asText());
    }
}
