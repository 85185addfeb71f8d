package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two launchers of one job on one node: the first still ends, or both run. Also log directories that are removed meanwhile. */
@ExtendWith(Scenes.class)
class SameJobIT {

    private static final int LINES = 20_000;

    /** The directory in which launchers make their private directories. */
    private static Path temporary(Scene scene) throws IOException {
        return Files.createDirectories(scene.beside("tmp"));
    }

    private static Invocation job(Scene scene, int processes, String... options) throws IOException {
        return scene.job(processes, options).set("TMPDIR", temporary(scene).toString());
    }

    private static List<String> names(Path directory) {
        return List.of(directory.toFile().list());
    }

    private static List<String> files(Path directory) {
        return names(directory).stream()
                .filter(name -> directory.resolve(name).toFile().isFile())
                .toList();
    }

    @Tag("repeated")
    @OnOneJdk
    @DisplayName("a job that is started again waits for the ranks of its first launcher, which was killed")
    void aJobWaitsForRanksOfItsOwnThatStillSave(Scene scene) throws IOException {
        Launched first = first(scene);
        first.killJvm();
        killedWhileItWaits(scene);
        Launched second = waiting(scene);
        scene.muster("--engine", scene.engine().id(), "--platform", "none", "--job-id", "another")
                .with(scene.engine().options(scene, 1).toArray(String[]::new))
                .with("--", "true")
                .set("TMPDIR", temporary(scene).toString())
                .run()
                .endedWith(0)
                .doesNotSay("another launcher");
        assertGoesOn(scene, first, second);
    }

    @Tag("repeated")
    @OnOneJdk
    @DisplayName("a job that is started again waits while inner stops the ranks of a launcher whose outer was killed")
    void aJobWaitsForALauncherWithoutOuter(Scene scene) throws IOException {
        Launched first = first(scene);
        Processes.signal("KILL", first.pid());
        assertGoesOn(scene, first, waiting(scene));
    }

    /** Starts a launcher whose rank saves when the test says so. */
    private static Launched first(Scene scene) throws IOException {
        scene.script(
                "rank",
                "if [ -e $scene/second ]; then [ -e $scene/saved ] || exit 9; exit 0; fi",
                "trap 'until [ -e $scene/save ]; do sleep 0.01; done; : > $scene/saved; exit 0' TERM",
                ": > $scene/ready",
                "while :; do sleep 0.01; done");
        Launched first = started(scene);
        scene.awaitFiles("ready");
        Scene.write(scene.beside("second"), "");
        return first;
    }

    private static Launched started(Scene scene) throws IOException {
        return job(scene, 1, "--grace", "300s")
                .with(scene.beside("rank").toString())
                .start();
    }

    private static void assertGoesOn(Scene scene, Launched first, Launched second) {
        Scene.write(scene.beside("save"), "");
        second.await().endedWith(0);
        first.await();
        Await.until("nothing is left", () -> names(scene.beside("tmp")).isEmpty());
    }

    private static Launched waiting(Scene scene) throws IOException {
        return started(scene).awaitMessage("another launcher of job " + scene.jobId() + " (node-0, pid ");
    }

    private static void killedWhileItWaits(Scene scene) throws IOException {
        waiting(scene).killJvm().await().endedWith(70);
        assertThat(names(temporary(scene))).isEmpty();
    }

    @Test
    @DisplayName("the next launcher waits for the first one's grace and 10 s, then ends with 75 and names it")
    void aRunThatDoesNotEndIsRefused(Scene scene) throws IOException {
        String rank = scene.script("rank", ": > $scene/ready; exec sleep 600");
        Launched first = job(scene, 1, "--grace", "1s").with(rank).start();
        scene.awaitFiles("ready");
        Result second = job(scene, 1, "--grace", "3s").with(rank).run();
        second.endedWith(75)
                .says("job " + scene.jobId() + " (node-0, pid " + first.pid() + ")", "has not ended within 11s");
        first.signal("TERM").await().endedWith(143);
    }

    @Test
    @DisplayName("a container that is started again, with the same volume and pids, starts its job at once")
    void aContainerThatIsStartedAgainCleansUp(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("unshare");
        String rank = scene.script("rank", "[ ! -e $scene/second ] || exit 0; : > $scene/ready; exec sleep 600");
        String[] container = {"unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"};
        Launched first =
                job(scene, 1, "--grace", "60s").with(rank).behind(container).start();
        scene.awaitFiles("ready");
        Scene.write(scene.beside("second"), "");
        // This ends all processes of the container.
        first.signal("KILL").await();
        scene.assertNothingIsLeft();
        job(scene, 1, "--grace", "60s")
                .with(rank)
                .behind(container)
                .run()
                .endedWith(0)
                .doesNotSay("another launcher");
        assertThat(names(temporary(scene))).isEmpty();
    }

    @Tag("repeated")
    @OnOneJdk
    @DisplayName(
            "two launchers of one job without a common lock have separate logs and results, and the second says so")
    void twoLaunchersAtOnceHaveFilesOfTheirOwn(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("unshare", "mount");
        String rank = scene.script(
                "rank",
                ": > $scene/ready-$LAUNCHER-$me",
                "until [ -e $scene/go ]; do sleep 0.01; done",
                "seq -f \"$LAUNCHER-$me-%g\" " + LINES);
        Launched[] launchers = new Launched[2];
        for (int index = 0; index < 2; index++) {
            launchers[index] = job(scene, 2)
                    .with(rank)
                    .set("LAUNCHER", "L" + index)
                    .after("mount -t tmpfs none /dev/shm; [ ! -d /run/user ] || mount -t tmpfs none /run/user")
                    .behind("unshare", "-m", "--propagation", "private")
                    .start();
        }
        scene.awaitFiles("ready-L0-0", "ready-L0-1", "ready-L1-0", "ready-L1-1");
        Scene.write(scene.beside("go"), "");
        List<Result> results =
                List.of(launchers[0].await().endedWith(0), launchers[1].await().endedWith(0));
        int second = results.get(0).messages().contains("another launcher") ? 0 : 1;
        results.get(1 - second).doesNotSay("another launcher");
        String said = results.get(second).messages();
        assertThat(said).contains("pid " + launchers[0].pid()).contains("pid " + launchers[1].pid());
        Path own = Path.of(said.replaceAll("(?s).* are in (" + scene.logs() + "/[0-9a-z]{6})\n.*", "$1"));
        assertThat(said.lines().filter(line -> line.contains("another launcher")))
                .hasSize(1);
        for (int process = 0; process < 2; process++) {
            assertThat(scene.log(process)).hasContent(numbers(1 - second, process));
            assertThat(own.resolve(scene.log(process).getFileName())).hasContent(numbers(second, process));
        }
        JsonNode result = Json.parse(Scene.read(own.resolve(scene.resultFile().getFileName())));
        assertThat(result.get("processes").get(0).get("log").asText()).startsWith(own + "/");
        assertThat(files(scene.logs())).hasSize(3);
        assertThat(files(own)).hasSize(3);
    }

    private static String numbers(int launcher, int process) {
        StringBuilder text = new StringBuilder();
        IntStream.rangeClosed(1, LINES)
                .forEach(number -> text.append("L" + launcher + "-" + process + "-" + number + "\n"));
        return text.toString();
    }

    @Test
    @DisplayName("a launcher that starts after a killed one uses the usual names of files")
    void aKilledLauncherDoesNotKeepItsNames(Scene scene) throws IOException {
        String rank = scene.script("rank", "[ ! -e $scene/second ] || exit 0; : > $scene/ready; exec sleep 600");
        Launched first = job(scene, 1, "--grace", "1s").with(rank).start();
        scene.awaitFiles("ready");
        Scene.write(scene.beside("second"), "");
        first.killJvm().await();
        job(scene, 1).with(rank).run().endedWith(0).doesNotSay("another launcher");
        assertThat(scene.resultFile()).exists();
        assertThat(files(scene.logs())).hasSize(2);
    }

    @Tag("repeated")
    @OnOneJdk
    @DisplayName("a removed or renamed log directory is reported once, and made again for the result")
    void theResultIsWhereItWasNamed(Scene scene) throws IOException {
        String rank = scene.script(
                "rank",
                "echo before",
                ": > $scene/ready",
                "until [ -e $scene/go ]; do sleep 0.01; done",
                "for n in 1 2 3 4 5; do echo after; sleep 0.05; done");
        for (boolean isRemoved : new boolean[] {false, true}) {
            Launched launched = job(scene, 1).with(rank).start();
            scene.awaitFiles("ready");
            Await.until("there is output", () -> scene.log(0).toFile().length() == 7);
            Path renamed = scene.beside("renamed");
            Files.move(scene.logs(), renamed, StandardCopyOption.ATOMIC_MOVE);
            if (isRemoved) {
                remove(renamed);
            }
            Scene.write(scene.beside("go"), "");
            List<String> lines =
                    launched.await().endedWith(0).messages().lines().toList();

            assertThat(lines)
                    .filteredOn(line -> line.contains("was not there at the end of the job; it was made again"))
                    .singleElement()
                    .asString()
                    .contains(scene.logs().toString());
            assertThat(lines)
                    .filteredOn(line -> line.contains("was renamed or deleted"))
                    .hasSize(1);
            JsonNode process =
                    Json.parse(Scene.read(scene.resultFile())).get("processes").get(0);
            assertThat(process.get("bytesLogged").asLong()).isEqualTo(37);
            remove(scene.logs());
            if (!isRemoved) {
                remove(renamed);
            }
            Files.delete(scene.beside("ready"));
            Files.delete(scene.beside("go"));
        }
    }

    private static void remove(Path directory) throws IOException {
        List<Path> tree;
        try (Stream<Path> all = Files.walk(directory)) {
            tree = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : tree) {
            Files.delete(path);
        }
    }
}
