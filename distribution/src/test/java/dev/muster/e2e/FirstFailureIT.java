package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** When several ranks of one node fail, the verdict names the first. */
@Isolated("It keeps all processors busy.")
@ExtendWith(Scenes.class)
class FirstFailureIT {

    private static final int RANKS = 4;
    private static final long TWENTY_MILLISECONDS = Duration.ofMillis(20).toNanos();
    private static final Pattern CAUSE =
            Pattern.compile("muster: exit (\\d+): rank (\\d) \\(pid \\d+\\) ended with (.*?) after");
    private static final String READY = "echo $$ > $scene/pid-$me.part; mv $scene/pid-$me.part $scene/pid-$me";

    @DisplayName("the first failure is named, however late the launcher sees both")
    @Tag("repeated")
    @OnOneJdk
    void theFirstIsNamedThoughTheLauncherWasStopped(Scene scene) {
        for (int round = 0; round < Repetitions.orElse(1); round++) {
            int first = 1 + round % 3;
            Launched launcher = start(scene, "exec sleep 600");
            Processes.signal("STOP", launcher.jvm());
            kill(scene, "KILL", first);
            kill(scene, "SEGV", 0);
            Processes.signal("CONT", launcher.jvm());
            assertThat(cause(launcher.await().endedWith(137))).isEqualTo(first);
        }
    }

    @DisplayName("the first failure is named, also when the second rank has printed just before it")
    @Tag("repeated")
    @Test
    void whatTheOthersPrintMeanwhileDoesNotMatter(Scene scene) {
        for (int round = 0; round < Repetitions.orElse(1); round++) {
            Launched launcher =
                    start(scene, "[ $me != 2 ] || while :; do echo still; sleep 0.001; done", "exec sleep 600");
            kill(scene, "KILL", 1);
            // Twenty milliseconds later, the second one.
            await(TWENTY_MILLISECONDS);
            killIfThere(scene, 2);
            Result result = launcher.await();
            assertThat(cause(result)).as(result.toString()).isEqualTo(1);
        }
    }

    @DisplayName("failures at the same time: code and cause are of one rank, and all ranks are named")
    @Tag("repeated")
    @OnOneJdk
    void bothAreNamedWhenTheyFailAtTheSameTime(Scene scene) {
        Gate gate = new Gate(scene);
        for (int round = 0; round < Repetitions.orElse(1); round++) {
            Launched launcher = start(scene, "trap '' TERM", gate.words(), "exit 1$me");
            Result result = failTogether(scene, launcher, gate);
            int named = cause(result);
            result.endedWith(10 + named);
            for (int rank = 0; rank < RANKS; rank++) {
                if (rank != named) {
                    // A busy machine may need more than the 20 ms within which the verdict says "at the same time".
                    assertThat(result.messages()).containsPattern("rank " + rank + " .*failed too: exit code 1" + rank);
                }
            }
        }
    }

    @DisplayName("every signal has its name, also for ranks that fail at the same time")
    @Test
    void signalsAreNamed(Scene scene) {
        Gate gate = new Gate(scene);
        int[] signals = {29, 30, 34, 40};
        String[] names = {"SIGIO", "SIGPWR", "SIGRTMIN", "SIGRTMIN+6"};
        Launched launcher =
                start(scene, gate.words(), "set -- 29 30 34 40; shift $me", "exec /bin/bash -c \"kill -$1 \\$\\$\"");
        Result result = failTogether(scene, launcher, gate);
        int named = cause(result);
        result.endedWith(128 + signals[named]);
        JsonNode processes = Json.parse(Scene.read(scene.resultFile())).get("processes");
        for (int rank = 0; rank < RANKS; rank++) {
            String ended = names[rank] + " (exit code " + (128 + signals[rank]) + ")";
            result.says(rank == named ? "ended with " + ended : "failed too: " + ended);
            assertThat(processes.get(rank).get("ended").asText()).isEqualTo(ended);
            assertThat(processes.get(rank).get("signal").asInt()).isEqualTo(signals[rank]);
        }
    }

    private static Launched start(Scene scene, String... lines) {
        String[] all = new String[lines.length + 1];
        all[0] = READY;
        System.arraycopy(lines, 0, all, 1, lines.length);
        for (int rank = 0; rank < RANKS; rank++) {
            scene.beside("pid-" + rank).toFile().delete();
        }
        Launched launcher = scene.job(RANKS).with(scene.script("rank", all)).start();
        scene.awaitFiles(Scene.each("pid-", RANKS));
        return launcher.awaitMessage("started " + RANKS);
    }

    private static long pid(Scene scene, int rank) {
        return Long.parseLong(Scene.read(scene.beside("pid-" + rank)).strip());
    }

    /** Kills a rank and waits for its end: the launcher cannot see the failure earlier. */
    private static void kill(Scene scene, String signal, int rank) {
        Processes.signal(signal, pid(scene, rank));
        awaitEnd(scene, rank);
    }

    /** Lets all ranks end while the JVM is suspended. */
    private static Result failTogether(Scene scene, Launched launcher, Gate gate) {
        Processes.signal("STOP", launcher.jvm());
        return gate.open(RANKS, () -> {
            for (int rank = 0; rank < RANKS; rank++) {
                awaitEnd(scene, rank);
            }
            Processes.signal("CONT", launcher.jvm());
            return launcher.await();
        });
    }

    private static void awaitEnd(Scene scene, int rank) {
        Await.until("rank " + rank + " has ended", () -> !Processes.isRunning(pid(scene, rank)));
    }

    /** Kills a rank, unless the launcher has stopped it already. */
    private static void killIfThere(Scene scene, int rank) {
        ProcessHandle.of(pid(scene, rank)).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static void await(long nanos) {
        long end = System.nanoTime() + nanos;
        Await.until("time has passed", () -> System.nanoTime() - end >= 0);
    }

    private static int cause(Result result) {
        Matcher cause = CAUSE.matcher(result.messages());
        assertThat(cause.find()).as(result.toString()).isTrue();
        return Integer.parseInt(cause.group(2));
    }
}
