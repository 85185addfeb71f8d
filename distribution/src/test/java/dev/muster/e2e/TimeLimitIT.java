package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Jobs that reach {@code --time-limit}. */
@ExtendWith(Scenes.class)
class TimeLimitIT {

    @Test
    @DisplayName("at the time limit the ranks are stopped as after SIGTERM, and can save; the code is 124")
    void theTimeIsOver(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap ': > $scene/checkpoint-$RANK' USR1",
                "trap ': > $scene/saved-$RANK; exit 0' TERM",
                "while :; do sleep 600 & wait; done");
        job(scene, "--time-limit", "5s", "--checkpoint-signal", "USR1", "--grace", "4s")
                .with("--", rank)
                .run()
                .endedWith(124)
                .says(
                        "the time limit of 5s (--time-limit) is over; stopping 2 ranks (grace 4s)",
                        "exit 124: stopped by the time limit of 5s (--time-limit) after ");
        scene.assertFiles("checkpoint-0", "checkpoint-1", "saved-0", "saved-1");
        JsonNode json = Json.parse(
                Scene.read(scene.directory().resolve("muster-logs/" + scene.jobId() + "-node-0-result.json")));
        assertThat(json.get("exitCode").asInt()).isEqualTo(124);
        assertThat(json.get("kind").asText()).isEqualTo("stop");
        assertThat(json.get("exitCodeFrom").asText()).isEqualTo("time limit");
    }

    @Test
    @DisplayName("the time limit counts all attempts of the job, and the waits between them")
    void theTimeIsThatOfTheWholeJob(Scene scene) {
        job(scene, "--restarts", "1000")
                .set("MUSTER_TIME_LIMIT", "4s")
                .with("--", "false")
                .run()
                .endedWith(124)
                .says("stopped by the time limit of 4s (MUSTER_TIME_LIMIT)");
        Path late = scene.directory().resolve("late.json");
        scene.apart(scene.muster("--engine", "ascend", "--platform", "none", "--cards", "1", "--node-index", "0"))
                .with(
                        "--nodes",
                        "1",
                        "--rank-table",
                        late.toString(),
                        "--time-limit",
                        "1s",
                        "--exit-codes",
                        "modelarts")
                .with("--", "true")
                .run()
                .endedWith(124)
                .says("exit 124: stopped by the time limit of 1s (--time-limit); nothing was started");
    }

    @Test
    @DisplayName("a time limit of zero is refused")
    void noTime(Scene scene) {
        job(scene, "--time-limit", "0s")
                .with("--", "true")
                .answer()
                .endedWith(64)
                .says("--time-limit", "\"0s\"", "a duration above 0s");
    }

    @Test
    @DisplayName("the launcher that leads ends the job on all nodes, and all have its code and reason")
    void theLeaderDecides(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 2);
        LinkJob job = new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, "limit")
                .with("--time-limit", "6s")
                .script("note waits", "exec sleep 600");
        job.startOnly(0, 1);
        job.end(124).forEach(result -> result.says("stopped by the time limit of 6s (--time-limit)"));
        job.launchedSays(1, job.node(0));
        hosts.assertNothingIsLeft();
    }

    private static Invocation job(Scene scene, String... options) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none")
                .with("--cards", "2", "--job-id", scene.jobId())
                .with(options));
    }
}
