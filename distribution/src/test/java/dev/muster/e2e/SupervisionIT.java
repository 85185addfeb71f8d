package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signals to the launcher, the grace period, and that nothing is ever left running. */
@ExtendWith(Scenes.class)
class SupervisionIT {

    private static final String READY = ": > $scene/ready-$RANK_ID";
    private static final String[] ALL_READY = {"ready-0", "ready-1", "ready-2"};

    private static final Duration SOON = Duration.ofSeconds(4);

    @OnEveryJdk
    void aSignalToTheLauncherStopsTheRanks(Scene scene) {
        String rank = scene.script("rank", READY, "exec sleep 600");
        checkSignal(scene, scene.job(3).with(rank), "TERM", 143);
        checkSignal(scene, scene.job(3).with(rank), "INT", 130);
        checkSignal(scene, scene.job(3).with(rank), "HUP", 129);
    }

    @OnEveryJdk
    void aSignalToThePlainJarStopsTheRanks(Scene scene) {
        String rank = scene.script("rank", READY, "exec sleep 600");
        Scene.write(scene.beside("table.json"), RankTables.oneServer(3));
        String table = scene.beside("table.json").toString();
        Invocation jar = scene.jar("--engine", "ascend", "--platform", "none", "--rank-table", table, "--", rank);
        checkSignal(scene, jar, "TERM", 143);
        checkSignal(scene, jar, "INT", 130);
    }

    private static void checkSignal(Scene scene, Invocation job, String signal, int code) {
        for (String file : ALL_READY) {
            scene.beside(file).toFile().delete();
        }
        Launched launcher = job.start();
        scene.awaitFiles(ALL_READY);
        long sentAt = System.nanoTime();
        launcher.signal(signal).await().endedWith(code).says("SIG" + signal);
        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isLessThan(SOON);
        scene.assertNothingIsLeft();
    }

    @Test
    void ranksThatSaveACheckpointWithinTheGracePeriodFinishIt(Scene scene) {
        String rank = scene.script(
                "rank", "trap 'sleep 3; echo saved > $scene/saved-$RANK_ID; exit 0' TERM", READY, "sleep 600 & wait");
        Launched launcher = scene.job(3, "--grace", "30s").with(rank).start();
        scene.awaitFiles(ALL_READY);
        launcher.signal("TERM").await().endedWith(143);
        assertThat(scene.beside("saved-0")).exists();
        assertThat(scene.beside("saved-1")).exists();
        assertThat(scene.beside("saved-2")).exists();
    }

    @Test
    void aSecondTermDoesNotShortenTheGracePeriod(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap ': > $scene/told-$RANK_ID; sleep 1; echo saved > $scene/saved-$RANK_ID; exit 0' TERM",
                READY,
                "sleep 600 & wait");
        Launched launcher = scene.job(3).with(rank).start();
        scene.awaitFiles(ALL_READY);
        launcher.signal("TERM");
        scene.awaitFiles("told-0", "told-1", "told-2");
        launcher.signal("TERM").signal("TERM").await().endedWith(143);
        assertThat(scene.beside("saved-0")).exists();
        assertThat(scene.beside("saved-1")).exists();
        assertThat(scene.beside("saved-2")).exists();
    }

    @Test
    void aSecondInterruptEndsTheGracePeriod(Scene scene) {
        String rank = scene.script(
                "rank", "trap ': > $scene/told-$RANK_ID' TERM", READY, "while :; do sleep 600 & wait; done");
        Launched launcher = scene.job(3, "--grace", "10m").with(rank).start();
        scene.awaitFiles(ALL_READY);
        launcher.signal("INT");
        scene.awaitFiles("told-0", "told-1", "told-2");
        long sentAt = System.nanoTime();
        launcher.signal("INT").await().endedWith(130).says("SIGINT");
        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isLessThan(SOON);
    }

    @Test
    void aBurstOfSignalsIsObeyedOnce(Scene scene) {
        // Signals that are sent at the same time have no order, so the burst follows the first one.
        String rank = scene.script(
                "rank",
                "trap 'until [ -e $scene/over ]; do sleep 0.02; done; exit 0' TERM",
                READY,
                "while :; do sleep 0.02; done");
        Launched launcher = scene.job(3).with(rank).start();
        scene.awaitFiles(ALL_READY);
        launcher.signal("HUP").awaitMessage("received SIGHUP");
        String burst = "for n in 1 2 3 4 5 6 7 8 9 10; do kill -s TERM $1; kill -s HUP $1; done; : > $0";
        scene.command("/bin/sh", "-c", burst, scene.beside("over").toString(), Long.toString(launcher.pid()))
                .run();
        launcher.await().endedWith(129);
    }

    @OnEveryJdk
    void ranksThatIgnoreTheSignalAreKilledAfterTheGracePeriod(Scene scene) {
        String rank = scene.script("rank", "trap '' TERM", READY, "while :; do sleep 600; done");
        Launched launcher = scene.job(3, "--grace", "1s").with(rank).start();
        scene.awaitFiles(ALL_READY);
        long sentAt = System.nanoTime();
        launcher.signal("TERM").await().endedWith(143).says("SIGKILL");
        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isBetween(Duration.ofSeconds(1), SOON);
        scene.assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sh -c 'trap \"\" TERM; while :; do sleep 600; done' &",
                "setsid sleep 600 &",
                "setsid sh -c 'trap \"\" TERM; while :; do sleep 600; done' &",
                "(setsid sleep 600 & exit) &",
                "sleep 600 &"
            })
    void grandchildrenOfAFailedRankAreGone(String child, Scene scene) {
        String rank = scene.script("rank", child, "[ $RANK_ID = 1 ] && exit 5", "exec sleep 600");
        scene.job(2, "--grace", "500ms").with(rank).run().endedWith(5).says("rank 1");
        scene.assertNothingIsLeft();
    }

    @Test
    void whatRanksLeaveBehindIsStoppedAndNamed(Scene scene) {
        String rank = scene.script("rank", "sleep 600 &", "echo $! > $scene/left");
        Result result = scene.job(1).with(rank).run().endedWith(0).tookLessThan(Duration.ofSeconds(10));
        result.says("rank 0", Scene.read(scene.beside("left")).strip());
        scene.assertNothingIsLeft();
    }

    @Test
    void theLastWordsOfWhatIsLeftBehindAreInTheLog(Scene scene) {
        String rank = scene.script(
                "rank",
                "sh -c 'trap \"echo late; exit\" TERM; : > $0; sleep 600 & wait' $scene/child-ready &",
                "until [ -e $scene/child-ready ]; do sleep 0.02; done",
                "echo early");
        scene.job(1).with(rank).run().endedWith(0);
        assertThat(scene.log(0)).hasContent("early\nlate");
    }

    @Test
    void userSignalsReachTheFirstProcessesOnly(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap 'echo USR1 >> $scene/leader-$RANK_ID' USR1",
                "trap 'echo USR2 >> $scene/leader-$RANK_ID; exit 0' USR2",
                "sh -c 'trap \"echo child >> $1\" USR1 USR2; : > $2; while :; do sleep 600 & wait; done'"
                        + " sh $scene/child $scene/child-ready-$RANK_ID &",
                "until [ -e $scene/child-ready-$RANK_ID ]; do sleep 0.02; done",
                READY,
                "while :; do wait; done");
        Launched launcher = scene.job(3).with(rank).start();
        scene.awaitFiles(ALL_READY);
        launcher.signal("USR1");
        scene.awaitFiles("leader-0", "leader-1", "leader-2");
        assertThat(launcher.isRunning()).isTrue();
        launcher.signal("USR2").await().endedWith(0);
        for (int index = 0; index < 3; index++) {
            assertThat(scene.beside("leader-" + index)).hasContent("USR1\nUSR2");
        }
        assertThat(scene.beside("child")).doesNotExist();
    }

    @Test
    void aStoppedRankObeysTheSignalAllTheSame(Scene scene) {
        String rank = scene.script("rank", READY, "kill -s STOP $$", "exec sleep 600");
        Launched launcher = scene.job(3, "--grace", "10m").with(rank).start();
        scene.awaitFiles(ALL_READY);
        long sentAt = System.nanoTime();
        launcher.signal("TERM").await().endedWith(143);
        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isLessThan(SOON);
    }

    @OnEveryJdk
    void whenTheLauncherIsKilledNothingIsLeft(Scene scene) {
        checkKilled(scene, scene.script("obedient", READY, "exec sleep 600"));
        checkKilled(scene, scene.script("stubborn", "trap '' TERM", READY, "while :; do sleep 600; done"));
        checkKilled(scene, scene.script("escaping", "setsid sleep 600 &", READY, "exec sleep 600"));
    }

    private static void checkKilled(Scene scene, String rank) {
        for (String file : ALL_READY) {
            scene.beside(file).toFile().delete();
        }
        Launched launcher = scene.job(3, "--grace", "500ms").with(rank).start();
        scene.awaitFiles(ALL_READY);
        Result result = launcher.signal("KILL").await();
        assertThat(result.exitCode()).isEqualTo(137);
        // After the grace period.
        Await.until(
                "nothing is left of " + rank,
                () -> Processes.tagged(scene.tag()).isEmpty());
    }

    @Test
    void controlCInATerminalGivesEveryRankOneSignal(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap 'echo INT >> $scene/got-$RANK_ID' INT",
                "trap 'echo TERM >> $scene/got-$RANK_ID; exit 0' TERM",
                READY,
                "while :; do sleep 600 & wait; done");
        Invocation job = scene.job(3).with(rank);
        Result result = Terminal.around(scene, job, "\u0003", ALL_READY).run();
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(130);
        for (String file : List.of("got-0", "got-1", "got-2")) {
            assertThat(scene.beside(file)).hasContent("TERM");
        }
    }

    @Test
    void aRankThatCannotStartStopsThoseBeforeIt(Scene scene) {
        // The second working directory cannot be made: a file is in its place.
        String table = RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"));
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", table);
        assertThat(node.mount().resolve("workspace").toFile().mkdir()).isTrue();
        Scene.write(node.workDirectory(1), "");
        String rank = scene.script("rank", "exec sleep 600");
        node.muster(scene)
                .with(rank)
                .run()
                .endedWith(78)
                .says(node.workDirectory(1).toString());
        scene.assertNothingIsLeft();
        assertThat(Files.exists(node.log(1, 1))).isFalse();
    }
}
