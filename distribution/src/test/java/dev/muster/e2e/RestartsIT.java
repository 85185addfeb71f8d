package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A platform runs a job again under the same id: requeued, restarted, in the same container or in a new one. */
@ExtendWith(Scenes.class)
class RestartsIT {

    /** A container with its own directories for sockets, so that its launchers do not find others of the job. */
    private static final String CONTAINER =
            "mount -t tmpfs none /run/user && mount -t tmpfs none /dev/shm && exec \"$@\"";

    private static Path result(Scene scene, int run) {
        return scene.logs().resolve(scene.jobId() + "-node-0-result." + run + ".json");
    }

    private static JsonNode json(Path file) {
        return Json.parse(Scene.read(file));
    }

    @Tag("repeated")
    @OnOneJdk
    void theResultsOfAllRunsStayAndTheNewestHasTheName(Scene scene) {
        String rank = scene.script("rank", "exit $CODE");
        for (int code : List.of(3, 4, 0)) {
            scene.job(1).with(rank).set("CODE", Integer.toString(code)).run().endedWith(code);
        }
        List<JsonNode> runs = Stream.of(result(scene, 1), result(scene, 2), scene.resultFile())
                .map(RestartsIT::json)
                .toList();
        assertThat(runs).extracting(run -> run.get("exitCode").asInt()).containsExactly(3, 4, 0);
        assertThat(runs).extracting(run -> run.get("attempt").asInt()).containsExactly(1, 2, 3);
        assertThat(results(scene)).hasSize(3);
        // A file that is no result of Muster keeps its content.
        Scene.write(scene.resultFile(), "no result of ours");
        scene.job(1).with(rank).set("CODE", "0").run().endedWith(0).doesNotSay("warning");
        assertThat(result(scene, 3)).hasContent("no result of ours");
        assertThat(json(scene.resultFile()).get("attempt").asInt()).isEqualTo(4);
    }

    @Test
    @DisplayName("first line, result and ranks have the platform's counts of starts; an invalid count is a warning")
    void theCountsOfThePlatformAreReported(Scene scene) {
        Invocation job = scene.muster(
                        "--engine", "pytorch-gpu", "-o", "processes=per-card", "--cards", "1", "--nodes", "1")
                .with(
                        "--log-dir",
                        scene.logs().toString(),
                        "--workdir",
                        scene.directory().toString(),
                        "--")
                .with(scene.script("rank", "echo started $MA_PROC_START_CNT times, scheduled $MA_SCHEDULE_CNT times"))
                .set(Map.of("MA_VJ_NAME", scene.jobId(), "MA_CURRENT_INSTANCE_NAME", "e2e-worker-0"));
        Result counted = scene.apart(job)
                .set(Map.of("MA_PROC_START_CNT", "2", "MA_SCHEDULE_CNT", "3"))
                .run();
        String counts = "MA_PROC_START_CNT=2, MA_SCHEDULE_CNT=3";
        counted.endedWith(0).doesNotSay("warning");
        assertThat(counted.messages().lines().findFirst().orElseThrow()).endsWith(counts);
        assertThat(counted.output()).contains("started 2 times, scheduled 3 times");
        assertThat(json(scene.resultFile()).path("platformRestarts").asText()).isEqualTo(counts);
        Result nonsense = job.set(Map.of("MA_PROC_START_CNT", "2;\u001b[31m", "MA_SCHEDULE_CNT", ""))
                .run();
        nonsense.endedWith(0).says("warning: MA_PROC_START_CNT=").doesNotSay("\u001b");
        assertThat(json(scene.resultFile()).has("platformRestarts")).isFalse();
    }

    /** The old container still saves while the new one already runs. They share nothing but the log directory. */
    @Test
    void twoLaunchersThatEndAtTheSameMomentBothLeaveAResult(Scene scene) {
        String rank = scene.script(
                "rank", ": > $scene/ready-$LAUNCHER", "until [ -e $scene/go ]; do sleep 0.01; done", "exit $LAUNCHER");
        Components.requireRoot();
        String[] container = {"unshare", "--mount", "/bin/sh", scene.script("container", CONTAINER)};
        Launched first =
                scene.job(1).with(rank).set("LAUNCHER", "3").behind(container).start();
        Launched second =
                scene.job(1).with(rank).set("LAUNCHER", "4").behind(container).start();
        scene.awaitFiles("ready-3", "ready-4");
        Scene.write(scene.beside("go"), "");
        first.await().endedWith(3);
        second.await().endedWith(4);
        List<String> results = results(scene);
        assertThat(results).hasSize(2).contains(scene.jobId() + "-node-0-result.json");
        assertThat(results.stream().map(name -> json(scene.logs().resolve(name))))
                .extracting(run -> run.get("exitCode").asInt())
                .containsExactlyInAnyOrder(3, 4);
    }

    private static List<String> results(Scene scene) {
        return Scene.tree(scene.logs()).stream()
                .filter(name -> name.contains("result") || name.startsWith(".muster"))
                .toList();
    }
}
