package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A failed job starts again under the same launcher ({@code --restarts}), with every engine. */
@OnEveryEngine
class RunsInPlaceIT {

    private static final String[] QUICKLY = {"--restarts", "4"};

    /** Shell words that set {@code $run} to the number of the attempt, as the process itself counts it. */
    private static final String COUNT =
            "run=$(($(cat $scene/count-$me 2>/dev/null || echo 0) + 1)); echo $run > $scene/count-$me";

    private static List<JsonNode> runs(Scene scene) {
        JsonNode runs = Json.parse(Scene.read(scene.resultFile())).get("attempts");
        return StreamSupport.stream(runs.spliterator(), false).toList();
    }

    private static JsonNode result(Scene scene) {
        return Json.parse(Scene.read(scene.resultFile()));
    }

    @Test
    @DisplayName(
            "a job whose process fails starts again, all of it, until it succeeds; logs and results keep their names")
    void aFailedJobStartsAgainUntilItSucceeds(Scene scene) {
        int processes = scene.engine().atMost(2);
        String rank = scene.script(
                "rank",
                COUNT,
                "echo run $MUSTER_RUN of $run, attempt number $run",
                "[ $me = 0 ] && [ $run -lt 3 ] && exit 3",
                "[ $MUSTER_RUN -lt 3 ] && exec sleep 600",
                "finish");
        scene.job(processes, QUICKLY)
                .with(rank)
                .run()
                .endedWith(0)
                .says("run 1 ended: ", "run 2 begins in 1s (restart 1 of at most 4)", "after 3 runs");
        assertThat(Scene.read(scene.beside("count-0"))).isEqualToIgnoringNewLines("3");
        String log = Scene.read(scene.log(0));
        assertThat(log)
                .contains(
                        "run 1 of 1, attempt",
                        "---- muster: run 2 of " + scene.jobId() + ", ",
                        "run 2 of 2",
                        "run 3 of 3");
        assertThat(runs(scene))
                .extracting(run -> run.get("kind").asText())
                .containsExactly("failure", "failure", "success");
        assertThat(runs(scene)).extracting(run -> run.get("exitCode").asInt()).containsExactly(3, 3, 0);
        assertThat(Scene.tree(scene.logs()).stream().filter(name -> name.contains("result")))
                .hasSize(1);
        scene.assertNothingIsLeft();
        assertThat(Scene.tree(scene.beside("t"))).containsExactly("");
    }

    @Tag("repeated")
    @OnceForAll
    @DisplayName(
            "when all restarts are used, the last attempt's code is the job's, and the verdict counts the attempts")
    void theLastRunsCodeIsTheJobs(Scene scene) {
        String rank = scene.script("rank", COUNT, "echo attempt number $run", "exit $((10 + run))");
        scene.job(1, "--restarts", "2").with(rank).run().endedWith(13).says("after 3 runs");
        assertThat(runs(scene)).extracting(run -> run.get("exitCode").asInt()).containsExactly(11, 12, 13);
        assertThat(result(scene).get("kind").asText()).isEqualTo("failure");
    }

    @Tag("repeated")
    @OnceForAll
    @DisplayName("SIGTERM between two attempts ends the job with 143 at once")
    void sigtermBetweenTwoRunsEndsTheJob(Scene scene) {
        String rank = scene.script("rank", COUNT, "exit $run");
        Launched launcher = scene.job(1, QUICKLY).with(rank).start().awaitMessage("run 5 begins in 8s");
        Result stopped = launcher.signal("TERM").await().endedWith(143);
        stopped.says("stopped by SIGTERM", "run 4 had ended with 4, run 5 had not begun");
        assertThat(stopped.messages()).doesNotContain("not finished");
        assertThat(result(scene).get("exitCode").asInt()).isEqualTo(143);
        assertThat(result(scene).get("kind").asText()).isEqualTo("stop");
        assertThat(result(scene).get("processes")).isNotEmpty();
        assertThat(runs(scene)).hasSize(4);
        scene.assertNothingIsLeft();
    }

    @Tag("repeated")
    @OnceForAll
    @DisplayName("no attempt follows a stop that comes while a failed attempt ends")
    void aStopWhileAFailedRunIsEndingCounts(Scene scene) {
        int processes = 2;
        String rank = scene.script(
                "rank",
                COUNT,
                "[ $me = 1 ] && trap : TERM && : > $scene/ready",
                "[ $me = 1 ] && until [ -e $scene/go ]; do sleep 0.05; done && exit 0",
                "until [ -e $scene/ready ]; do sleep 0.05; done",
                "exit 3");
        // mpirun decides itself how long its ranks may take.
        Assumptions.assumeTrue(scene.engine().startsProcessesItself(), "mpirun ends its ranks itself");
        Launched launcher = scene.job(processes, QUICKLY).with(rank).start().awaitMessage("exit code 3");
        launcher.signal("TERM").awaitMessage("received SIGTERM; already stopping");
        Scene.write(scene.beside("go"), "");
        launcher.await().endedWith(143);
        assertThat(Scene.read(scene.beside("count-0"))).isEqualToIgnoringNewLines("1");
        scene.assertNothingIsLeft();
    }

    @Tag("repeated")
    @OnceForAll
    @DisplayName("no attempt follows a SIGTERM to the launcher, or one from outside to a rank")
    void noStopIsFollowedByAnotherRun(Scene scene) {
        String rank = scene.script("rank", COUNT, "echo $$ > $scene/pid", ": > $scene/ready", "exec sleep 600");
        Launched stopped = scene.job(1, QUICKLY).with(rank).start();
        scene.awaitFiles("ready");
        stopped.signal("TERM").await().endedWith(143).doesNotSay("run 2 begins");
        Scene.write(scene.beside("pid"), "");
        Launched fromOutside = scene.job(1, QUICKLY).with(rank).start();
        Await.until("the rank runs", () -> !Scene.read(scene.beside("pid")).isBlank());
        scene.command("kill", Scene.read(scene.beside("pid")).strip()).run().endedWith(0);
        fromOutside.await().endedWith(143).doesNotSay("run 2 begins");
        assertThat(Files.exists(scene.beside("count-0"))).isTrue();
        assertThat(Scene.read(scene.beside("count-0"))).isEqualToIgnoringNewLines("2");
    }

    @OnceForAll
    @DisplayName("only listed exit codes lead to another attempt; 126 and 127 of a rank never do")
    void onlyEndsThatAreListedAreFollowed(Scene scene) {
        String rank = scene.script("rank", COUNT, "echo attempt number $run", "exit $CODE");
        for (int code : List.of(126, 127)) {
            scene.job(1, QUICKLY)
                    .with(rank)
                    .set("CODE", Integer.toString(code))
                    .run()
                    .endedWith(code)
                    .doesNotSay("run 2 begins");
        }
        String other = scene.script("other", "exit $((2 + 2 * MUSTER_RUN))");
        scene.job(1, "--restarts", "4", "--restart-on", "lost,3-5,SIGKILL")
                .with(other)
                .run()
                .endedWith(6)
                .says("after 2 runs")
                .doesNotSay("run 3 begins");
    }

    @Tag("repeated")
    @OnceForAll
    @DisplayName("a launcher keeps no threads, descriptors and directories of earlier attempts")
    void nothingIsKeptOfTheRunsBefore(Scene scene) {
        int restarts = Repetitions.isFull() ? 9 : 5;
        String rank = scene.script(
                "rank",
                "set -- /proc/$PPID/fd/*; fds=$#",
                "set -- /proc/$PPID/task/*; tasks=$#",
                "set -- $TMPDIR/*; echo $fds $tasks $# >> $scene/kept",
                "echo attempt of run number $MUSTER_RUN",
                "exit $((1 + MUSTER_RUN % 5))");
        scene.job(1, "--restarts", Integer.toString(restarts))
                .with(rank)
                .run()
                .says("after " + (1 + restarts) + " runs");
        List<String> kept = Scene.read(scene.beside("kept")).lines().toList();
        assertThat(kept).hasSize(1 + restarts);
        List<Integer> early = least(kept.subList(1, 3));
        List<Integer> late = least(kept.subList(restarts - 1, 1 + restarts));
        assertThat(late.get(0)).as("descriptors of %s", kept).isLessThan(early.get(0) + 3);
        assertThat(late.get(1)).as("threads of %s", kept).isLessThan(early.get(1) + 3);
        assertThat(late.get(2)).isEqualTo(1);
    }

    /** The least value of each number: a rank may count while its launcher still holds resources of its start. */
    private static List<Integer> least(List<String> lines) {
        return lines.stream()
                .map(RunsInPlaceIT::numbers)
                .reduce((one, other) -> IntStream.range(0, one.size())
                        .mapToObj(at -> Math.min(one.get(at), other.get(at)))
                        .toList())
                .orElseThrow();
    }

    private static List<Integer> numbers(String line) {
        return Stream.of(line.split(" ", -1)).map(Integer::valueOf).toList();
    }

    @OnceForAll
    @DisplayName("a rank that ignores SIGTERM is killed before the next attempt")
    void whoeverIgnoresSigtermIsKilledBeforeTheNextRun(Scene scene) {
        String rank = scene.script(
                "rank",
                "[ $me = 1 ] && trap '' TERM && : > $scene/ready-$MUSTER_RUN && while :; do sleep 1; done",
                "until [ -e $scene/ready-$MUSTER_RUN ]; do sleep 0.02; done",
                "exit 3");
        scene.job(2, "--restarts", "2", "--grace", "200ms")
                .with(rank)
                .run()
                .endedWith(3)
                .says("after 3 runs");
        assertThat(runs(scene)).hasSize(3);
        scene.assertNothingIsLeft();
    }

    @OnceForAll
    @DisplayName("an attempt that cannot begin ends the job with the refusal's code; the result lists the earlier ones")
    void aRunThatCannotBeginEndsTheJob(Scene scene) {
        String rank = scene.script("rank", "echo '{' > $scene/table.json", "exit 3");
        scene.job(1, "--restarts", "4", "--input-timeout", "1s")
                .with(rank)
                .run()
                .endedWith(75)
                .says("run 2 had not begun");
        assertThat(result(scene).get("kind").asText()).isEqualTo("refused");
        assertThat(result(scene).get("exitCode").asInt()).isEqualTo(75);
        assertThat(runs(scene)).hasSize(1);
        scene.assertNothingIsLeft();
    }
}
