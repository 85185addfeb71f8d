package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code --hang-timeout}: a job in which no rank makes progress. */
@ExtendWith(Scenes.class)
class HangsIT {

    private static final Schema SCHEMA = Schema.of("result.schema.json");
    private static final String HANGS = "the job hangs: ";

    private static Invocation job(Scene scene, String... options) {
        return job(scene, "2s", options);
    }

    private static Invocation job(Scene scene, String timeout, String[] options) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none"))
                .with("--cards", "2", "-o", "processes=per-card", "--job-id", scene.jobId(), "--grace", "1s")
                .with("--hang-timeout", timeout)
                .with(options)
                .with("--");
    }

    private static Invocation simulation(Scene scene, String... options) {
        return scene.apart(scene.muster("simulate", "--engine", "pytorch-gpu", "--nodes", "2", "--cards", "2"))
                .with("-o", "processes=per-card", "--job-id", scene.jobId(), "--grace", "1s")
                .with("--hang-timeout", "2s")
                .with(options)
                .with("--");
    }

    @Test
    @DisplayName(
            "--on-hang stop ends the job of two nodes with 75; the rank that differs is named first, also in result.json")
    void aHangEndsTheJob(Scene scene) {
        String rank = scene.script(
                "rank", "[ $RANK = 2 ] || { mkfifo $scene/pipe-$RANK; read x <$scene/pipe-$RANK; }", "exec sleep 600");
        Result result = simulation(scene, "--on-hang", "stop").with(rank).run().endedWith(75);
        assertThat(result.output()).contains(HANGS + "no rank has printed or used the CPU for 2s: rank 2 in ");
        scene.assertNothingIsLeft();
    }

    @Test
    @DisplayName("with --on-hang report the job goes on, and its result has the ranks in groups")
    void aHangIsReportedOnce(Scene scene) {
        String rank = scene.script(
                "rank", "[ -e $scene/end ] && exit 0", "until [ -e $scene/end ]; do sleep 30 & wait; done");
        Launched job = job(scene).with(rank).start().awaitMessage(HANGS);
        Processes.pidsTagged(scene.tag());
        job.signal("TERM");
        Result result = job.await().endedWith(143);
        assertThat(result.messages()).containsOnlyOnce(HANGS + "no rank has printed");
        JsonNode document = Json.parse(Scene.read(scene.resultFile()));
        assertThat(SCHEMA.problems(document)).isEmpty();
        assertThat(document.at("/hang/onHang").asText()).isEqualTo("report");
        assertThat(document.at("/hang/groups/0/ranks").size()).isEqualTo(2);
    }

    @Test
    @DisplayName("a job in which a rank only polls hangs; one in which a rank prints does not")
    void whoPollsHangs(Scene scene) {
        String spinner = scene.script("rank", "[ $RANK = 0 ] && while :; do :; done", "exec sleep 600");
        job(scene, "--on-hang", "stop").with(spinner).run().endedWith(75).says("stand still: rank ");
        // The worker prints often, and for longer than the timeout. On a busy machine it may pause for a while.
        String worker = scene.script(
                "worker",
                "[ $RANK = 0 ] || { until [ -e $scene/worked ]; do sleep 1; done; exit 0; }",
                "for i in $(seq 70); do echo step $i; sleep 0.1; done; : > $scene/worked");
        String[] stop = {"--on-hang", "stop"};
        job(scene, "6s", stop).with(worker).run().endedWith(0).doesNotSay(HANGS);
    }

    @Test
    @DisplayName("--on-hang restart restarts a job that hangs, and needs --restarts")
    void aHangStartsTheJobAgain(Scene scene) {
        String rank =
                scene.script("rank", "[ -e $scene/was-$RANK ] && exit 0", ": > $scene/was-$RANK", "exec sleep 600");
        job(scene, "--on-hang", "restart").with(rank).answer().endedWith(78).says("--on-hang", "--restarts");
        scene.plan(1, "--on-hang", "restart", "--restarts", "1")
                .with(rank)
                .answer()
                .endedWith(64)
                .says("of no use without --hang-timeout");
        job(scene, "--on-hang", "restart", "--restarts", "1")
                .with(rank)
                .run()
                .endedWith(0)
                .says(HANGS);
        scene.assertNothingIsLeft();
    }
}
