package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Signals to the launcher, and the grace. No process is ever left. */
@OnEveryEngine
class SupervisionIT {

    private static final String READY = ": > $scene/ready-$me";
    /** A rank that notes each SIGTERM. It waits first, since a process that is younger than 0.1 s may get SIGTERM twice. */
    private static final String STUBBORN = "trap 'echo TERM >> $scene/told-$me' TERM; sleep 0.3";

    private static final int PROCESSES = 3;

    /** Longer than any test waits, so a test that passes has not waited for its end. */
    private static final String LONG_GRACE = "10m";

    private static final Map<String, Integer> CODES = Map.of("HUP", 129, "INT", 130, "TERM", 143);

    private static int size(Scene scene) {
        return scene.engine().atMost(PROCESSES);
    }

    private static String[] allReady(Scene scene) {
        return Scene.each("ready-", size(scene));
    }

    private static void forgetReady(Scene scene) {
        for (String file : allReady(scene)) {
            scene.beside(file).toFile().delete();
        }
    }

    @Tag("repeated")
    @OnEveryJdk
    void aSignalToTheLauncherStopsTheRanks(Scene scene) {
        String rank = scene.script("rank", READY, "exec sleep 600");
        for (String signal : scene.engine().cases(List.of("HUP", "INT", "TERM"))) {
            checkSignal(scene, scene.job(size(scene), "--grace", LONG_GRACE).with(rank), signal);
        }
    }

    @Tag("repeated")
    @OnEveryJdk
    void aSignalToThePlainJarStopsTheRanks(Scene scene) {
        String rank = scene.script("rank", READY, "exec sleep 600");
        List<String> signals = List.of("TERM", "INT");
        // Under the plain jar the JVM handles the signals itself.
        boolean isNewest = scene.jdk().equals(Jdk.newest());
        for (String signal : isNewest ? scene.engine().cases(signals) : signals) {
            checkSignal(scene, scene.jarJob(size(scene), "--grace", LONG_GRACE).with(rank), signal);
        }
    }

    private static void checkSignal(Scene scene, Invocation job, String signal) {
        forgetReady(scene);
        Launched launcher = job.start();
        scene.awaitFiles(allReady(scene));
        launcher.signal(signal)
                .await()
                .endedWith(Objects.requireNonNull(CODES.get(signal)))
                .says("SIG" + signal);
        scene.assertNothingIsLeft();
    }

    @Test
    void ranksThatSaveACheckpointWithinTheGracePeriodFinishItThoughTermComesAgain(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap ': > $scene/told-$me; sleep 3; echo saved > $scene/saved-$me; exit 0' TERM",
                READY,
                "sleep 600 & wait");
        Launched launcher = scene.job(size(scene), "--grace", "30s").with(rank).start();
        scene.awaitFiles(allReady(scene));
        launcher.signal("TERM");
        scene.awaitFiles(Scene.each("told-", size(scene)));
        launcher.signal("TERM").signal("TERM").await().endedWith(143);
        scene.assertFiles(Scene.each("saved-", size(scene)));
    }

    @Test
    void aSecondInterruptEndsTheGracePeriod(Scene scene) {
        String rank =
                scene.script("rank", "trap ': > $scene/told-$me' TERM", READY, "while :; do sleep 600 & wait; done");
        Launched launcher =
                scene.job(size(scene), "--grace", LONG_GRACE).with(rank).start();
        scene.awaitFiles(allReady(scene));
        launcher.signal("INT");
        scene.awaitFiles(Scene.each("told-", scene.engine().tasks(size(scene))));
        launcher.signal("INT").await().endedWith(130).says("SIGINT");
    }

    @Test
    void aBurstOfSignalsIsObeyedOnce(Scene scene) {
        // Signals that are sent at the same time have no order, so the burst follows the first one.
        String rank = scene.script(
                "rank",
                "trap 'until [ -e $scene/over ]; do sleep 0.02; done; exit 0' TERM",
                READY,
                "while :; do sleep 600 & wait; done");
        Launched launcher = scene.job(size(scene)).with(rank).start();
        scene.awaitFiles(allReady(scene));
        launcher.signal("HUP").awaitMessage("received SIGHUP");
        String burst = "for n in 1 2 3 4 5 6 7 8 9 10; do kill -s TERM $1; kill -s HUP $1; done; : > $0";
        scene.command("/bin/sh", "-c", burst, scene.beside("over").toString(), Long.toString(launcher.pid()))
                .run();
        launcher.await().endedWith(129);
    }

    @OnEveryJdk
    @DisplayName("ranks that do not end by SIGTERM get it once, and SIGKILL after the grace")
    void ranksThatIgnoreTheSignalAreKilledAfterTheGracePeriod(Scene scene) {
        String rank = scene.script("rank", STUBBORN, READY, "while :; do sleep 600; done");
        Launched launcher = scene.job(size(scene), "--grace", "1s").with(rank).start();
        scene.awaitFiles(allReady(scene));
        long sentAt = System.nanoTime();
        launcher.signal("TERM").await().endedWith(143).says("SIGKILL");
        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isGreaterThan(Duration.ofSeconds(1));
        scene.assertNothingIsLeft();
        assertNobodyWasToldTwice(scene);
    }

    private static void assertNobodyWasToldTwice(Scene scene) {
        for (String file : Scene.each("told-", size(scene))) {
            if (Files.exists(scene.beside(file))) {
                assertThat(scene.beside(file)).hasContent("TERM");
            }
        }
    }

    @Tag("repeated")
    @Test
    void grandchildrenOfAFailedRankAreGone(Scene scene) {
        String rank = scene.script(
                "rank",
                "sh -c 'trap \"\" TERM; while :; do sleep 600; done' &",
                "setsid sleep 600 &",
                "setsid sh -c 'trap \"\" TERM; while :; do sleep 600; done' &",
                "(setsid sleep 600 & exit) &",
                "sleep 600 &",
                "[ $me = 1 ] && exit 5",
                "exec sleep 600");
        scene.job(2, "--grace", "500ms")
                .with(rank)
                .run()
                .endedWith(5)
                .says(scene.engine().process(1));
        scene.assertNothingIsLeft();
    }

    @Test
    void whatRanksLeaveBehindIsStoppedAndNamedAndItsLastWordsAreInTheLog(Scene scene) {
        String rank = scene.script(
                "rank",
                // A shell that has not yet become sleep still has the trap of its parent, and would lose the signal.
                "sh -c 'trap \"echo late; exit\" TERM; (trap - TERM; : > $0; exec sleep 600) & while :; do wait; done' $scene/child-ready &",
                "echo $! > $scene/left",
                "until [ -e $scene/child-ready ]; do sleep 0.02; done",
                "echo early");
        Result result = scene.job(1).with(rank).run().endedWith(0);
        // Under mpirun the wrapper of the rank stops it, without a message.
        if (!scene.engine().id().equals("mpi")) {
            result.says(
                    scene.engine().process(0), Scene.read(scene.beside("left")).strip());
        }
        assertThat(scene.log(0)).hasContent("early\nlate");
        scene.assertNothingIsLeft();
    }

    @Test
    void userSignalsReachTheFirstProcessesOnly(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap 'echo USR1 >> $scene/leader-$me' USR1",
                "trap 'echo USR2 >> $scene/leader-$me; exit 0' USR2",
                "sh -c 'trap \"echo child >> $1\" USR1 USR2; : > $2; while :; do sleep 600 & wait; done'"
                        + " sh $scene/child $scene/child-ready-$me &",
                "until [ -e $scene/child-ready-$me ]; do sleep 0.02; done",
                READY,
                "while :; do wait; done");
        Launched launcher = scene.job(size(scene)).with(rank).start();
        scene.awaitFiles(allReady(scene));
        launcher.signal("USR1");
        String[] leaders = Scene.each("leader-", scene.engine().tasks(size(scene)));
        scene.awaitFiles(leaders);
        assertThat(launcher.isRunning()).isTrue();
        launcher.signal("USR2").await().endedWith(0);
        for (String file : leaders) {
            assertThat(scene.beside(file)).hasContent("USR1\nUSR2");
        }
        assertThat(Scene.tree(scene.beside("")))
                .filteredOn(name -> name.startsWith("leader-"))
                .containsExactly(leaders);
        if (scene.engine().startsProcessesItself()) {
            // mpirun signals the whole group of a rank.
            assertThat(scene.beside("child")).doesNotExist();
        }
    }

    @Test
    void aStoppedRankObeysTheSignalAllTheSame(Scene scene) {
        String rank = scene.script("rank", READY, "kill -s STOP $$", "exec sleep 600");
        Launched launcher =
                scene.job(size(scene), "--grace", LONG_GRACE).with(rank).start();
        scene.awaitFiles(allReady(scene));
        launcher.signal("TERM").await().endedWith(143);
    }

    @OnEveryJdk
    void whenTheLauncherIsKilledNothingIsLeft(Scene scene) {
        // Rank 0 obeys, but its child has left the session. Rank 1 ignores SIGTERM.
        String rank = scene.script(
                "rank",
                "[ $me != 0 ] || setsid sleep 600 &",
                "[ $me != 1 ] || { " + STUBBORN + "; }",
                READY,
                "[ $me = 1 ] || exec sleep 600",
                "while :; do sleep 600; done");
        Launched launcher =
                scene.job(size(scene), "--grace", "500ms").with(rank).start();
        scene.awaitFiles(allReady(scene));
        Result result = launcher.signal("KILL").await();
        assertThat(result.exitCode()).isEqualTo(137);
        // The last process ends after the grace.
        Await.until("nothing is left", () -> Processes.tagged(scene.tag()).isEmpty());
        assertNobodyWasToldTwice(scene);
    }

    @Test
    void controlCInATerminalGivesEveryRankOneSignal(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap 'echo INT >> $scene/got-$me' INT",
                "trap 'echo TERM >> $scene/got-$me; exit 0' TERM",
                READY,
                "while :; do sleep 600 & wait; done");
        Invocation job = scene.job(size(scene)).with(rank);
        Result result = Terminal.around(scene, job, "\u0003", allReady(scene)).run();
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(130);
        for (String file : Scene.each("got-", size(scene))) {
            assertThat(scene.beside(file)).hasContent("TERM");
        }
    }
}
