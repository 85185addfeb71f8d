package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole job of several nodes on this machine. */
@Order(1)
@ExtendWith(Scenes.class)
class SimulateIT {

    private static final Path TRAINING = Product.project().resolve("examples/training/linear_regression.py");

    private static final Duration LONG = Duration.ofMinutes(2);

    private static Invocation simulate(Scene scene, int nodes, int cards, String... options) {
        return scene.muster("simulate", "--engine", "ascend")
                .with("--nodes", Integer.toString(nodes), "--cards", Integer.toString(cards))
                .with(options)
                .with("--");
    }

    private static Result run(Invocation simulation, int exitCode) {
        Result result = simulation.start().await(LONG);
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(exitCode);
        assertThat(result.messages()).doesNotContain("\tat ", "WARNING");
        return result;
    }

    @Test
    void theFirstCommandOfTheReadmeTrains(Scene scene) {
        Components.require("python3");
        Result result = run(simulate(scene, 2, 4).with("python3", TRAINING.toString()), 0);
        assertThat(result.output()).contains("same weights on 8 of 8 ranks");
        checkTable(result, 2, 4);
        List<Path> runs = scene.directory().resolve("muster-sim").toFile().exists()
                ? List.of(scene.directory().resolve("muster-sim").toFile().listFiles()).stream()
                        .map(java.io.File::toPath)
                        .toList()
                : List.of();
        assertThat(runs).as("directories of simulations").hasSize(1);
        assertThat(result.output() + result.messages())
                .contains(runs.get(0).getFileName().toString());
        assertThat(Scene.tree(runs.get(0))).anyMatch(file -> file.endsWith("-proc-rank-7-device-3.txt"));
    }

    /** Every rank has a row with its node, its pid, how it ended and how long it ran. */
    private static void checkTable(Result result, int nodes, int cards) {
        String console = result.output() + "\n" + result.messages();
        assertThat(console.lines())
                .as("a title row of: %s", result)
                .anyMatch(line -> Pattern.matches("(?i).*node.*rank.*pid.*ended.*duration.*", line));
        for (int rank = 0; rank < nodes * cards; rank++) {
            Pattern row = Pattern.compile(".*\\b" + rank / cards + "\\b.*\\b" + rank + "\\s+[0-9]{2,}\\s.*[0-9].*s.*");
            assertThat(console.lines())
                    .as("a row of rank %s", rank)
                    .anyMatch(line -> row.matcher(line).matches());
        }
    }

    @Test
    void aTableMayComeLate(Scene scene) {
        Result result = run(simulate(scene, 2, 1, "--late", "10s").with("true"), 0);
        assertThat(result.duration()).isGreaterThan(Duration.ofSeconds(1));
        // A node that starts late may see only the half-written table, and then prints another line.
        assertThat(result.output() + result.messages()).contains("jobstart_hccl.json is ready after");
    }

    @ParameterizedTest
    @ValueSource(strings = {"modelarts", "none"})
    void everyPlatformCanBeSimulatedAndEveryLineNamesItsNode(String platform, Scene scene) {
        String rank = scene.script("rank", "echo \"$RANK_ID/$RANK_SIZE instance ${MA_CURRENT_INSTANCE_NAME-no}\"");
        Result result = run(simulate(scene, 2, 2, "--platform", platform).with(rank), 0);
        for (int index = 0; index < 4; index++) {
            String start = index + "/4 instance ";
            List<String> lines = result.outputLines().stream()
                    .filter(line -> line.contains(start))
                    .toList();
            assertThat(lines).as("lines of rank %s", index).hasSize(1);
            assertThat(lines.get(0).substring(0, lines.get(0).indexOf(start))).contains("node " + index / 2);
        }
        boolean named = result.output().contains("instance no");
        assertThat(named).isEqualTo(platform.equals("none"));
    }

    @Test
    void aNodeThatFailsStopsTheOthers(Scene scene) {
        String rank = scene.script(
                "rank",
                ": > $scene/ready-$RANK_ID",
                "if [ $RANK_ID = 1 ]; then",
                "  until [ -e $scene/ready-0 ]; do sleep 0.02; done",
                "  exit 9",
                "fi",
                "exec sleep 600");
        Result result = run(simulate(scene, 2, 1).with(rank), 9);
        assertThat(result.messages()).contains("exit 9");
        scene.assertNothingIsLeft();
    }

    /** {@link PsAndWorkersIT} has SIGINT, {@link SupervisionIT} tests signals on every JDK. */
    @Test
    void aSignalLeavesNothing(Scene scene) {
        String rank = scene.script("rank", ": > $scene/ready-$RANK_ID", "exec sleep 600");
        Launched simulation = simulate(scene, 2, 1).with(rank).start();
        scene.awaitFiles("ready-0", "ready-1");
        simulation.signal("TERM").await().endedWith(143);
        scene.assertNothingIsLeft();
    }

    @Test
    void whenTheSimulationIsKilledNothingIsLeft(Scene scene) {
        String rank = scene.script("rank", ": > $scene/ready-$RANK_ID", "exec sleep 600");
        Launched simulation = simulate(scene, 2, 1).with(rank).start();
        scene.awaitFiles("ready-0", "ready-1");
        simulation.signal("KILL").await();
        Await.until("nothing is left", () -> Processes.tagged(scene.tag()).isEmpty());
    }

    @Test
    void aCommandThatDoesNotExistStartsAndMakesNothing(Scene scene) {
        simulate(scene, 2, 2).with("no-such-program").answer().endedWith(127);
        assertThat(Scene.tree(scene.directory())).containsExactly("");
    }

    @Test
    void theDirectoryCanBeChosenAndARelativeBootFileIsMadeAbsolute(Scene scene) throws IOException {
        Path directory = scene.beside("simulated");
        Files.createDirectory(scene.directory().resolve("boot"));
        Path file = scene.directory().resolve("boot/train.sh");
        Scene.write(file, "echo $0 and $1\n");
        Invocation simulation = simulate(scene, 2, 1, "--log-dir", directory.toString());
        Result result = run(simulation.with("sh", "boot/train.sh", "boot/train.sh"), 0);
        assertThat(result.messages()).contains(file.toString());
        // Only the first such argument is the boot file.
        assertThat(result.output()).contains(file + " and boot/train.sh");
        assertThat(result.output() + result.messages()).contains(directory.toString());
        assertThat(Scene.tree(directory)).anyMatch(name -> name.endsWith("-proc-rank-1-device-0.txt"));
        assertThat(scene.directory().resolve("muster-sim")).doesNotExist();
    }
}
