package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** The shell that sends the signals, and ends the ranks when the launcher is killed: how soon, and how exactly. */
@Isolated("It measures time, and fills the machine with processes.")
@ExtendWith(Scenes.class)
class WardenTimesIT {

    /** Counts what it gets, and ends by nothing but SIGKILL. */
    private static final String[] COUNTING = {
        "exec > /dev/null 2>&1", // A shell tells of what is killed beneath it, and nobody reads that any more.
        "trap 'echo TERM >> $scene/terms-$me' TERM",
        "setsid sh -c \"trap 'echo TERM >> $scene/terms-escaped-$me' TERM; : > $scene/up-$me; while :; do sleep 600 & wait; done\" &",
        "until [ -e $scene/up-$me ]; do sleep 0.01; done",
        "sleep 0.3", // Who was forked within 0.1 s of the signal may get it twice.
        Wardens.READY,
        "while :; do sleep 600 & wait; done"
    };

    @Tag("repeated")
    @OnOneJdk
    @DisplayName("4.1 a warden that stands still delays a stop by a second, and no more")
    void aStoppedWardenHoldsNoStop(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap 'echo TERM >> $scene/terms-$me; exit 0' TERM",
                Wardens.READY,
                "while :; do sleep 600 & wait; done");
        Launched launcher = Wardens.job(scene, 2).with(rank).start();
        scene.awaitFiles("pid-0", "pid-1");
        Processes.signal("STOP", Wardens.only(scene));
        long begin = System.nanoTime();
        launcher.signal("TERM").await().endedWith(143).says("was stopped; another one has taken over");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
        assertThat(scene.beside("terms-0")).hasContent("TERM");
        assertThat(scene.beside("terms-1")).hasContent("TERM");
    }

    @Test
    @DisplayName(
            "4.10b a launcher that is killed before it has taken a signal which its start script has passed on leaves nothing")
    void theLauncherIsKilledBeforeItHasObeyed(Scene scene) {
        Launched launcher = Wardens.started(scene);
        long warden = Wardens.stoppedWarden(scene);
        launcher.signal("STOP").signal("TERM");
        Wardens.killLauncher(scene, warden);
        launcher.signal("CONT").await(Duration.ofSeconds(6)).endedWith(143);
        Wardens.untilNothingIsLeft(scene);
    }

    @Test
    @DisplayName("4.3 the grace period after the launcher's death is exact with 394 processes")
    // A warden that waits by processes of its own took 27 s.
    void theGracePeriodIsExact(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap '' TERM",
                "for n in $(seq 393); do sleep 600 & done",
                Wardens.READY,
                "while :; do sleep 600; done");
        Launched launcher = Wardens.job(scene, 1, "--grace", "1s").with(rank).start();
        scene.awaitFiles("pid-0");
        Wardens.killLauncher(scene, Wardens.only(scene));
        assertThat(Wardens.untilNothingIsLeft(scene)).isBetween(Duration.ofMillis(900), Duration.ofMillis(4000));
        launcher.await();
    }

    @Test
    @DisplayName(
            "4.4 whoever had its SIGTERM from the launcher gets none from the warden, and its grace period goes on")
    void oneTermFromLauncherAndWarden(Scene scene) {
        Launched launcher = Wardens.job(scene, 2, "--grace", "2s")
                .with(scene.script("rank", COUNTING))
                .start();
        scene.awaitFiles("pid-0", "pid-1");
        long warden = Wardens.only(scene);
        long begin = System.nanoTime();
        launcher.signal("TERM");
        scene.awaitFiles("terms-0", "terms-1", "terms-escaped-0", "terms-escaped-1");
        Wardens.killLauncher(scene, warden);
        Wardens.untilNothingIsLeft(scene);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(1900), Duration.ofMillis(3000));
        checkOneEach(scene);
        launcher.await();
    }

    @Test
    @DisplayName("4.5 when the launcher is killed each process gets SIGTERM once")
    void oneTermFromTheWarden(Scene scene) {
        Launched launcher = Wardens.job(scene, 2, "--grace", "700ms")
                .with(scene.script("rank", COUNTING))
                .start();
        scene.awaitFiles("pid-0", "pid-1");
        Wardens.killLauncher(scene, Wardens.only(scene));
        Wardens.untilNothingIsLeft(scene);
        checkOneEach(scene);
        launcher.await();
    }

    private static void checkOneEach(Scene scene) {
        for (String file : new String[] {"terms-0", "terms-1", "terms-escaped-0", "terms-escaped-1"}) {
            assertThat(scene.beside(file)).hasContent("TERM");
        }
    }

    @Test
    @DisplayName("4.6 with no process left to make, the warden ends the ranks in their time")
    void theWardenNeedsNoProcess(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            String rank = scene.script(
                    "rank", "trap '' TERM", Wardens.READY, "while read -r line; do :; done < $scene/silence");
            scene.command("mkfifo", scene.beside("silence").toString()).run().endedWith(0);
            Launched launcher = Wardens.job(scene, 2, "--grace", "500ms")
                    .with(rank)
                    .after(group.enter())
                    .start();
            scene.awaitFiles("pid-0", "pid-1");
            long warden = Wardens.only(scene);
            group.limit(1);
            Wardens.killLauncher(scene, warden);
            long begin = System.nanoTime();
            for (String file : new String[] {"pid-0", "pid-1"}) {
                long pid = Long.parseLong(Scene.read(scene.beside(file)).strip());
                Await.until(file + " has ended", () -> !Processes.isRunning(pid));
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(2));
            // What is left to do, such as removing its directory, takes a process.
            group.unlimit();
            launcher.await();
        }
    }

    @Test
    @DisplayName("4.8 a thousand strangers on the machine do not slow the warden down")
    void manyStrangersAreLookedThroughAtOnce(Scene scene) {
        Scene.write(scene.beside("many"), "for n in $(seq 1000); do sleep 600 & done; : > $0; wait");
        Launched strangers =
                scene.command("/bin/sh", scene.beside("many").toString()).start();
        Launched launcher = Wardens.job(scene, 2)
                .with(scene.script("rank", Wardens.READY, "exec sleep 600"))
                .start();
        scene.awaitFiles("pid-0", "pid-1");
        Await.until(
                "there are 1000 of them", () -> Scene.read(scene.beside("many")).isEmpty());
        long warden = Wardens.only(scene);
        long begin = System.nanoTime();
        Wardens.killLauncher(scene, warden);
        Await.until("the warden is done", () -> !Processes.isRunning(warden));
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
        launcher.await();
        strangers.signal("KILL").await();
        Processes.kill(scene.tag());
    }
}
