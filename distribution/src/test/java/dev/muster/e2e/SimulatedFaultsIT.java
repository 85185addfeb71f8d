package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that a simulation kills: {@code muster simulate --fail}. */
@ExtendWith(Scenes.class)
class SimulatedFaultsIT {

    private static final String KILLS = "--fail: killing rank ";

    private static Invocation simulate(Scene scene, String engine, String... options) {
        return scene.apart(scene.muster("simulate", "--engine", engine, "--nodes", "2", "--grace", "2s"))
                .with(options);
    }

    /** The rank is given by its number, or by its name if it has no number. */
    @ParameterizedTest
    @CsvSource({"pytorch-gpu, --cards 2 --platform modelarts, 1, rank 1", "tensorflow-ps, --shape=role, ps-0, ps-0"})
    @DisplayName("--fail kills the rank that it names, on its node, for every engine that starts its ranks itself")
    void killsTheRank(String engine, String options, String rank, String name, Scene scene) throws IOException {
        Path notes = Files.createDirectory(scene.beside("notes"));
        Result result = simulate(scene, engine, options.split(" ", -1))
                .with("--fail", "rank=" + rank + ",after=500ms", "--")
                .with(scene.script("rank", "env >$scene/notes/$$", "exec sleep 600"))
                .run()
                .endedWith(137)
                .says(name)
                .doesNotSay("exit 75");
        assertThat(result.output()).containsOnlyOnce(KILLS).contains(KILLS + rank + " (pid ");
        scene.assertNothingIsLeft();
        // The environment of no rank mentions the fault.
        assertThat(Scene.tree(notes).stream()
                        .filter(file -> !file.isEmpty())
                        .flatMap(file -> Scene.read(notes.resolve(file)).lines()))
                .anyMatch(line -> line.startsWith("PATH="))
                .noneMatch(line -> line.contains("FAULT") || line.contains("after="));
    }

    @Test
    void whatDidNotHappenIsSaid(Scene scene) {
        Result result = simulate(scene, "ascend", "--fail", "rank=1,after=1h", "--fail", "rank=0,after=1h,run=2")
                .with("--restarts", "1", "--", "true")
                .run()
                .endedWith(0)
                .says("--fail: rank 0 was not killed in run 2: run 1 was the last");
        assertThat(result.output())
                .contains("--fail: rank 1 was not killed 1h after its start: this run was over before")
                .doesNotContain(KILLS, "rank 0 was not killed");
    }

    /** {@code FaultTest} has more wrong forms. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ascend        | rank=2,after=2s           | names no rank of this job, which has 0..1",
                "tensorflow-ps | rank=1,after=2s           | which has ps-0, worker-0, ps-1, worker-1",
                "ascend        | rank=1                    | is not rank=R,after=D",
                "ascend        | rank=1,after=2s,run=2     | is of a run that the job does not have: it has 1 at most"
            })
    @DisplayName("--fail of a rank that does not exist, or of another form, is 64 before anything starts")
    void whatCannotBeIsRefused(String engine, String fault, String words, Scene scene) {
        simulate(scene, engine, "--fail", fault, "--", "true")
                .answer()
                .endedWith(64)
                .says(fault, words);
        assertThat(Scene.tree(scene.directory())).containsExactly("");
    }

    @ParameterizedTest
    @CsvSource({"pytorch-gpu, -o processes=torchrun", "mpi, --cards 2"})
    void ranksThatTheirProcessesStartThemselvesAreRefused(String engine, String options, Scene scene) {
        simulate(scene, engine, options.split(" ", -1))
                .with("--fail", "rank=0,after=2s", "--", "true")
                .answer()
                .endedWith(64)
                .says("does not tell which ranks this job has");
    }
}
