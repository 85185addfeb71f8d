package dev.muster.e2e;

import static dev.muster.e2e.SavingJob.asStranger;
import static dev.muster.e2e.SavingJob.assertSaved;
import static dev.muster.e2e.SavingJob.lying;
import static dev.muster.e2e.SavingJob.saver;
import static dev.muster.e2e.SavingJob.started;
import static dev.muster.e2e.SavingJob.stubborn;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A launcher obeys a stop with the right exit code, even if it is suspended, or out of threads or memory. */
@Order(1)
@ExtendWith(Scenes.class)
class StopIT {

    @DisplayName("SIGTERM is obeyed when no thread and no process can be made")
    @OnOneJdk
    void aStopNeedsNoThread(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv", "prlimit");
        scene.command("chmod", "-R", "777", scene.beside("").toString()).run();
        Launched launcher = started(
                scene,
                scene.job(2, "--grace", "10m")
                        .with(scene.script(
                                "rank",
                                "trap ': > $scene/saved-$me; exit 0' TERM",
                                ": > $scene/ready-$me",
                                "exec 9<> $scene/never",
                                "while :; do read -r line <&9; done"))
                        .after("mkfifo -m 666 " + scene.beside("never"))
                        .behind(asStranger(SavingJob.STRANGER)));
        for (long pid : List.of(launcher.pid(), launcher.inner(), launcher.jvm())) {
            scene.command("prlimit", "--pid", Long.toString(pid), "--nproc=1:1")
                    .behind(asStranger(SavingJob.STRANGER))
                    .run()
                    .endedWith(0);
        }
        launcher.signal("TERM").await().endedWith(143).says("stopped by SIGTERM");
        assertSaved(scene);
    }

    @DisplayName("SIGTERM is obeyed by a launcher whose JVM is suspended")
    @Tag("repeated")
    @OnOneJdk
    void aStoppedLauncherObeys(Scene scene) {
        Launched launcher = started(scene, scene.job(2).with(saver(scene)));
        Processes.signal("STOP", launcher.jvm());
        launcher.signal("TERM").await().endedWith(143).says("exit 143: stopped by SIGTERM");
        assertSaved(scene);
    }

    @DisplayName("a signal to all of the launcher's processes, as systemd and Slurm send it, is one stop")
    @OnOneJdk
    void aSignalToAllIsOneStop(Scene scene) {
        Launched launcher = started(scene, scene.job(2).with(saver(scene)));
        for (long pid : List.of(launcher.pid(), launcher.inner(), launcher.jvm())) {
            Processes.signal("INT", pid);
        }
        launcher.await().endedWith(130).says("exit 130: stopped by SIGINT").doesNotSay("again");
        assertSaved(scene);
    }

    @DisplayName("SIGTERM is obeyed by a launcher whose JVM is suspended after it has received the signal")
    @OnOneJdk
    void aLauncherThatIsStoppedMeanwhileObeys(Scene scene) {
        Launched launcher = started(
                scene,
                scene.job(2, "--grace", "1s")
                        .with(scene.script(
                                "rank", "trap '' TERM", ": > $scene/ready-$me", "while :; do sleep 0.1; done")));
        launcher.signal("TERM").awaitMessage("received SIGTERM");

        Processes.signal("STOP", launcher.jvm());

        launcher.await().endedWith(143).says("SIGKILL after the grace period");
        scene.assertNothingIsLeft();
    }

    @DisplayName("SIGTERM is obeyed when the heap gets full in the same moment")
    @Test
    void aStopWithAFullHeap(Scene scene) {
        Path when = scene.beside("now");
        Launched launcher = started(
                scene, lying(scene, "fill").set("E2E_WHEN", when.toString()).with(saver(scene)));
        launcher.signal("TERM");
        Scene.write(when, "");
        launcher.await().endedWith(143).says("exit 143: stopped by SIGTERM");
        assertSaved(scene);
    }

    @DisplayName("SIGTERM is obeyed while a plugin hangs")
    @Tag("repeated")
    @OnOneJdk
    void aHangingPluginIsStopped(Scene scene) {
        Launched launcher = lying(scene, "hang").with("true").start();
        launcher.jvm();
        launcher.signal("TERM").await().wasTerminated();
        scene.assertNothingIsLeft();
    }

    @DisplayName("SIGTERM is obeyed when a plugin has suspended the launcher's main thread, or all of them")
    @OnOneJdk
    void suspendedThreadsAreNoWayOut(Scene scene) {
        Assumptions.assumeTrue(scene.jdk().feature() < 20, "no plugin can suspend a thread of this JDK");
        for (String lie : List.of("suspend main", "suspend all")) {
            Path when = scene.beside("now");
            Launched launcher = started(
                    scene, lying(scene, lie).set("E2E_WHEN", when.toString()).with(saver(scene)));
            Scene.write(when, "");
            scene.awaitFiles("now.done");
            launcher.signal("TERM").await().endedWith(143).says("exit 143: stopped by SIGTERM");
            assertSaved(scene);
            SavingJob.forget(scene);
            for (String file : new String[] {"now", "now.done"}) {
                assertThat(scene.beside(file).toFile().delete()).isTrue();
            }
        }
    }

    @DisplayName("SIGKILL to the launcher's process group does not reach inner, and ranks have their grace")
    @Test
    void aKilledGroupLeavesNothing(Scene scene) {
        Components.require("setsid");
        Launched launcher =
                started(scene, scene.job(2, "--grace", "5s").with(saver(scene)).behind("setsid"));
        scene.command("/bin/sh", "-c", "kill -s KILL -- -" + launcher.pid())
                .run()
                .endedWith(0);
        launcher.await();
        Await.until("everything has ended", () -> Processes.tagged(scene.tag()).isEmpty());
        assertSaved(scene);
    }

    @DisplayName("a SIGINT to the launcher's process group counts once; a second one ends the grace")
    @OnOneJdk
    void anInterruptOfBothCountsOnce(Scene scene) {
        Components.require("setsid");
        String rank = scene.script(
                "rank",
                "trap 'sleep 0.3; : > $scene/saved-$me' TERM",
                ": > $scene/ready-$me",
                "while :; do sleep 600 & wait; done");
        Launched launcher =
                started(scene, scene.job(2, "--grace", "10m").with(rank).behind("setsid"));
        Invocation interrupt = scene.command("/bin/sh", "-c", "kill -s INT -- -" + launcher.pid());
        interrupt.run().endedWith(0);
        scene.awaitFiles("saved-0", "saved-1");
        assertThat(launcher.messages()).doesNotContain("SIGKILL");
        interrupt.run().endedWith(0);
        launcher.await().endedWith(130).says("SIGKILL");
        scene.assertNothingIsLeft();
    }

    @DisplayName("a launcher obeys SIGINT, although the background script that started it ignores SIGINT")
    @Test
    void anIgnoredInterruptIsObeyed(Scene scene) {
        Launched launcher =
                started(scene, scene.job(2, "--grace", "5s").with(saver(scene)).after("trap '' INT QUIT"));
        launcher.signal("INT").await().endedWith(130);
        assertSaved(scene);
    }

    @DisplayName("a launcher gets signals that its caller blocks, and its ranks block what the caller blocks")
    @OnOneJdk
    void blockedSignalsAreHeard(Scene scene) {
        // The signals of a stop, SIGCHLD for the shell, and the signals that a JVM sends to its own threads.
        String rank = scene.script("rank", ": > $scene/ready-$me", "exec grep SigBlk /proc/self/status");
        String[] deaf = {"/usr/bin/env", "--block-signal=TERM,INT,HUP,USR1,CHLD,62,64"};
        Result result = scene.job(2).with(rank).behind(deaf).run().endedWith(0);
        assertThat(result.outputLines()).hasSize(2).allMatch(line -> line.matches(".*SigBlk:\\sa00000000001420[37]"));
        Launched launcher = scene.job(2, "--grace", "1s")
                .with(scene.script("sleeper", ": > $scene/up-$me", "exec sleep 600"))
                .behind(deaf)
                .start();
        scene.awaitFiles("up-0", "up-1");
        launcher.signal("TERM").await().endedWith(143).says("SIGKILL");
        scene.assertNothingIsLeft();
    }

    @DisplayName("a stop that comes at the same moment as another signal is obeyed")
    @OnOneJdk
    void aStopBesideAnotherSignalIsObeyed(Scene scene) {
        Launched launcher = started(scene, scene.job(2, "--grace", "5s").with(saver(scene)));
        launcher.signal("STOP");
        Await.until("outer has stopped", () -> Processes.standsStill(launcher.pid()));
        launcher.signal("INT").signal("QUIT").signal("CONT").await().endedWith(130);
        assertSaved(scene);
    }

    @DisplayName("the exit code of --exit-codes modelarts after SIGTERM holds, also if the JVM was killed")
    @Test
    void theStyleOfCodesHoldsWithoutAJvm(Scene scene) {
        Launched launcher = started(
                scene,
                scene.job(2, "--grace", "2s", "--exit-codes", "modelarts").with(stubborn(scene)));
        launcher.signal("TERM").awaitMessage("received SIGTERM");
        Processes.signal("KILL", launcher.jvm());
        launcher.await().endedWith(0).says("exit 0: stopped by SIGTERM");
        scene.assertNothingIsLeft();
    }
}
