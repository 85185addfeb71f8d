package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each process gets SIGTERM once and has the whole grace, also when the JVM is killed. */
@ExtendWith(Scenes.class)
class StopTimesIT {

    private static final String READY = "echo $$ > $scene/pid-$me.part; mv $scene/pid-$me.part $scene/pid-$me";

    /** A process that counts its SIGTERMs and ends only by SIGKILL. */
    private static final String[] COUNTING = {
        "exec > /dev/null 2>&1", // A shell tells of what is killed beneath it, and nobody reads that any more.
        "trap 'echo TERM >> $scene/terms-$me' TERM",
        "setsid sh -c \"trap 'echo TERM >> $scene/terms-escaped-$me' TERM; : > $scene/up-$me; while :; do sleep 600 & wait; done\" &",
        "until [ -e $scene/up-$me ]; do sleep 0.01; done",
        READY,
        "while :; do sleep 600 & wait; done"
    };

    @Test
    @DisplayName("when the JVM is killed in a stop, each process gets SIGTERM once, and the grace goes on")
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
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(1900));
        checkOneEach(scene);
        launcher.await();
    }

    @Test
    @DisplayName("when the JVM is killed each process gets SIGTERM once")
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

    private static void untilNothingIsLeft(Scene scene) {
        Await.until("nothing is left", () -> Processes.tagged(scene.tag()).isEmpty());
    }

    private static void checkOneEach(Scene scene) {
        for (String file : new String[] {"terms-0", "terms-1", "terms-escaped-0", "terms-escaped-1"}) {
            assertThat(scene.beside(file)).hasContent("TERM");
        }
    }
}
