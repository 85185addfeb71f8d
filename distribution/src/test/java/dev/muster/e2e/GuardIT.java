package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** 1 and 2: whatever ends the launcher, or keeps it from anything, its ranks end with their grace, and the code is right. */
@Order(1)
@ExtendWith(Scenes.class)
class GuardIT {

    /** A stop that nobody delays. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private static final String[] READY = {"ready-0", "ready-1"};
    private static final int STRANGER = 47110;

    /** Ranks that need a moment to save what they have. */
    private static String saver(Scene scene) {
        return scene.script(
                "rank",
                "trap 'sleep 0.2; : > $scene/saved-$me; exit 0' TERM",
                ": > $scene/ready-$me",
                "sleep 600 & wait");
    }

    private static String stubborn(Scene scene) {
        return scene.script("rank", "trap '' TERM", ": > $scene/ready-$me", "exec sleep 600");
    }

    private static Invocation lying(Scene scene, String lie) {
        return scene.apart(scene.command(LyingEngine.installed(scene), "--engine", "lying", "--platform", "none"))
                .with("--job-id", "e2e", "--grace", "5s", "--")
                .set("E2E_LIE", lie);
    }

    private static Launched started(Scene scene, Invocation job) {
        Launched launcher = job.start();
        scene.awaitFiles(READY);
        return launcher;
    }

    private static void assertSaved(Scene scene) {
        scene.assertNothingIsLeft();
        scene.assertFiles("saved-0", "saved-1");
    }

    // --- 1: a launcher that ends without a verdict

    @DisplayName(
            "1.1 a JVM that is killed is 70; its ranks have their grace, and it is over when those are that do not obey")
    @OnEveryJdk
    void aKilledJvmIsNoVerdict(Scene scene) {
        String rank = scene.script(
                "rank",
                "[ $me = 0 ] || { trap '' TERM; : > $scene/ready-$me; exec sleep 600; }",
                "trap 'sleep 0.2; : > $scene/saved-$me; exit 0' TERM",
                ": > $scene/ready-$me",
                "sleep 600 & wait");
        Launched launcher = started(scene, scene.job(2, "--grace", "2s").with(rank));
        Processes.signal("KILL", launcher.jvm());
        launcher.await()
                .endedWith(70)
                .says("exit 70: the launcher's JVM was killed by SIGKILL", "what it has started is being stopped");
        assertThat(Processes.tagged(scene.tag())).isEmpty();
        scene.assertFiles("saved-0");
    }

    @DisplayName(
            "1.1c the same where standard error is a file that may not grow any more: a word is lost, not the code")
    @Test
    void aFullFileIsNoCode(Scene scene) {
        Components.require("prlimit");
        Launched launcher = started(scene, scene.job(2, "--grace", "5s").with(saver(scene)));
        scene.command("prlimit", "--pid", Long.toString(launcher.pid()), "--fsize=1")
                .run()
                .endedWith(0);
        Processes.signal("KILL", launcher.jvm());
        launcher.await().endedWith(70);
        assertSaved(scene);
        scene.job(1)
                .with("true")
                .after("ulimit -f 0")
                .set("JAVA_HOME", scene.beside("none").toString())
                .set("PATH", "/none")
                .run()
                .endedWith(69);
    }

    @DisplayName("1.1d nobody waits for ever for what hangs in the kernel, and has not ended 10 s after SIGKILL")
    @Test
    void whatCannotBeKilledIsNotWaitedFor(Scene scene) throws IOException {
        Path all = Path.of("/sys/fs/cgroup/freezer");
        Assumptions.assumeTrue(Files.isWritable(all.resolve("tasks")), "whoever is frozen here can be killed");
        Path group = Files.createDirectory(all.resolve("muster-e2e-" + scene.tag()));
        String rank = scene.script(
                "rank",
                "[ $me = 1 ] || echo $$ > " + group.resolve("cgroup.procs"),
                ": > $scene/ready-$me",
                "while :; do sleep 0.02; done");
        try {
            Launched launcher = started(scene, scene.job(2, "--grace", "500ms").with(rank));
            Scene.write(group.resolve("freezer.state"), "FROZEN");
            Processes.signal("KILL", launcher.jvm());
            launcher.await().endedWith(70).says("(they hang in the kernel)");
        } finally {
            Scene.write(group.resolve("freezer.state"), "THAWED");
        }
        scene.assertNothingIsLeft();
        Await.until("the group is empty", () -> group.toFile().delete());
    }

    @DisplayName("1.2 a plugin that ends the JVM is no success, and not what it says, also of a plan")
    @Tag("repeated")
    @Test
    void aPluginThatEndsTheJvmIsNoSuccess(Scene scene) {
        List<String> lies = List.of("halt", "exit", "exit 3");
        for (String lie : lies) {
            lying(scene, lie).with(saver(scene)).run().endedWith(70).says("exit 70: the launcher's JVM");
        }
        for (String lie : Repetitions.isFull() ? lies : lies.subList(0, 1)) {
            scene.command(LyingEngine.installed(scene), "plan", "--engine", "lying", "--platform", "none")
                    .with("--", "true")
                    .set("E2E_LIE", lie)
                    .run()
                    .endedWith(70);
        }
        assertThat(scene.beside("ready-0")).doesNotExist();
    }

    @DisplayName("1.2b the same while ranks run")
    @Tag("repeated")
    @OnOneJdk
    void aPluginThatEndsTheJvmLaterIsNoSuccess(Scene scene) {
        Path when = scene.beside("now");
        Launched launcher = started(
                scene, lying(scene, "halt").set("E2E_WHEN", when.toString()).with(saver(scene)));
        Scene.write(when, "");
        launcher.await().endedWith(70).says("exit 70: the launcher's JVM ended with exit status 0");
        assertSaved(scene);
    }

    @DisplayName("1.3 an Error of a plugin is 70 in one sentence")
    @Tag("repeated")
    @OnOneJdk
    void anErrorIsOneSentence(Scene scene) {
        Result result = lying(scene, "error").with("true").run().endedWith(70);
        assertThat(result.messages().lines().filter(line -> line.contains("exit 70:")))
                .hasSize(1);
        assertThat(result.messages()).doesNotContain("\tat ");
    }

    @DisplayName("1.4 a heap that is full while ranks run is 70")
    @OnEveryJdk
    void aFullHeapIsNoCodeOfARank(Scene scene) {
        Path when = scene.beside("now");
        Launched launcher = started(
                scene, lying(scene, "fill").set("E2E_WHEN", when.toString()).with(saver(scene)));
        Scene.write(when, "");
        Result result = launcher.await().endedWith(70).says("exit 70: the launcher's JVM ran out of memory");
        assertSaved(scene);
        assertThat(result.output()).isEmpty();
    }

    @DisplayName("1.4b a JVM that crashes, and one that shows its threads, writes nothing between the lines of ranks")
    @OnEveryJdk
    void theJvmSaysNothingOfItsOwn(Scene scene) {
        Launched launcher = started(scene, scene.job(2, "--grace", "5s").with(saver(scene)));
        // What the guard writes at SIGQUIT, which a JDK 17 that runs these tests blocks in all that it starts.
        scene.command("/bin/sh", "-c", "echo QUIT > /proc/" + launcher.jvm() + "/fd/3")
                .run()
                .endedWith(0);
        launcher.awaitMessage("muster: thread main: ");
        Processes.signal("SEGV", launcher.jvm());
        Result result = launcher.await().endedWith(70).says("exit 70: the launcher's JVM was killed by SIGABRT");
        assertSaved(scene);
        assertThat(result.output()).isEmpty();
        assertThat(result.messages()).doesNotContain("fatal error");
    }

    @DisplayName("1.5 no thread and no process more: every limit ends well")
    @Tag("repeated")
    @Test
    void atEveryLimitNothingIsLeft(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv", "prlimit");
        scene.command("chmod", "-R", "777", scene.beside("").toString()).run();
        String rank = scene.script("rank", "while :; do sleep 60 & done 2> /dev/null");
        for (int limit = 2; limit <= 40; limit += Repetitions.isFull() ? 1 : 9) {
            Result result = scene.job(4, "--grace", "2s")
                    .with(rank)
                    .behind(asStranger(STRANGER + limit, "prlimit", "--nproc=" + limit + ":" + limit))
                    .start()
                    .await(Duration.ofSeconds(30));
            assertThat(result.exitCode())
                    .as("at %s: %s", limit, result)
                    .isNotZero()
                    .isNotEqualTo(1);
            assertThat(result.messages()).as("at %s", limit).contains("muster: exit " + result.exitCode() + ": ");
            scene.assertNothingIsLeft();
        }
    }

    // --- 2: signals

    private static String[] asStranger(int uid, String... more) {
        List<String> words = new ArrayList<>(
                List.of("setpriv", "--reuid", Integer.toString(uid), "--regid", "47110", "--clear-groups"));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    @DisplayName("2.1 SIGTERM is obeyed when no thread and no process can be made")
    @OnEveryJdk
    void aStopNeedsNoThread(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv", "prlimit");
        scene.command("chmod", "-R", "777", scene.beside("").toString()).run();
        Launched launcher = started(
                scene,
                scene.job(2)
                        .with(scene.script(
                                "rank",
                                "trap ': > $scene/saved-$me; exit 0' TERM",
                                ": > $scene/ready-$me",
                                "exec 9<> $scene/never",
                                "while :; do read -r line <&9; done"))
                        .after("mkfifo -m 666 " + scene.beside("never"))
                        .behind(asStranger(STRANGER)));
        for (long pid : List.of(launcher.pid(), launcher.jvm())) {
            scene.command("prlimit", "--pid", Long.toString(pid), "--nproc=1:1")
                    .behind(asStranger(STRANGER))
                    .run()
                    .endedWith(0);
        }
        long sentAt = System.nanoTime();
        launcher.signal("TERM").await().endedWith(143).says("stopped by SIGTERM");
        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isLessThan(SOON);
        assertSaved(scene);
    }

    @DisplayName("2.2 SIGTERM is obeyed by a launcher that stands still, or that never answers")
    @Tag("repeated")
    @OnOneJdk
    void aStoppedLauncherObeys(Scene scene) {
        Launched launcher = started(scene, scene.job(2).with(saver(scene)));
        Processes.signal("STOP", launcher.jvm());
        launcher.signal("TERM").await().endedWith(143).says("exit 143: stopped by SIGTERM");
        assertSaved(scene);
    }

    @DisplayName("2.3 SIGTERM is obeyed when the heap gets full in the same moment")
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

    @DisplayName("2.4 SIGTERM is obeyed while a plugin hangs")
    @Tag("repeated")
    @OnOneJdk
    void aHangingPluginIsStopped(Scene scene) {
        Launched launcher = lying(scene, "hang").with("true").start();
        launcher.jvm();
        long sentAt = System.nanoTime();
        launcher.signal("TERM").await().wasTerminated();
        assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isLessThan(Duration.ofSeconds(4));
        scene.assertNothingIsLeft();
    }

    @DisplayName("2.4b SIGTERM is obeyed when a plugin has suspended the launcher's main thread, or all of them")
    @OnEveryJdk
    void suspendedThreadsAreNoWayOut(Scene scene) {
        Assumptions.assumeTrue(scene.jdk().feature() < 20, "no plugin can suspend a thread of this JDK");
        for (String lie : List.of("suspend main", "suspend all")) {
            Path when = scene.beside("now");
            Launched launcher = started(
                    scene, lying(scene, lie).set("E2E_WHEN", when.toString()).with(saver(scene)));
            Scene.write(when, "");
            scene.awaitFiles("now.done");
            launcher.signal("TERM").await(Duration.ofSeconds(10)).endedWith(143).says("exit 143: stopped by SIGTERM");
            assertSaved(scene);
            for (String file : new String[] {"ready-0", "ready-1", "saved-0", "saved-1", "now", "now.done"}) {
                assertThat(scene.beside(file).toFile().delete()).isTrue();
            }
        }
    }

    @DisplayName(
            "2.5 a killed start script is a killed launcher: a stop with the grace and 75, also with MUSTER_INIT=1")
    @Tag("repeated")
    @OnEveryJdk
    void aKilledStartScriptIsAStop(Scene scene) {
        for (String init : scene.jdk().share(List.of("0", "1"))) {
            Launched launcher = started(
                    scene, scene.job(2, "--grace", "5s").with(saver(scene)).set("MUSTER_INIT", init));
            launcher.signal("KILL").await();
            Await.until(
                    "everything has ended", () -> Processes.tagged(scene.tag()).isEmpty());
            assertSaved(scene);
            assertThat(Json.parse(Scene.read(scene.resultFile()))
                            .get("exitCode")
                            .asInt())
                    .isEqualTo(75);
            for (String file : new String[] {"ready-0", "ready-1", "saved-0", "saved-1"}) {
                assertThat(scene.beside(file).toFile().delete()).isTrue();
            }
        }
    }

    @DisplayName(
            "2.6, 4.7 SIGKILL to the whole group leaves the warden, and nothing else once the ranks had their grace")
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

    @DisplayName("2.7 one SIGINT to script and JVM is one, the second ends the grace")
    @OnEveryJdk
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

    @DisplayName("2.8 a script in the background ignores SIGINT; its launcher does not")
    @Test
    void anIgnoredInterruptIsObeyed(Scene scene) {
        Launched launcher =
                started(scene, scene.job(2, "--grace", "5s").with(saver(scene)).after("trap '' INT QUIT"));
        launcher.signal("INT").await().endedWith(130);
        assertSaved(scene);
    }

    @DisplayName(
            "2.8b whoever starts a launcher may block signals; it hears them, ends, and its ranks are not deaf either")
    @OnEveryJdk
    void blockedSignalsAreHeard(Scene scene) {
        // Those of a stop, what a shell waits for, and what a JVM wakes its own threads with.
        String rank = scene.script("deaf", "grep SigBlk /proc/self/status", "exec " + saver(scene));
        String[] deaf = {"/usr/bin/env", "--block-signal=TERM,INT,HUP,USR1,CHLD,34,62,64"};
        Launched launcher =
                started(scene, scene.job(2, "--grace", "5s").with(rank).behind(deaf));
        Result result = launcher.signal("TERM").await(Duration.ofSeconds(20)).endedWith(143);
        assertSaved(scene);
        assertThat(result.outputLines()).hasSize(2).allMatch(line -> line.matches(".*SigBlk:\\s0{16}"));
    }

    @DisplayName("2.8d a stop that comes at the same moment as another signal is obeyed")
    @OnEveryJdk
    void aStopBesideAnotherSignalIsObeyed(Scene scene) {
        Launched launcher = started(scene, scene.job(2, "--grace", "5s").with(saver(scene)));
        launcher.signal("STOP");
        Await.until("the script has stopped", () -> Processes.standsStill(launcher.pid()));
        launcher.signal("INT").signal("QUIT").signal("CONT").await().endedWith(130);
        assertSaved(scene);
    }

    @DisplayName("2.9 what ModelArts' own script ends with after SIGTERM stays, also when the JVM cannot tell any more")
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
