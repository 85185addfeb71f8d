package dev.muster.e2e;

import static dev.muster.e2e.SavingJob.asStranger;
import static dev.muster.e2e.SavingJob.assertSaved;
import static dev.muster.e2e.SavingJob.lying;
import static dev.muster.e2e.SavingJob.saver;
import static dev.muster.e2e.SavingJob.started;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The JVM, inner or outer is killed: ranks have their grace, and the exit code is right. */
@Order(1)
@ExtendWith(Scenes.class)
class SupervisorIT {

    @DisplayName("a killed JVM is 70; ranks have their grace, and the launcher ends after ranks that ignore SIGTERM")
    @OnOneJdk
    void aKilledJvmIsNoVerdict(Scene scene) {
        String rank = scene.script(
                "rank",
                "[ $me = 0 ] || { trap '' TERM; : > $scene/ready-$me; exec sleep 600; }",
                "trap 'sleep 0.2; : > $scene/saved-$me; exit 0' TERM",
                ": > $scene/ready-$me",
                "sleep 600 & wait");
        Launched launcher = started(scene, scene.job(2, "--grace", "5s").with(rank));
        Processes.signal("KILL", launcher.jvm());
        launcher.await().endedWith(70).says("exit 70: the launcher's JVM was killed by SIGKILL");
        assertThat(Processes.tagged(scene.tag())).isEmpty();
        scene.assertFiles("saved-0");
    }

    @DisplayName("a killed JVM is 70 also if standard error is a file that may not grow: only the message is lost")
    @Test
    void aFullFileIsNoCode(Scene scene) {
        Components.require("prlimit");
        Launched launcher = started(scene, scene.job(2, "--grace", "5s").with(saver(scene)));
        for (long pid : List.of(launcher.pid(), launcher.inner())) {
            scene.command("prlimit", "--pid", Long.toString(pid), "--fsize=1")
                    .run()
                    .endedWith(0);
        }
        Processes.signal("KILL", launcher.jvm());
        launcher.await().endedWith(70);
        assertSaved(scene);
        scene.generic()
                .job(1)
                .with("true")
                .after("ulimit -f 0")
                .set("JAVA_HOME", scene.beside("none").toString())
                .set("PATH", "/none")
                .run()
                .endedWith(69);
    }

    @DisplayName("the launcher does not wait for a process that hangs in the kernel 10 s after SIGKILL")
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
            launcher.await().endedWith(70).says("still there 10 s after SIGKILL (it hangs in the kernel)");
        } finally {
            Scene.write(group.resolve("freezer.state"), "THAWED");
        }
        scene.assertNothingIsLeft();
        Await.until("the group is empty", () -> group.toFile().delete());
    }

    /** {@link HostilePluginsIT} has plugins that end the JVM before ranks run. */
    @DisplayName("a plugin that ends the JVM while ranks run is no success")
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

    @DisplayName("a heap that is full while ranks run is 70")
    @OnOneJdk
    void aFullHeapIsNoCodeOfARank(Scene scene) {
        Path when = scene.beside("now");
        Launched launcher = started(
                scene, lying(scene, "fill").set("E2E_WHEN", when.toString()).with(saver(scene)));
        Scene.write(when, "");
        Result result = launcher.await().endedWith(70).says("exit 70: the launcher's JVM ran out of memory");
        assertSaved(scene);
        assertThat(result.output()).isEmpty();
    }

    @DisplayName("a JVM that crashes, and one that shows its threads, writes nothing between the lines of ranks")
    @OnOneJdk
    void theJvmSaysNothingOfItsOwn(Scene scene) {
        Launched launcher = started(scene, scene.job(2, "--grace", "5s").with(saver(scene)));
        launcher.signal("QUIT").awaitMessage("muster: thread main: ");
        Processes.signal("SEGV", launcher.jvm());
        Result result = launcher.await().endedWith(70).says("exit 70: the launcher's JVM was killed by SIGABRT");
        assertSaved(scene);
        assertThat(result.output()).isEmpty();
        assertThat(result.messages()).doesNotContain("fatal error");
    }

    @DisplayName("at every limit of processes the launcher ends with a code and a reason, and leaves nothing")
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
                    .behind(asStranger(SavingJob.STRANGER + limit, "prlimit", "--nproc=" + limit + ":" + limit))
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

    @DisplayName("a killed inner is 75; ranks have their grace, and processes that they left end, too")
    @Tag("repeated")
    @OnOneJdk
    void aKilledInnerIsAStop(Scene scene) {
        String rank = scene.script(
                "rank",
                "env -i setsid sh -c 'trap \"\" TERM; : > $0; while :; do sleep 0.1; done' $scene/left-$me &",
                "until [ -e $scene/left-$me ]; do sleep 0.01; done",
                "exec " + saver(scene, "saver"));
        Launched launcher = started(scene, scene.job(2, "--grace", "5s").with(rank));
        Processes.signal("KILL", launcher.inner());
        launcher.await().endedWith(75).says("exit 75: the supervisor process was killed");
        assertSaved(scene);
    }

    @DisplayName("a killed outer is a stop with the grace, and 75 in the result")
    @Tag("repeated")
    @OnOneJdk
    void aKilledOuterIsAStop(Scene scene) {
        Launched launcher = started(scene, scene.job(2, "--grace", "5s").with(saver(scene)));
        launcher.signal("KILL").await();
        assertSaved(scene);
        assertThat(Json.parse(Scene.read(scene.resultFile())).get("exitCode").asInt())
                .isEqualTo(75);
    }

    @DisplayName("a suspended JVM, inner or outer delays a stop by 3 s at most")
    @Tag("repeated")
    @Test
    void aSuspendedProcessHoldsNoStop(Scene scene) {
        for (int which = 0; which < 3; which++) {
            Launched launcher = started(scene, scene.job(2, "--grace", "10m").with(saver(scene)));
            long[] pids = {launcher.jvm(), launcher.inner(), launcher.pid()};
            Processes.signal("STOP", pids[which]);
            launcher.signal("TERM");
            if (pids[which] == launcher.pid()) {
                // A suspended outer handles no signal before SIGCONT. The other two may have ended already.
                launcher.signal("CONT");
            }
            launcher.await().endedWith(143).says("exit 143: stopped by SIGTERM");
            assertSaved(scene);
            SavingJob.forget(scene);
        }
    }

    @DisplayName("a rank can print much while it saves after the JVM was killed; the lost bytes are counted")
    @Test
    void whoPrintsWhileItSavesIsNotDisturbed(Scene scene) {
        String save = "trap 'trap \"\" TERM; seq 100000; echo saved > $scene/saved-$me; exit' TERM";
        Launched launcher = started(
                scene,
                scene.job(2, "--grace", "60s")
                        .with(scene.script("rank", save, ": > $scene/ready-$me", "sleep 600 & wait")));
        launcher.killJvm().await().endedWith(70).says("1177790 bytes that were printed after that are lost");
        assertSaved(scene);
    }
}
