package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** 9: too few open files or processes for the ranks. */
@ExtendWith(Scenes.class)
class LimitsIT {

    private static final Path PIDS = Path.of("/sys/fs/cgroup/pids");
    private static final String STARTED = "echo started > $scene/started-$me; exec sleep 600";

    @DisplayName("9.1 too few open files are a refusal before anything starts")
    @OnEveryJdk
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

    @DisplayName("9.1b a soft limit that is too low is raised for the launcher alone")
    @OnEveryJdk
    void aLowSoftLimitIsRaised(Scene scene) {
        scene.job(30)
                .with(scene.script("rank", "echo $(ulimit -Sn) $(ulimit -Hn) > $scene/files-$me"))
                .after("ulimit -Sn 64; ulimit -Hn 512")
                .run()
                .endedWith(0);
        assertThat(scene.beside("files-0")).hasContent("64 512");
        assertThat(scene.beside("files-29")).hasContent("64 512");
    }

    @DisplayName("9.1c where script and JVM themselves could not open their files, a sentence says so")
    @Test
    void tooFewOpenFilesForTheLauncherAreRefused(Scene scene) {
        for (int most : new int[] {4, 5, 6, 8, 10, 16, 23}) {
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
                        "for n in {3..17}; do eval \"exec $n<&0\"; done; ulimit -n 24; exec \"$@\"",
                        "-")
                .run()
                .endedWith(75)
                .says("no more files can be opened here");
        assertThat(scene.beside("started-0")).doesNotExist();
    }

    @DisplayName("9.1e a limit of open files that is reached while ranks run hides nobody: what they left is ended")
    @OnEveryJdk
    void nobodyIsLeftWhereNoFileCanBeOpened(Scene scene) throws Exception {
        Components.require("prlimit", "setsid");
        Launched launcher = scene.job(1, "--grace", "1s")
                .with(scene.script(
                        "rank", "setsid sh -c \"trap '' TERM; : > $scene/up; while :; do sleep 0.05; done\" &", "wait"))
                .start();
        scene.awaitFiles("up");
        // A rank may be quicker than its launcher, which looks at it first of all.
        launcher.awaitMessage("started 1 rank");
        allowFewFiles(launcher.jvm());

        launcher.signal("TERM");

        launcher.await().endedWith(143).says("no more files can be opened here");
        assertThat(Processes.tagged(scene.tag())).isEmpty();
    }

    private static void allowFewFiles(long pid) throws Exception {
        allowFiles(pid, 4);
    }

    private static void allowFiles(long pid, int most) throws Exception {
        Process limit = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--nofile=" + most + ":").start();
        assertThat(limit.waitFor()).isZero();
    }

    /** A launcher of one rank that saves something when it is stopped. */
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

    @DisplayName("9.1f the same under mpirun: ranks have their grace, and what they print meanwhile is kept")
    @OnEveryJdk
    void ranksOfMpirunHaveTheirGraceWhereNoFileCanBeOpened(Scene scene) throws Exception {
        Components.require("prlimit");
        Launched launcher = mpirun(
                        scene,
                        "trap 'sleep 0.2; echo has saved; : > $scene/saved-$OMPI_COMM_WORLD_RANK; exit 0' TERM",
                        ": > $scene/ready-$OMPI_COMM_WORLD_RANK",
                        "sleep 600 & wait")
                .start();
        scene.awaitFiles("ready-0", "ready-1");
        launcher.awaitMessage("started 1 process");
        allowFewFiles(launcher.jvm());

        launcher.signal("TERM");

        Result result = launcher.await().endedWith(143).says("no more files can be opened here");
        scene.assertFiles("saved-0", "saved-1");
        assertThat(result.output().lines().filter(line -> line.contains("has saved")))
                .hasSize(2);
        scene.assertNothingIsLeft();
    }

    @DisplayName("9.1h a stop reaches a launcher whose shell can open no file any more")
    @OnEveryJdk
    void aShellThatCanOpenNoFilePassesAStopOn(Scene scene) throws Exception {
        Components.require("prlimit");
        Launched launcher = saving(scene);
        allowFewFiles(launcher.pid());

        launcher.signal("TERM");

        assertThat(launcher.await().endedWith(143).duration()).isLessThan(Duration.ofSeconds(8));
        scene.assertFiles("saved-0");
        scene.assertNothingIsLeft();
    }

    @DisplayName("9.1i a warden whose limit of open files was lowered ends the ranks of a killed launcher all the same")
    @OnEveryJdk
    void aWardenWithFewFilesEndsTheRanks(Scene scene) throws Exception {
        Components.require("prlimit");
        Launched launcher = saving(scene);
        allowFewFiles(Wardens.only(scene));
        // Nor has the shell a free one, with which it could say why.
        allowFiles(launcher.pid(), 3);

        Processes.signal("KILL", launcher.jvm());

        launcher.await().endedWith(70).says("exit 70: the launcher's JVM was killed by SIGKILL");
        scene.assertFiles("saved-0");
        scene.assertNothingIsLeft();
    }

    @DisplayName("9.1g a rank under mpirun that fails while nobody can see it ends the job all the same")
    @OnEveryJdk
    void aRankThatFailsUnseenEndsTheJob(Scene scene) throws Exception {
        Components.require("prlimit");
        Launched launcher = mpirun(
                        scene,
                        ": > $scene/ready-$OMPI_COMM_WORLD_RANK",
                        "[ $OMPI_COMM_WORLD_RANK = 0 ] || exec sleep 600",
                        "until [ -e $scene/go ]; do sleep 0.05; done; exit 3")
                .start();
        scene.awaitFiles("ready-0", "ready-1");
        launcher.awaitMessage("started 1 process");
        allowFewFiles(launcher.jvm());

        Scene.write(scene.beside("go"), "");

        launcher.await().endedWith(75).says("no more files can be opened here", "ulimit -n");
        scene.assertNothingIsLeft();
    }

    @DisplayName("9.1d a limit of memory that leaves no room for a JVM is named")
    @OnEveryJdk
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

    @DisplayName("9.2 too small a control group is a refusal before anything starts")
    @OnEveryJdk
    void tooFewProcessesOfTheGroupAreRefused(Scene scene) throws IOException {
        Path group = group(scene);
        try {
            Scene.write(group.resolve("pids.max"), "60");
            scene.job(40)
                    .with(scene.script("rank", STARTED))
                    .after("echo $$ > " + group.resolve("cgroup.procs"))
                    .run()
                    .endedWith(78)
                    .says("pids.max", group.toString(), "is 60", "are there already", "40 processes need");
            assertThat(scene.beside("started-0")).doesNotExist();
            scene.job(8)
                    .with("/bin/true")
                    .after("echo $$ > " + group.resolve("cgroup.procs"))
                    .run()
                    .endedWith(0);
        } finally {
            remove(scene, group);
        }
    }

    @DisplayName("9.3 where the JVM could not make its threads, for itself or for its ranks, a sentence says so")
    @OnEveryJdk
    void aGroupThatIsTooSmallForTheLauncherIsRefused(Scene scene) throws IOException {
        Path group = group(scene);
        try {
            for (int most : new int[] {3, 12, 20, 24, 42}) {
                Scene.write(group.resolve("pids.max"), Integer.toString(most));
                Result result = scene.job(8)
                        .with(scene.script("rank", STARTED))
                        .after("echo $$ > " + group.resolve("cgroup.procs"))
                        .run()
                        .endedWith(78)
                        .says("pids.max", "is " + most);
                assertThat(result.output()).isEmpty();
            }
            assertThat(scene.beside("started-0")).doesNotExist();
        } finally {
            remove(scene, group);
        }
    }

    @DisplayName("9.4 so is a user who may not have so many processes")
    @Test
    void tooFewProcessesOfTheUserAreRefused(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("setpriv", "prlimit");
        String user = "65431";
        scene.beside("logs").toFile().mkdir();
        scene.command("chown", user, scene.beside("logs").toString()).run().endedWith(0);
        for (int most : new int[] {12, 70}) {
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
                    .says("RLIMIT_NPROC", "user " + user, "is " + most);
        }
    }

    @DisplayName(
            "9.5 what the kernel refuses, although nothing foretold it, is temporary and ends all that was started")
    @OnEveryJdk
    void aRefusalOfTheKernelIsTemporary(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("unshare", "mount");
        Path group = group(scene);
        try {
            Scene.write(group.resolve("pids.max"), "60");
            unseen(scene.job(40).with(scene.script("rank", STARTED)), group)
                    .run()
                    .endedWith(75)
                    .says("no more", "rank ")
                    .doesNotSay("setsid")
                    .doesNotSay("pid 0");
            scene.assertNothingIsLeft();
        } finally {
            remove(scene, group);
        }
    }

    @Tag("repeated")
    @DisplayName("9.5b the same of the launcher's own threads: temporary, at once, and told without any thread")
    @OnEveryJdk
    void aRefusedThreadIsTemporary(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("unshare", "mount");
        Path group = group(scene);
        try {
            int refused = 0;
            for (int most : scene.jdk().share(List.of(14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26))) {
                Scene.write(group.resolve("pids.max"), Integer.toString(most));
                Result result = unseen(scene.job(1).with("/bin/true"), group).run();
                if (result.messages().contains("no thread can be made")) {
                    result.endedWith(75).says("exit 75: no thread can be made");
                    assertThat(result.duration()).isLessThan(Duration.ofSeconds(8));
                    refused++;
                }
                assertThat(result.messages()).isNotEmpty();
            }
            assertThat(refused).isPositive();
        } finally {
            remove(scene, group);
        }
    }

    @Tag("repeated")
    @DisplayName("9.5c where not even a JVM can be made, a sentence says so, and not the JVM")
    @OnEveryJdk
    void aRefusedJvmIsTemporary(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("unshare", "mount");
        Path group = group(scene);
        try {
            for (int most : scene.jdk().share(List.of(3, 5, 8, 11))) {
                Scene.write(group.resolve("pids.max"), Integer.toString(most));
                Result result = unseen(scene.job(1).with("/bin/true"), group)
                        .run()
                        .endedWith(75)
                        .says("exit 75: no thread can be made", "ulimit -u", "pids.max");
                assertThat(result.messages().lines()).as("at %s", most).hasSize(1);
            }
        } finally {
            remove(scene, group);
        }
    }

    @Tag("repeated")
    @DisplayName("9.5d a stop during the start is a stop, whatever the kernel refuses meanwhile")
    @OnEveryJdk
    void aStopIsNoRefusal(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("unshare", "mount");
        Path group = group(scene);
        Path java = stoppingJava(scene);
        try {
            int refused = 0;
            for (int most : scene.jdk().share(List.of(16, 17, 18, 19, 20, 21, 22, 23))) {
                Scene.write(group.resolve("pids.max"), Integer.toString(most));
                Result result = unseen(scene.job(1).with(scene.script("rank", STARTED)), group)
                        .set("JAVA_HOME", java.toString())
                        .run()
                        .endedWith(143)
                        .says("exit 143: stopped by SIGTERM");
                refused += result.messages().contains("no thread can be made") ? 1 : 0;
                scene.assertNothingIsLeft();
            }
            assertThat(refused).isPositive();
            assertThat(scene.beside("started-0")).doesNotExist();
        } finally {
            remove(scene, group);
        }
    }

    /** A Java before which the shell that starts it gets SIGTERM. */
    private static Path stoppingJava(Scene scene) throws IOException {
        Path home = scene.beside("java");
        Path program = home.resolve("bin/java");
        Files.createDirectories(home.resolve("bin"));
        Files.copy(scene.jdk().home().resolve("release"), home.resolve("release"));
        Scene.write(
                program,
                "#!/bin/sh\nkill -s TERM $PPID\nexec " + scene.jdk().home().resolve("bin/java") + " \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return home;
    }

    private static Invocation inGroup(Invocation job, Path group) {
        return job.after("echo $$ > " + group.resolve("cgroup.procs"));
    }

    /** In a group whose limit cannot be looked at. */
    private static Invocation unseen(Invocation job, Path group) {
        return job.after("echo $$ > " + group.resolve("cgroup.procs") + "; mount -t tmpfs none /sys/fs/cgroup")
                .behind("unshare", "-m", "--propagation", "private");
    }

    private static Invocation mpirun(Scene scene) {
        return mpirun(scene, ": > $scene/started-$OMPI_COMM_WORLD_RANK");
    }

    private static Invocation mpirun(Scene scene, String... rank) {
        Components.requireMpi();
        return scene.apart(scene.muster("--engine", "mpi", "--platform", "none", "-o", "slots=2"))
                .with("--job-id", "e2e", "--", scene.script("rank", rank));
    }

    @Tag("repeated")
    @DisplayName("9.7 what mpirun and the ranks' shells need is counted, too")
    @OnEveryJdk
    void tooFewProcessesForMpirunAreRefused(Scene scene) throws IOException {
        Path group = group(scene);
        try {
            for (int most : scene.jdk().share(List.of(26, 30, 35, 26))) {
                Scene.write(group.resolve("pids.max"), Integer.toString(most));
                Result result = inGroup(mpirun(scene), group).run();
                // On a busy machine the launcher may have had some of its threads already, and need less room.
                if (most == 26 || result.exitCode() != 0) {
                    result.endedWith(78).says("pids.max", "is " + most, "ranks");
                }
                assertThat(Files.exists(scene.beside("started-0"))).isEqualTo(result.exitCode() == 0);
                Files.deleteIfExists(scene.beside("started-0"));
                Files.deleteIfExists(scene.beside("started-1"));
            }
            Scene.write(group.resolve("pids.max"), "41");
            inGroup(mpirun(scene), group).run().endedWith(0);
            scene.assertFiles("started-0", "started-1");
        } finally {
            remove(scene, group);
        }
    }

    @OnOneJdk
    @DisplayName("9.7d an mpirun that could not open the pipes of its ranks, and would stand still, is refused")
    void tooFewOpenFilesForMpirunAreRefused(Scene scene) {
        mpirun(scene)
                .after("ulimit -n 34")
                .run()
                .endedWith(78)
                .says("mpirun needs 35 open files", "RLIMIT_NOFILE (ulimit -n) is 34");
        assertThat(scene.beside("started-0")).doesNotExist();
        // The launcher itself needs more than mpirun does, and may raise what is soft.
        mpirun(scene).after("ulimit -S -n 36").run().endedWith(0);
        scene.assertFiles("started-0", "started-1");
    }

    @Tag("repeated")
    @DisplayName(
            "9.7b what the kernel refuses mpirun, or the shell of a rank, is temporary and ends all that was started")
    @OnEveryJdk
    void aRefusalOfMpirunIsTemporary(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("unshare", "mount");
        Path group = group(scene);
        try {
            for (int most : scene.jdk().share(List.of(28, 30, 31, 32, 33, 34))) {
                Scene.write(group.resolve("pids.max"), Integer.toString(most));
                Result result = unseen(mpirun(scene), group).run();
                // How many threads a JVM has just then is up to it.
                assertThat(result.exitCode()).as("at %s: %s", most, result).isIn(0, 75);
                assertThat(result.exitCode() == 0 || result.messages().contains("no more "))
                        .as("at %s: %s", most, result)
                        .isTrue();
                scene.assertNothingIsLeft();
            }
        } finally {
            remove(scene, group);
        }
    }

    @DisplayName("9.8 of a value that nobody can read beginning, length and end are shown, and what is wrong with it")
    @Test
    void aLongValueIsNotShownWhole(Scene scene) {
        String value = "begins" + "x".repeat(70_000);
        for (String[] words :
                new String[][] {{"--grace", value}, {"-o", value}, {"--cards=" + value}, {"--" + value}}) {
            Invocation job = scene.muster(words).with("--engine", "pytorch-gpu", "--platform", "none", "--", "true");
            Result result = words.length == 1 ? job.answer() : job.run();
            assertThat(result.exitCode()).isIn(64, 69);
            result.says("begins", "... (7", "characters) ...");
            assertThat(result.messages()).hasSizeLessThan(2000);
        }
        Result stop = scene.muster("stop", "--grace", value).run().endedWith(64).says("--grace", "is not a duration");
        assertThat(stop.messages()).hasSizeLessThan(2000);
    }

    @DisplayName("9.6 a JVM that is killed while no process can be made is over when its ranks are")
    @Test
    void aFullGroupDoesNotDelayTheEnd(Scene scene) throws IOException {
        Path group = group(scene);
        try {
            Launched launcher = scene.job(2)
                    .with(scene.script("rank", "exec 9<> $scene/never", ": > $scene/ready-$me", "read -r line <&9"))
                    .after("mkfifo " + scene.beside("never") + "; echo $$ > " + group.resolve("cgroup.procs"))
                    .start();
            scene.awaitFiles("ready-0", "ready-1");
            Scene.write(group.resolve("pids.max"), "1");
            Processes.signal("KILL", launcher.jvm());
            launcher.await(Duration.ofSeconds(8)).endedWith(70);
            scene.assertNothingIsLeft();
        } finally {
            remove(scene, group);
        }
    }

    private static Path group(Scene scene) throws IOException {
        Assumptions.assumeTrue(Files.isWritable(PIDS.resolve("tasks")), "no writable group of processes at " + PIDS);
        return Files.createDirectory(PIDS.resolve("muster-e2e-" + scene.tag()));
    }

    private static void remove(Scene scene, Path group) {
        Processes.kill(scene.tag());
        Await.until("the group of processes is empty", () -> group.toFile().delete());
    }
}
