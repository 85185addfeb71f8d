package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** 12: a thousand ranks on one node. */
@Isolated("It takes all processors.")
@ExtendWith(Scenes.class)
class ThousandRanksIT {

    private static final int RANKS = 1000;
    private static final int MOST_THREADS = 1100;
    private static final long MOST_MEMORY = 400_000;
    private static final Duration TO_START = Duration.ofSeconds(60);

    @DisplayName("12.1 threads, memory and time of a stop; every rank has the caller's limit of open files")
    @OnEveryJdk
    void aThousandRanksAreNotTooMany(Scene scene) {
        Launched launcher = start(scene, "15s", "ulimit -Sn > $scene/files-$me; exec sleep 600");
        awaitPrograms(scene, launcher);
        Path jvm = Path.of("/proc", Long.toString(launcher.jvm()));
        assertThat(jvm.resolve("task").toFile().list()).hasSizeLessThan(MOST_THREADS);
        assertThat(memory(jvm)).isLessThan(MOST_MEMORY);
        long sentAt = System.nanoTime();
        launcher.signal("TERM").await().endedWith(143);
        // A second, where nothing else runs, and 3 at most; the grace period is 15.
        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isLessThan(Duration.ofSeconds(5));
        scene.assertNothingIsLeft();
        assertThat(Scene.read(scene.beside("files-0")).strip()).isEqualTo("1024");
        assertThat(Scene.read(scene.beside("files-999")).strip()).isEqualTo("1024");
    }

    @DisplayName("12.2 ranks that do not obey SIGTERM are ended though the launcher was killed")
    @Test
    void moreOutputsThanTheWardenCanWaitForAreHeld(Scene scene) {
        // All of it passes, and nothing else runs meanwhile.
        Launched launcher = start(scene, "2s", "trap '' TERM; echo up; exec sleep 600");
        awaitPrograms(scene, launcher);
        Processes.signal("KILL", launcher.jvm());
        assertThat(launcher.await().exitCode()).isEqualTo(70);
        scene.assertNothingIsLeft();
    }

    @DisplayName("12.3 all print, and all end at once: nothing is lost")
    @Test
    void theOutputOfAThousandRanksIsComplete(Scene scene) {
        Result result = start(scene, "15s", "for n in 1 2 3 4 5 6 7 8 9 10; do echo \"$n from $me\"; done")
                .await()
                .endedWith(0)
                .says(RANKS + " ranks succeeded");
        assertThat(result.outputLines()).hasSize(10 * RANKS).contains("[rank 999] 10 from 999");
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(scene.log(rank)).content().endsWith("\n10 from " + rank + "\n");
        }
    }

    @DisplayName("12.4 all fail at the same moment: code and cause belong together, in a few words")
    @Test
    void theVerdictOverAThousandFailuresIsShort(Scene scene) {
        Path gate = scene.beside("gate");
        scene.command("mkfifo", gate.toString()).run().endedWith(0);
        Launched launcher = start(scene, "15s", "read -r gone < $scene/gate", "exit $((1 + me % 100))");
        launcher.awaitMessage("started " + RANKS);
        scene.command("/bin/sh", "-c", ": > " + gate).run().endedWith(0);
        Result result = launcher.await();
        String cause = result.messages()
                .lines()
                .filter(line -> line.startsWith("muster: exit "))
                .findFirst()
                .orElse("");
        assertThat(cause)
                .as(result.toString())
                .matches("muster: exit " + result.exitCode() + ": rank \\d+ .* ended with exit code "
                        + result.exitCode() + " after .*");
        assertThat(result.messages().lines()).hasSizeLessThan(100);
        result.says("more failed too: ");
        int rank = Integer.parseInt(cause.replaceAll(".*: rank (\\d+) .*", "$1"));
        assertThat(result.exitCode()).isEqualTo(1 + rank % 100);
    }

    private static Launched start(Scene scene, String grace, String... lines) {
        return scene.job(RANKS, "--grace", grace)
                .with(scene.script("rank", lines))
                .after("ulimit -Sn 1024")
                .start();
    }

    private static void awaitPrograms(Scene scene, Launched launcher) {
        // A look at a thousand processes takes long, so the launcher's word is waited for first.
        launcher.awaitMessage("started " + RANKS);
        Await.until(
                TO_START,
                () -> "all ranks run",
                () -> !launcher.isRunning()
                        || Processes.tagged(scene.tag()).stream()
                                        .filter(process -> process.contains("(sleep 600)"))
                                        .count()
                                == RANKS);
    }

    /** In kB. */
    private static long memory(Path process) {
        try {
            List<String> status = Files.readAllLines(process.resolve("status"));
            String line = status.stream()
                    .filter(any -> any.startsWith("VmRSS:"))
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(line.replaceAll("[^0-9]", ""));
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }
}
