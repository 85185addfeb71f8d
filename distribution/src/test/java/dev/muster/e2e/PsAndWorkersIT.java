package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How jobs of ps and workers on several nodes end. The processes do not train: see {@link PsAndWorkers}. */
@ExtendWith(Scenes.class)
class PsAndWorkersIT {

    /** A wait that is long enough: a process that ends too early ends at once. */
    private static final Duration A_WHILE = Duration.ofSeconds(2);

    /** Both ways in which a platform gives nodes to a job. */
    enum Shape {
        NODES,
        ROLES
    }

    private static Invocation simulate(Scene scene, Shape shape) {
        Invocation launcher = scene.muster("simulate", "--engine", "tensorflow-ps", "--nodes", "2", "--grace", "3s");
        return (shape == Shape.ROLES ? launcher.with("--shape", "role") : launcher).with("--");
    }

    private static Launched start(Scene scene, Shape shape, PsAndWorkers members) {
        Launched simulation = simulate(scene, shape).with(members.command()).start();
        members.await("ps-0", "ps-1", "worker-0", "worker-1");
        return simulation;
    }

    /** With roles, one ps ends early and one worker never listens. Neither matters to the launchers. */
    @ParameterizedTest
    @EnumSource(Shape.class)
    void psServeUntilTheLastWorkerHasEnded(Shape shape, Scene scene) throws IOException {
        PsAndWorkers members = PsAndWorkers.in(scene);
        Launched simulation = start(scene, shape, shape == Shape.ROLES ? members.deaf("worker-1") : members);
        members.end("worker-0", 0);
        boolean early = Await.holdsWithin(A_WHILE, () -> !members.isRunning("ps-0") || !members.isRunning("ps-1"));
        assertThat(early).as("a ps ended while a worker ran").isFalse();
        if (shape == Shape.ROLES) {
            members.end("ps-1", 0);
            simulation.awaitOutput("exit 0: ps-1 ended by itself");
            assertThat(members.isRunning("ps-0") && members.isRunning("worker-1"))
                    .isTrue();
        }
        members.end("worker-1", 0);
        Result result = simulation.await().endedWith(0);
        assertThat(result.output()).contains("all workers have ended");
        scene.assertNothingIsLeft();
        if (shape == Shape.ROLES) {
            assertThat(result.output()).contains("worker-1 succeeded");
            assertRolesAreNamed(scene, result);
        }
    }

    /** {@link SimulatedFaultsIT} kills a process, {@link TfJobIT} has failures of nodes with roles. */
    @Test
    void theFirstFailureGivesTheCodeAndTheCause(Scene scene) {
        PsAndWorkers members = PsAndWorkers.in(scene);
        Launched simulation = start(scene, Shape.NODES, members);
        members.end("ps-1", 3);
        Result result = simulation.await().endedWith(3).says("ps-1", "exit code 3");
        assertThat(result.messages().lines().toList()).last().asString().contains("exit 3", "ps-1");
        scene.assertNothingIsLeft();
    }

    @DisplayName("workers of all nodes get the checkpoint signal and their grace, and the ps run until they have saved")
    @ParameterizedTest
    @CsvSource({"NODES, TERM, 143", "ROLES, INT, 130"})
    void psServeUntilWorkersHaveSaved(Shape shape, String signal, int exitCode, Scene scene) {
        Scene.write(scene.beside("program"), """
                saved='[ -e $0-gone-ps-0 ] || [ -e $0-gone-ps-1 ] || : > $0-saved-$2-$4; exit 0'
                case $2 in
                  ps) trap ': > $0-gone-$2-$4; exit 0' TERM USR1 ;;
                  worker) trap "sleep 0.$((3 + 4 * $4)); $saved" USR1 ;;
                esac
                : > $0-up-$2-$4
                while :; do sleep 0.1; done 2> /dev/null
                """);
        Invocation job = scene.muster("simulate", "--engine", "tensorflow-ps", "--nodes", "2", "--grace", "12s")
                .with("--checkpoint-signal", "USR1");
        Launched simulation = (shape == Shape.ROLES ? job.with("--shape", "role") : job)
                .with("--", "sh", scene.beside("program").toString())
                .start();
        scene.awaitFiles("program-up-ps-0", "program-up-ps-1", "program-up-worker-0", "program-up-worker-1");
        simulation.signal(signal).await().endedWith(exitCode);
        scene.assertFiles("program-saved-worker-0", "program-saved-worker-1", "program-gone-ps-0", "program-gone-ps-1");
        scene.assertNothingIsLeft();
    }

    /** Files, lines and verdicts of containers carry their role. */
    private static void assertRolesAreNamed(Scene scene, Result result) throws IOException {
        List<Path> files;
        try (var walk = Files.walk(scene.directory())) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        for (String name : List.of("ps-0", "ps-1", "worker-0", "worker-1")) {
            assertThat(result.outputLines()).contains("[" + name + "] " + name + " is up");
            assertThat(result.outputLines()).anyMatch(line -> line.startsWith("[" + name + "] muster: exit 0"));
            assertThat(result.messages().lines()).anyMatch(line -> line.startsWith("muster: " + name + " "));
            assertThat(Scene.read(ending(files, "-" + name + ".txt"))).isEqualTo(name + " is up\n");
            JsonNode json = Json.parse(Scene.read(ending(files, "-" + name + "-result.json")));
            assertThat(json.path("name").asText()).isEqualTo(name);
            assertThat(json.path("processes").path(0).path("id").asText()).isEqualTo(name);
        }
    }

    private static Path ending(List<Path> files, String end) {
        List<Path> found =
                files.stream().filter(file -> file.toString().endsWith(end)).toList();
        assertThat(found).as("files named ...%s", end).hasSize(1);
        return found.get(0);
    }
}
