package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** How soon, how exactly and how often the processes of a job are signalled in a stop, also when the JVM was killed. */
@Isolated("It measures time, and fills the machine with processes.")
@ExtendWith(Scenes.class)
class StopTimesIT {

    private static final String READY = "echo $$ > $scene/pid-$me.part; mv $scene/pid-$me.part $scene/pid-$me";

    /** Counts what it gets, and ends by nothing but SIGKILL. */
    private static final String[] COUNTING = {
        "exec > /dev/null 2>&1", // A shell tells of what is killed beneath it, and nobody reads that any more.
        "trap 'echo TERM >> $scene/terms-$me' TERM",
        "setsid sh -c \"trap 'echo TERM >> $scene/terms-escaped-$me' TERM; : > $scene/up-$me; while :; do sleep 600 & wait; done\" &",
        "until [ -e $scene/up-$me ]; do sleep 0.01; done",
        READY,
        "while :; do sleep 600 & wait; done"
    };

    @Test
    @DisplayName("4.3 the grace period after the JVM's death is exact with 394 processes")
    void theGracePeriodIsExact(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap '' TERM",
                "for n in $(seq 393); do sleep 600 & done",
                READY,
                "while :; do sleep 600; done");
        Launched launcher = scene.job(1, "--grace", "1s").with(rank).start();
        scene.awaitFiles("pid-0");
        launcher.killJvm();
        assertThat(untilNothingIsLeft(scene)).isBetween(Duration.ofMillis(900), Duration.ofMillis(4000));
        launcher.await();
    }

    @Test
    @DisplayName("4.4 a JVM that is killed in a stop: each process gets SIGTERM once, and the grace period goes on")
    void oneTermWhenTheJvmDiesInAStop(Scene scene) {
        Launched launcher = scene.job(2, "--grace", "2s")
                .with(scene.script("rank", COUNTING))
                .start();
        scene.awaitFiles("pid-0", "pid-1");
        long begin = System.nanoTime();
        launcher.signal("TERM");
        scene.awaitFiles("terms-0", "terms-1", "terms-escaped-0", "terms-escaped-1");
        launcher.killJvm();
        untilNothingIsLeft(scene);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(1900), Duration.ofSeconds(8));
        checkOneEach(scene);
        launcher.await();
    }

    @Test
    @DisplayName("4.5 when the JVM is killed each process gets SIGTERM once")
    void oneTermWhenTheJvmDies(Scene scene) {
        Launched launcher = scene.job(2, "--grace", "700ms")
                .with(scene.script("rank", COUNTING))
                .start();
        scene.awaitFiles("pid-0", "pid-1");
        launcher.killJvm();
        untilNothingIsLeft(scene);
        checkOneEach(scene);
        launcher.await();
    }

    /** How long the scene's processes took to end. */
    private static Duration untilNothingIsLeft(Scene scene) {
        long begin = System.nanoTime();
        Await.until("nothing is left", () -> Processes.tagged(scene.tag()).isEmpty());
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static void checkOneEach(Scene scene) {
        for (String file : new String[] {"terms-0", "terms-1", "terms-escaped-0", "terms-escaped-1"}) {
            assertThat(scene.beside(file)).hasContent("TERM");
        }
    }

    @Test
    @DisplayName("4.6 with no process left to make, inner ends the ranks in their time")
    void innerNeedsNoProcess(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            String rank =
                    scene.script("rank", "trap '' TERM", READY, "while read -r line; do :; done < $scene/silence");
            scene.command("mkfifo", scene.beside("silence").toString()).run().endedWith(0);
            Launched launcher = scene.job(2, "--grace", "500ms")
                    .with(rank)
                    .after(group.enter())
                    .start();
            scene.awaitFiles("pid-0", "pid-1");
            group.limit(1);
            launcher.killJvm();
            long begin = System.nanoTime();
            for (String file : new String[] {"pid-0", "pid-1"}) {
                long pid = Long.parseLong(Scene.read(scene.beside(file)).strip());
                Await.until(file + " has ended", () -> !Processes.isRunning(pid));
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
            launcher.await();
        }
    }

    @Test
    @DisplayName("4.8 a thousand strangers on the machine do not slow a stop down")
    void manyStrangersAreLookedThroughAtOnce(Scene scene) {
        Scene.write(scene.beside("many"), "for n in $(seq 1000); do sleep 600 & done; : > $0; wait");
        Launched strangers =
                scene.command("/bin/sh", scene.beside("many").toString()).start();
        Launched launcher =
                scene.job(2).with(scene.script("rank", READY, "exec sleep 600")).start();
        scene.awaitFiles("pid-0", "pid-1");
        Await.until(
                "there are 1000 of them", () -> Scene.read(scene.beside("many")).isEmpty());
        long begin = System.nanoTime();
        launcher.killJvm();
        launcher.await();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
        strangers.signal("KILL").await();
        Processes.kill(scene.tag());
    }
}
