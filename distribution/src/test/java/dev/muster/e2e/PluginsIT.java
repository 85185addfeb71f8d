package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of engines at launch, and the output of {@code muster engines} about jars. */
@ExtendWith(Scenes.class)
class PluginsIT {

    private static PluginHome withHostile(Scene scene) {
        return new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
    }

    @DisplayName("a launch checks the rules R3 and R4 as far as one node can")
    @ParameterizedTest
    @CsvSource({
        "E2E_VARIABLE, PATH, 'changes PATH, which the engine does not say it owns (rule R4)'",
        "E2E_LOCAL_RANK, 2, 'the local ranks of a node with 1 tasks are not 0 to 0, but [2] (rule R3)'",
        "E2E_WORLD_SIZE, 3, 'the world size is 3, but the only node has 1 rank (rule R3)'",
        "E2E_RANK, 1, 'has rank 1 of 1'",
        "E2E_NODES, 5, 'it says that the job runs over 5 nodes, but the world size is 1'"
    })
    void rulesHoldAtLaunch(String variable, String value, String problem, Scene scene) {
        PluginHome home = withHostile(scene);
        for (String command : List.of("launch", "plan")) {
            home.muster(command, "--engine", "hostile", "--platform", "none", "--", "true")
                    .set(variable, value)
                    .answer()
                    .endedWith(70)
                    .says("engine hostile made an invalid plan", problem);
        }
    }

    @DisplayName("launchers whose plans have different world sizes end with 78")
    @Test
    void worldSizesAreComparedOverTheLink(Scene scene) {
        PluginHome home = withHostile(scene);
        List<Launched> launchers = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            launchers.add(home.muster("--engine", "hostile", "--platform", "none", "--nodes", "2")
                    .with("--node-index", Integer.toString(node), "--hosts", "127.0.0.1,127.0.1.1")
                    .with(
                            "--job-id",
                            "sizes-" + scene.tag(),
                            "--log-dir",
                            scene.beside("logs-" + node).toString())
                    .with("--", "sleep", "20")
                    .set("E2E_WORLD_SIZE", Integer.toString(4 + node))
                    .start());
        }
        for (Launched launcher : launchers) {
            launcher.await().endedWith(78).says("world size: 5", "4 on", "must be the same on all nodes");
        }
    }

    @DisplayName("muster engines names each faulty jar in one line")
    @Test
    void everyProblemIsALine(Scene scene) throws IOException {
        PluginHome home = allProblems(scene);
        String text = home.muster("engines").run().endedWith(0).output();
        String[][] problems = {
            {"plugins/a/one.jar", "engine twice exists more than once", "plugins/b/two.jar"},
            {"plugins/c/ours.jar", "engine ascend exists more than once", "muster.jar (Muster's own)"},
            {"plugins/stray.jar", "directly in plugins/ is not looked at", "plugins/stray/"},
            {"plugins/d/engine-1.0.jar", "engine versions exists more than once", "plugins/d/engine-1.1.jar"},
            {"plugins/e", "new.jar was built for SPI 9.1, and this Muster has SPI 0.2"},
            {"plugins/g", "card.jar: Muster-Engine in its manifest is not \"ID; summary\""},
            {"plugins/h", "pipe.jar cannot be read: it is no regular file"},
            {"plugins/i", "gone.jar cannot be read: no such file or directory"},
            {"plugins/j", "long.jar cannot be read: its manifest has more than 1048576 bytes"}
        };
        List<String> lines = text.lines()
                .dropWhile(line -> !line.equals("Cannot be used:"))
                .skip(1)
                .toList();
        assertThat(lines).hasSize(problems.length);
        for (String[] words : problems) {
            assertThat(lines.stream().filter(line -> List.of(words).stream().allMatch(line::contains)))
                    .as("%s in %s", List.of(words), lines)
                    .hasSize(1);
        }
        new PluginHome(scene).muster("engines", "--format", "json").answer().endedWith(0);
    }

    @DisplayName("muster engines --format json names each faulty jar")
    @Test
    void jsonSaysTheSame(Scene scene) throws IOException {
        PluginHome home = allProblems(scene);
        Result result = home.muster("engines", "--format", "json").answer().endedWith(0);
        JsonNode document = Json.parse(result.output());
        assertThat(document.get("format").asInt()).isEqualTo(1);
        assertThat(document.get("problems")).hasSize(9).allSatisfy(problem -> {
            assertThat(problem.get("kind").asText()).isEqualTo("unusable");
            assertThat(problem.get("place").asText()).startsWith("plugins/");
            assertThat(problem.get("reason").asText()).isNotBlank();
        });
        assertThat(document.get("engines").findValuesAsText("id")).contains("ascend", "mpi", "twice");
        assertThat(document.get("engines").findValuesAsText("jar")).contains("muster.jar", "plugins/a/one.jar");
    }

    @DisplayName("an engine that two jars declare is refused")
    @Test
    void anIdOfTwoJarsStartsNothing(Scene scene) {
        new PluginHome(scene)
                .declared("a/one.jar", "ascend")
                .muster("--engine", "ascend", "--", "true")
                .answer()
                .endedWith(69)
                .says(
                        "engine \"ascend\" exists more than once, in muster.jar and plugins/a/one.jar: remove all but one");
    }

    private static PluginHome allProblems(Scene scene) throws IOException {
        PluginHome home = new PluginHome(scene)
                .declared("a/one.jar", "twice")
                .declared("b/two.jar", "twice")
                .declared("c/ours.jar", "ascend")
                .declared("stray.jar", "stray")
                .declared("d/engine-1.0.jar", "versions")
                .declared("d/engine-1.1.jar", "versions")
                .plugin("e/new.jar", Map.of("Muster-Engine", "new; for tests", "Muster-Spi-Version", "9.1"), jar -> {})
                .plugin("g/card.jar", Map.of("Muster-Engine", "no card"), jar -> {})
                .plugin("j/long.jar", Map.of("Muster-Engine", "long; " + "x".repeat(1 << 20)), jar -> {});
        Files.createDirectories(home.plugins().resolve("h"));
        Files.createSymbolicLink(
                Files.createDirectories(home.plugins().resolve("i")).resolve("gone.jar"), Path.of("nowhere.jar"));
        scene.command(
                        "mkfifo",
                        "-m",
                        "644",
                        home.plugins().resolve("h/pipe.jar").toString())
                .run()
                .endedWith(0);
        return home;
    }
}
