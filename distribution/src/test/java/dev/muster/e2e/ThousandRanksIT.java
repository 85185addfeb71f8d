package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** A thousand ranks on one node. */
@Isolated("It takes all processors.")
@ExtendWith(Scenes.class)
class ThousandRanksIT {

    private static final int RANKS = 1000;
    private static final int MOST_THREADS = 1100;
    private static final long MOST_MEMORY = 400_000;
    private static final String PRINT = "for n in 1 2 3 4 5 6 7 8 9 10; do echo \"$n from $me\"; done";
    private static final Duration TO_START = Duration.ofSeconds(60);

    @DisplayName("threads, memory and time of a stop; every rank has the caller's limit of open files")
    @Tag("repeated")
    @Test
    void aThousandRanksAreNotTooMany(Scene scene) {
        // The newest has as much to do in 12.4.
        for (Jdk jdk : Repetitions.isFull() ? Jdk.all() : Jdk.all().subList(0, 1)) {
            Launched launcher = job(scene.generic(), "10m")
                    .with("/bin/sleep", "600")
                    .set("JAVA_HOME", jdk.home().toString())
                    .start();
            for (String rank : awaitPrograms(scene, launcher)) {
                assertThat(line(rank.substring(0, rank.indexOf(' ')), "limits", "Max open files"))
                        .containsPattern("files +1024 ");
            }
            assertThreadsAndMemoryAreFew(launcher);
            launcher.signal("TERM").await().endedWith(143);
            scene.assertNothingIsLeft();
        }
    }

    private static void assertThreadsAndMemoryAreFew(Launched launcher) {
        String jvm = Long.toString(launcher.jvm());
        assertThat(Path.of("/proc", jvm, "task").toFile().list()).hasSizeLessThan(MOST_THREADS);
        assertThat(Long.parseLong(line(jvm, "status", "VmRSS:").replaceAll("[^0-9]", "")))
                .isLessThan(MOST_MEMORY);
    }

    @DisplayName("ranks that do not obey SIGTERM are ended though the launcher was killed")
    @Test
    void moreOutputsThanTheWardenCanWaitForAreHeld(Scene scene) {
        // The whole grace passes. The ranks wait at the gate, so that they use no CPU meanwhile.
        Gate gate = new Gate(scene);
        Launched launcher = job(scene, "2s")
                .with(scene.script("rank", "trap '' TERM", "echo up", gate.words()))
                .start()
                .awaitMessage("started " + RANKS);
        Await.until(
                "all ranks are up",
                () -> IntStream.range(0, RANKS)
                        .allMatch(rank -> scene.log(rank).toFile().length() > 0));
        Processes.signal("KILL", launcher.jvm());
        assertThat(launcher.await().exitCode()).isEqualTo(70);
        scene.assertNothingIsLeft();
    }

    /** 12.4 has what is printed in every build, and other tests what a success says. */
    @DisplayName("all print, and all end at once: nothing is lost")
    @Tag("torture")
    @Test
    void theOutputOfAThousandRanksIsComplete(Scene scene) {
        Result result = job(scene, "10m")
                .with(scene.script("rank", PRINT))
                .run()
                .endedWith(0)
                .says(RANKS + " ranks succeeded");
        assertOutputIsComplete(scene, result);
    }

    private static void assertOutputIsComplete(Scene scene, Result result) {
        assertThat(result.outputLines()).hasSize(10 * RANKS).contains("[rank 999] 10 from 999");
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(scene.log(rank)).content().endsWith("\n10 from " + rank + "\n");
        }
    }

    @DisplayName(
            "all print and fail at the same moment: nothing is lost, and the short verdict has the code of its cause")
    @Test
    void theVerdictOverAThousandFailuresIsShort(Scene scene) {
        Gate gate = new Gate(scene);
        Launched launcher = job(scene, "10m")
                .with(scene.script("rank", "trap '' TERM", gate.words(), PRINT, "exit $((1 + me % 100))"))
                .start()
                .awaitMessage("started " + RANKS);
        assertThreadsAndMemoryAreFew(launcher);
        Result result = openWhileItStandsStill(gate, launcher);
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
        assertOutputIsComplete(scene, result);
        result.says("more failed too: ");
        int rank = Integer.parseInt(cause.replaceAll(".*: rank (\\d+) .*", "$1"));
        assertThat(result.exitCode()).isEqualTo(1 + rank % 100);
    }

    /** Suspends the JVM until all ranks have failed: it would stop the others as soon as it heard of the first failure. */
    private static Result openWhileItStandsStill(Gate gate, Launched launcher) {
        long jvm = launcher.jvm();
        ProcessHandle supervisor =
                ProcessHandle.of(jvm).flatMap(ProcessHandle::parent).orElseThrow();
        Processes.signal("STOP", jvm);
        return gate.open(RANKS, () -> {
            Await.until("only the JVM is left", () -> supervisor.children().count() == 1);
            Processes.signal("CONT", jvm);
            return launcher.await();
        });
    }

    private static Invocation job(Scene scene, String grace) {
        return scene.job(RANKS, "--grace", grace).after("ulimit -Sn 1024");
    }

    private static List<String> awaitPrograms(Scene scene, Launched launcher) {
        // Each search of a thousand processes takes long, so the test waits for the launcher's message first.
        launcher.awaitMessage("started " + RANKS);
        List<String> programs = new ArrayList<>();
        Await.until(TO_START, () -> "all ranks run", () -> {
            programs.clear();
            programs.addAll(Processes.tagged(scene.tag()));
            programs.removeIf(process -> !process.endsWith("(/bin/sleep 600)"));
            return !launcher.isRunning() || programs.size() == RANKS;
        });
        return programs;
    }

    /** A line of a file of /proc about a process. */
    private static String line(String process, String file, String begin) {
        return Scene.read(Path.of("/proc", process, file))
                .lines()
                .filter(line -> line.startsWith(begin))
                .findFirst()
                .orElseThrow();
    }
}
