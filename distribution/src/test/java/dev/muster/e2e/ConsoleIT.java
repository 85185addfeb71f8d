package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the console shows of many ranks, while each log has all. */
@ExtendWith(Scenes.class)
class ConsoleIT {

    @Test
    @DisplayName("--console-ranks shows some ranks; the logs of all are whole, and a failure is told with its last words")
    void someRanksAreShown(Scene scene) {
        String rank = scene.script("rank", "echo \"line of $RANK\"", "[ $RANK != 1 ] || { echo broken >&2; exit 3; }");
        Result result = job(scene, "--console-ranks", "0,2-3")
                .with("--", rank)
                .run()
                .endedWith(3)
                .says("| broken");
        assertThat(result.outputLines())
                .allMatch(line -> line.matches("\\[rank [023]] line of [023]"))
                .isNotEmpty();
        assertThat(log(scene, 1)).hasContent("line of 1\nbroken\n");
    }

    @Test
    @DisplayName("what the log of a hidden rank does not take is shown; ranks that the job does not have are told")
    void nothingIsLost(Scene scene) throws IOException {
        Files.createDirectories(log(scene, 1));
        Result result = job(scene, "--console-ranks", "0,9")
                .with("--", scene.script("rank", "echo \"line of $RANK\""))
                .run()
                .endedWith(0)
                .says("--console-ranks: \"0,9\" names ranks that the job does not have: it has 4");
        assertThat(result.outputLines())
                .containsExactlyInAnyOrder("[rank 0] line of 0", "[rank 1] line of 1");
        job(scene, "--console-ranks", "1-")
                .with("--", "true")
                .run()
                .endedWith(64)
                .says("--console-ranks: \"1-\" is not a list of ranks such as 0,8-15");
    }

    private static Path log(Scene scene, int rank) {
        return scene.directory()
                .resolve("muster-logs/" + scene.jobId() + "-proc-rank-" + rank + "-device-" + rank + ".txt");
    }

    private static Invocation job(Scene scene, String... options) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none")
                .with("--cards", "4", "--job-id", scene.jobId())
                .with(options));
    }
}
