package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Too few open files, too few processes of a user, or too little memory for the ranks. */
@ExtendWith(Scenes.class)
class LimitsIT {

    private static final String STARTED = "echo started > $scene/started-$me; exec sleep 600";

    /** Fewer open files than any process needs to start something. */
    static final int FEW_FILES = 4;

    @DisplayName("too few open files are a refusal before anything starts")
    @OnOneJdk
    void tooFewOpenFilesAreRefused(Scene scene) {
        scene.job(100)
                .with(scene.script("rank", STARTED))
                .after("ulimit -n 128")
                .run()
                .endedWith(78)
                .says("RLIMIT_NOFILE", "128", "100 processes need", "ulimit -n");
        assertThat(scene.beside("started-0")).doesNotExist();
        scene.job(30)
                .with(scene.script("rank", "ulimit -n > $scene/files-$me"))
                .after("ulimit -n 128")
                .run()
                .endedWith(0);
        assertThat(scene.beside("files-29")).hasContent("128");
    }

    @DisplayName("a soft limit that is too low is raised for the launcher alone")
    @OnOneJdk
    void aLowSoftLimitIsRaised(Scene scene) {
        scene.job(30)
                .with(scene.script("rank", "echo $(ulimit -Sn) $(ulimit -Hn) > $scene/files-$me"))
                .after("ulimit -Sn 64; ulimit -Hn 512")
                .run()
                .endedWith(0);
        assertThat(scene.beside("files-0")).hasContent("64 512");
        assertThat(scene.beside("files-29")).hasContent("64 512");
    }

    @DisplayName("two ranks run with 32 open files")
    @Test
    void thirtyTwoOpenFilesAreEnoughForTwoRanks(Scene scene) {
        scene.job(2)
                .with(scene.script("rank", "sleep 0.2; exit 3"))
                .after("ulimit -n 32")
                .run()
                .endedWith(3);
    }

    @DisplayName("too few open files for the launcher or the JVM itself are a refusal in one sentence")
    @Test
    void tooFewOpenFilesForTheLauncherAreRefused(Scene scene) {
        for (int most : new int[] {4, 5, 8, 23}) {
            Result result = scene.job(1)
                    .with(scene.script("rank", STARTED))
                    .after("ulimit -n " + most)
                    .run()
                    .endedWith(78)
                    .says("RLIMIT_NOFILE", "is " + most);
            assertThat(result.messages().lines()).hasSize(1);
        }
        scene.job(1)
                .with(scene.script("rank", STARTED))
                .behind(
                        "/bin/bash",
                        "-c",
                        "for n in {3..20}; do eval \"exec $n<&0\"; done; ulimit -n 24; exec \"$@\"",
                        "-")
                .run()
                .endedWith(75)
                .says("no more files can be opened here");
        assertThat(scene.beside("started-0")).doesNotExist();
    }

    @DisplayName("processes that a rank left end with the job, also when the launcher can open no file any more")
    @OnOneJdk
    void nobodyIsLeftWhereNoFileCanBeOpened(Scene scene) throws Exception {
        Components.require("prlimit", "setsid");
        Launched launcher = scene.job(1, "--grace", "1s")
                .with(scene.script(
                        "rank", "setsid sh -c \"trap '' TERM; : > $scene/up; while :; do sleep 0.05; done\" &", "wait"))
                .start();
        scene.awaitFiles("up");
        allowFewFiles(launcher);

        launcher.signal("TERM");

        launcher.await().endedWith(143);
        assertThat(Processes.tagged(scene.tag())).isEmpty();
    }

    /** A launcher of one rank that saves a file when it gets SIGTERM. */
    private static Launched saving(Scene scene) {
        Launched launcher = scene.job(1, "--grace", "5s")
                .with(scene.script(
                        "rank",
                        "trap 'sleep 0.2; : > $scene/saved-$me; exit 0' TERM",
                        ": > $scene/ready-$me",
                        "sleep 600 & wait"))
                .start();
        scene.awaitFiles("ready-0");
        return launcher.awaitMessage("started 1 rank");
    }

    /** Limits all processes of the launcher. */
    private static void allowFewFiles(Launched launcher) throws IOException, InterruptedException {
        for (long pid : List.of(launcher.pid(), launcher.inner(), launcher.jvm())) {
            Processes.allowFiles(pid, FEW_FILES);
        }
    }

    @DisplayName("a launcher that can open no file any more gives its ranks the grace, though its JVM is killed")
    @OnOneJdk
    void ranksHaveTheirGraceWhereNoFileCanBeOpened(Scene scene) throws Exception {
        Components.require("prlimit");
        for (boolean isJvmKilled : new boolean[] {false, true}) {
            Launched launcher = saving(scene);
            // muster ps must not end the job, either.
            Processes.allowFiles(launcher.jvm(), FEW_FILES);
            scene.muster("ps").run().endedWith(0);
            allowFewFiles(launcher);

            if (isJvmKilled) {
                launcher.killJvm();
            } else {
                launcher.signal("TERM");
            }

            launcher.await().endedWith(isJvmKilled ? 70 : 143);
            scene.assertNothingIsLeft();
            assertThat(scene.beside("saved-0").toFile().delete()).isTrue();
            assertThat(scene.beside("ready-0").toFile().delete()).isTrue();
        }
    }

    @DisplayName("outer and inner without memory do not change the exit code")
    @OnOneJdk
    void aSupervisorWithoutMemoryTellsTheCode(Scene scene) {
        Components.require("prlimit");
        Launched launcher = saving(scene);
        for (long pid : List.of(launcher.pid(), launcher.inner())) {
            scene.command("prlimit", "--pid", Long.toString(pid), "--as=4096")
                    .run()
                    .endedWith(0);
        }

        launcher.signal("TERM");

        launcher.await().endedWith(143);
        scene.assertFiles("saved-0");
    }

    @DisplayName("a memory limit too small for a JVM is named")
    @OnOneJdk
    void tooLittleMemoryForTheLauncherIsRefused(Scene scene) {
        scene.job(1)
                .with(scene.script("rank", STARTED))
                .after("ulimit -v 512000")
                .run()
                .endedWith(78)
                .says("RLIMIT_AS (ulimit -v) is 512000 KiB", "Raise it");
        Result result = scene.job(1)
                .with(scene.script("rank", STARTED))
                .after("ulimit -d 50000")
                .run()
                .endedWith(78)
                .says("RLIMIT_DATA (ulimit -d) is 50000 KiB", "Raise it");
        assertThat(result.messages().lines()).hasSize(1);
    }

    @DisplayName("a user's limit of processes that is too small is named")
    @Test
    void tooFewProcessesOfTheUserAreRefused(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("setpriv", "prlimit");
        String user = "65431";
        scene.beside("logs").toFile().mkdir();
        scene.command("chown", user, scene.beside("logs").toString()).run().endedWith(0);
        for (int most : new int[] {12, 48}) {
            scene.job(40, "--log-dir", scene.beside("logs").toString())
                    .with(scene.script("rank", STARTED))
                    .behind(
                            "setpriv",
                            "--reuid=" + user,
                            "--regid=" + user,
                            "--clear-groups",
                            "--inh-caps=-all",
                            "prlimit",
                            "--nproc=" + most + ":" + most)
                    .run()
                    .endedWith(78)
                    .says(
                            most < 24
                                    ? new String[] {"the launcher needs 24 processes and threads", "ulimit -u"}
                                    : new String[] {"RLIMIT_NPROC", "user " + user, "is " + most});
        }
    }

    @DisplayName("a message about a very long value shows its beginning, length and end, and what is wrong with it")
    @Test
    void aLongValueIsNotShownWhole(Scene scene) {
        String value = "begins" + "x".repeat(70_000);
        for (String[] words :
                new String[][] {{"--grace", value}, {"-o", value}, {"--cards=" + value}, {"--" + value}}) {
            Invocation job = scene.muster(words).with("--engine", "pytorch-gpu", "--platform", "none", "--", "true");
            Result result = job.answer();
            assertThat(result.exitCode()).isIn(64, 69);
            result.says("begins", "... (7", "characters) ...");
            assertThat(result.messages()).hasSizeLessThan(2000);
        }
        Result stop = scene.muster("stop", "--grace", value).run().endedWith(64).says("--grace", "is not a duration");
        assertThat(stop.messages()).hasSizeLessThan(2000);
    }
}
