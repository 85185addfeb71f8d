package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A control group allows too few processes for the ranks. The launcher may see this limit or not. */
@ExtendWith(Scenes.class)
class GroupLimitsIT {

    private static final String STARTED = "echo started > $scene/started-$me; exec sleep 600";

    @DisplayName("too small a control group is a refusal before anything starts")
    @OnOneJdk
    void tooFewProcessesOfTheGroupAreRefused(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            group.limit(60);
            scene.job(40)
                    .with(scene.script("rank", STARTED))
                    .after(group.enter())
                    .run()
                    .endedWith(78)
                    .says("pids.max", group.toString(), "is 60", "are there already", "40 processes need");
            assertThat(scene.beside("started-0")).doesNotExist();
            scene.job(8).with("/bin/true").after(group.enter()).run().endedWith(0);
        }
    }

    @DisplayName("a control group too small for the JVM's threads is a refusal in one sentence")
    @OnEveryJdk
    void aGroupThatIsTooSmallForTheLauncherIsRefused(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            for (int most : new int[] {3, 20, 28}) {
                group.limit(most);
                Result result = scene.job(8)
                        .with(scene.script("rank", STARTED))
                        .after(group.enter())
                        .run()
                        .endedWith(78)
                        .says("pids.max");
                assertThat(result.messages()).containsPattern("is " + most + "\\b|needs 24 processes and threads");
                assertThat(result.output()).isEmpty();
            }
            assertThat(scene.beside("started-0")).doesNotExist();
        }
    }

    @DisplayName(
            "a rank that the kernel refuses, without a visible limit, ends the job with 75, and no process is left")
    @OnOneJdk
    void aRefusalOfTheKernelIsTemporary(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            group.limit(45);
            group.unseenAround(scene.job(40).with(scene.script("rank", STARTED)))
                    .run()
                    .endedWith(75)
                    .says("rank ", "could not be started: resource temporarily unavailable")
                    .doesNotSay("setsid")
                    .doesNotSay("pid 0");
            scene.assertNothingIsLeft();
        }
    }

    @Tag("repeated")
    @DisplayName(
            "a thread of the launcher that the kernel refuses ends the job at once with 75, and a sentence says so")
    @OnEveryJdk
    void aRefusedThreadIsTemporary(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            int refused = 0;
            for (int most : scene.jdk().share(List.of(14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26))) {
                group.limit(most);
                Result result =
                        group.unseenAround(scene.job(1).with("/bin/true")).run();
                if (result.messages().contains("no thread can be made")) {
                    result.endedWith(75).says("exit 75: no thread can be made");
                    refused++;
                }
                assertThat(result.messages()).isNotEmpty();
            }
            assertThat(refused).isPositive();
        }
    }

    @Tag("repeated")
    @DisplayName("a control group too small for a JVM: one sentence says what is needed, and the JVM prints nothing")
    @OnEveryJdk
    void aRefusedJvmNamesWhatIsNeeded(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            for (int most : scene.jdk().share(List.of(3, 5, 8, 11))) {
                group.limit(most);
                Result result = group.unseenAround(scene.job(1).with("/bin/true"))
                        .run()
                        .endedWith(78)
                        .says("the launcher needs 24 processes and threads", "ulimit -u", "pids.max");
                assertThat(result.messages().lines()).as("at %s", most).hasSize(1);
            }
        }
    }

    @Tag("repeated")
    @DisplayName("SIGTERM during the start gives 143, also when the kernel refuses threads at the same time")
    @OnEveryJdk
    void aStopIsNoRefusal(Scene scene) throws IOException {
        Path java = stoppingJava(scene);
        try (PidsGroup group = PidsGroup.make(scene)) {
            int refused = 0;
            // Two JDKs take turns: the newer one fails with 15 processes, the older one with 16 and 17.
            for (int most : scene.jdk().share(List.of(16, 15, 17, 15))) {
                group.limit(most);
                Result result = group.unseenAround(scene.job(1).with(scene.script("rank", STARTED)))
                        .set("JAVA_HOME", java.toString())
                        .run()
                        .endedWith(143)
                        .says("exit 143: stopped by SIGTERM");
                refused += result.messages().contains("no thread can be made") ? 1 : 0;
                scene.assertNothingIsLeft();
            }
            assertThat(refused).isPositive();
            assertThat(scene.beside("started-0")).doesNotExist();
        }
    }

    /** A Java whose parent gets SIGTERM before it begins. */
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

    @DisplayName("a launcher whose JVM is killed while no process can start ends when its ranks have ended")
    @Test
    void aFullGroupDoesNotDelayTheEnd(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            Launched launcher = scene.job(2)
                    .with(scene.script("rank", "exec 9<> $scene/never", ": > $scene/ready-$me", "read -r line <&9"))
                    .after("mkfifo " + scene.beside("never") + "; " + group.enter())
                    .start();
            scene.awaitFiles("ready-0", "ready-1");
            group.limit(1);
            Processes.signal("KILL", launcher.jvm());
            launcher.await().endedWith(70);
            scene.assertNothingIsLeft();
        }
    }
}
