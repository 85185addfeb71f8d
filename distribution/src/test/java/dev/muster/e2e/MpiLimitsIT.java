package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Limits of open files or processes that are too low for mpirun and its ranks. */
@ExtendWith(Scenes.class)
class MpiLimitsIT {

    @DisplayName("ranks of mpirun have their grace when the launcher can open no file, and their output is kept")
    @OnOneJdk
    void ranksOfMpirunHaveTheirGraceWhereNoFileCanBeOpened(Scene scene) throws Exception {
        Launched launcher = withoutFiles(
                scene,
                "trap 'sleep 0.2; echo has saved; : > $scene/saved-$OMPI_COMM_WORLD_RANK; exit 0' TERM",
                ": > $scene/ready-$OMPI_COMM_WORLD_RANK",
                "sleep 600 & wait");

        launcher.signal("TERM");

        Result result = launcher.await().endedWith(143).says("too many open files");
        scene.assertFiles("saved-0", "saved-1");
        assertThat(result.output().lines().filter(line -> line.contains("has saved")))
                .hasSize(2);
        scene.assertNothingIsLeft();
    }

    @DisplayName("a rank of mpirun that fails ends the job, even if the launcher can open no file")
    @OnOneJdk
    void aRankThatFailsUnseenEndsTheJob(Scene scene) throws Exception {
        Launched launcher = withoutFiles(
                scene,
                ": > $scene/ready-$OMPI_COMM_WORLD_RANK",
                "[ $OMPI_COMM_WORLD_RANK = 0 ] || exec sleep 600",
                "until [ -e $scene/go ]; do sleep 0.05; done; exit 3");

        Scene.write(scene.beside("go"), "");

        launcher.await().endedWith(3).says("rank 0 of mpirun");
        scene.assertNothingIsLeft();
    }

    /** A launcher that can open no more files. Its ranks run already. */
    private static Launched withoutFiles(Scene scene, String... rank) throws Exception {
        Components.require("prlimit");
        Launched launcher = mpirun(scene, rank).start();
        scene.awaitFiles("ready-0", "ready-1");
        launcher.awaitMessage("started 1 process");
        Processes.allowFiles(launcher.jvm(), LimitsIT.FEW_FILES);
        return launcher;
    }

    private static Invocation mpirun(Scene scene) {
        return mpirun(scene, ": > $scene/started-$OMPI_COMM_WORLD_RANK");
    }

    private static Invocation mpirun(Scene scene, String... rank) {
        Components.requireMpi();
        return scene.apart(scene.muster("--engine", "mpi", "--platform", "none", "-o", "slots=2"))
                .with("--job-id", scene.jobId(), "--", scene.script("rank", rank));
    }

    @Tag("repeated")
    @DisplayName("the check of the process limit counts mpirun and the ranks' shells, too")
    @OnEveryJdk
    void tooFewProcessesForMpirunAreRefused(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            for (int most : scene.jdk().share(List.of(26, 30, 35, 26))) {
                group.limit(most);
                Result result = group.around(mpirun(scene)).run();
                // On a busy machine the launcher may already have started some of its threads, and need fewer new ones.
                if (most == 26 || result.exitCode() != 0) {
                    result.endedWith(78).says("pids.max", "is " + most, "ranks");
                }
                assertThat(Files.exists(scene.beside("started-0"))).isEqualTo(result.exitCode() == 0);
                Files.deleteIfExists(scene.beside("started-0"));
                Files.deleteIfExists(scene.beside("started-1"));
            }
            group.limit(41);
            group.around(mpirun(scene)).run().endedWith(0);
            scene.assertFiles("started-0", "started-1");
        }
    }

    @OnOneJdk
    @DisplayName("a limit of open files at which mpirun would hang is refused")
    void tooFewOpenFilesForMpirunAreRefused(Scene scene) {
        mpirun(scene)
                .after("ulimit -n 34")
                .run()
                .endedWith(78)
                .says("mpirun needs 35 open files", "RLIMIT_NOFILE (ulimit -n) is 34");
        assertThat(scene.beside("started-0")).doesNotExist();
        // The launcher needs more open files than mpirun. It may raise the soft limit.
        mpirun(scene).after("ulimit -S -n 36").run().endedWith(0);
        scene.assertFiles("started-0", "started-1");
    }

    @Tag("repeated")
    @DisplayName("if the kernel refuses mpirun or a rank's shell a process, the job ends with 75 and leaves nothing")
    @OnEveryJdk
    void aRefusalOfMpirunIsTemporary(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            for (int most : scene.jdk().share(List.of(28, 30, 31, 32, 33, 34))) {
                group.limit(most);
                Result result = group.unseenAround(mpirun(scene)).run();
                // The number of threads of the JVM at this moment varies.
                assertThat(result.exitCode()).as("at %s: %s", most, result).isIn(0, 75);
                assertThat(result.exitCode() == 0 || result.messages().contains("no more "))
                        .as("at %s: %s", most, result)
                        .isTrue();
                scene.assertNothingIsLeft();
            }
        }
    }
}
