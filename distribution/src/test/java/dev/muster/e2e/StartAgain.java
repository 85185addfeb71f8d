package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A job of one node that the platform starts again and again: each time a start is brought down at a random moment, and the next one,
 * a second later at most, must go through as if it were the first. All of it with the same id, files and places.
 */
final class StartAgain implements AutoCloseable {

    /** How far a start may be when it ends: before its JVM is there, while it prepares, or with ranks at work. */
    private static final int LATEST_MILLIS = 1200;

    private static final int UNTIL_THE_NEXT_MILLIS = 1000;
    private static final Duration TO_VANISH = Duration.ofSeconds(15);

    private final Scene scene;
    /** For what is private, closed to others on the whole way, and this job's alone. */
    private final Path closed;

    private final int processes;
    private final String rank;
    private int start;

    StartAgain(Scene scene) {
        this.scene = scene;
        this.closed = closedPlace();
        this.processes = scene.engine().atMost(2);
        this.rank = scene.script(
                "rank",
                "trap 'sleep 0.0$(($$ % 7)); exit 0' TERM",
                "[ $(($$ % 4)) != 0 ] || trap '' TERM", // Only SIGKILL ends these.
                "[ $START != fails ] || { : > $scene/up-$me; while :; do sleep 0.1; done; }",
                "echo start $START",
                "finish");
    }

    /** Brings one start down, and demands that the next goes through. */
    void once(LauncherKill kill, Random random) {
        start++;
        Stream.of(Scene.each("up-", processes))
                .forEach(name -> scene.beside(name).toFile().delete());
        Launched first = start(kill, "fails");
        if (random.nextInt(3) > 0) {
            scene.awaitFiles(Scene.each("up-", processes));
        } else {
            FaultInjection.pass(random.nextInt(LATEST_MILLIS));
        }
        kill.happen(List.of(first.pid()), this::all);
        FaultInjection.pass(random.nextInt(UNTIL_THE_NEXT_MILLIS));
        Result next = start(kill, Integer.toString(start)).await();
        check(next, first);
        first.await();
    }

    private Launched start(LauncherKill kill, String name) {
        return scene.job(processes, "--grace", "1s")
                .with(rank)
                .set("START", name)
                .set("XDG_RUNTIME_DIR", closed.toString())
                .behind(kill.place())
                .start();
    }

    private List<Long> all() {
        return Processes.pidsTagged(scene.tag());
    }

    private void check(Result next, Launched first) {
        String before = "start " + start + " after: " + first.messages() + "\nfollowed by: " + next;
        assertThat(next.exitCode()).as(before).isZero();
        assertThat(next.messages()).as(before).doesNotContain("warning");
        for (int process = 0; process < scene.engine().withOwnLogs(processes); process++) {
            assertThat(Scene.read(scene.log(process)).lines()).as(before).contains("start " + start);
        }
        assertThat(Json.parse(Scene.read(scene.resultFile())).path("exitCode").asInt(-1))
                .as(before)
                .isZero();
        Await.until(
                TO_VANISH,
                () -> "nothing is left; there are " + Processes.tagged(scene.tag()) + " and " + files() + " after "
                        + before,
                () -> Processes.tagged(scene.tag()).isEmpty() && files().isEmpty());
    }

    /** What should not be there between two starts: private directories, claims, files that were not finished. */
    private Set<String> files() {
        List<String> found = new ArrayList<>(Scene.tree(scene.beside("t")));
        found.addAll(Scene.tree(closed));
        // What mpirun keeps by its pid may belong to somebody else's by now, and mpirun clears it away before it uses
        // it.
        found.removeIf(name -> name.isEmpty() || name.startsWith("ompi."));
        names(scene.logs())
                .filter(name -> !name.equals(scene.jobId())) // Ascend's own logs.
                .filter(name -> !name.matches(
                        scene.jobId() + "-(proc-rank-[01]-device-[01]|worker-0|ps-0|mpirun-node-0)\\.txt"))
                .filter(name -> !name.matches(scene.jobId() + "-node-0-result(\\.[0-9]+)?\\.json"))
                .forEach(found::add);
        return Set.copyOf(found);
    }

    private static Path closedPlace() {
        try {
            return Files.createTempDirectory(Path.of("/run"), "e2e-");
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    @Override
    public void close() {
        Scene.remove(closed);
    }

    private static Stream<String> names(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(Path::getFileName).map(Path::toString).toList().stream();
        } catch (IOException gone) {
            return Stream.empty();
        }
    }
}
