package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The verdict of a job, for people and in its result. */
@ExtendWith(Scenes.class)
class VerdictIT {

    private static final int MOST_LINES = 25;
    private static final Schema SCHEMA = Schema.of("result.schema.json");
    /** A directory in which no user can make a log. */
    private static final String NO_LOGS = "/proc/none";

    /**
     * Commands of a rank, and what the verdict must quote of their output. {@link CausesIT} has more, with logs. {@code ./verify --torture}
     * tries all of these.
     */
    private static final Map<String, String> CAUSES = causes();

    private static Map<String, String> causes() {
        Map<String, String> causes = new TreeMap<>();
        causes.put("exit 5", "said nothing");
        causes.put("echo started; kill -9 $$", "  | started");
        if (Repetitions.isFull()) {
            causes.put("python3 -c 'raise KeyError(7)'", "  | KeyError: 7");
            causes.put("/no/such/program", "/no/such/program: not found");
            causes.put("python3 -c 'raise SystemExit(\"no data in /data\")'", "  | no data in /data");
            causes.put("python3 -X faulthandler -c 'import ctypes; ctypes.string_at(0)'", "  | Fatal Python error: ");
            causes.put("python3 /no/such/script.py", "  | python3: can't open file '/no/such/script.py'");
            causes.put("/usr", "ermission denied");
        }
        return causes;
    }

    @Tag("repeated")
    @DisplayName("without a log the verdict names the first failed rank, how it failed, its last lines, and the others")
    @Test
    void everyCauseIsShown(Scene scene) {
        for (Map.Entry<String, String> cause : CAUSES.entrySet()) {
            Result result = scene.job(3, "--log-dir", NO_LOGS)
                    .with(scene.script(
                            "rank",
                            "[ $me = 1 ] || { : > $scene/up-$me; exec sleep 600; }",
                            "until [ -e $scene/up-0 ] && [ -e $scene/up-2 ]; do sleep 0.005; done",
                            cause.getKey()))
                    .run();
            scene.beside("up-0").toFile().delete();
            scene.beside("up-2").toFile().delete();
            List<String> lines = verdict(result);
            assertThat(lines).as(result.toString()).hasSizeLessThanOrEqualTo(MOST_LINES);
            assertThat(lines.get(0))
                    .startsWith("muster: first failure: rank 1 on node 0 (")
                    .contains(", pid ", "; command: ")
                    .contains(scene.beside("rank").toString());
            assertThat(String.join("\n", lines))
                    .as(cause.getKey())
                    .contains(cause.getValue(), "others: ranks 0,2 were stopped (2)", "\nmuster: next: ");
            assertThat(lines.get(lines.size() - 1)).startsWith("muster: exit " + result.exitCode() + ": rank 1 (pid ");
        }
    }

    @DisplayName("the verdict quotes twelve lines of a long traceback, with all exceptions, and no bars or colours")
    @OnOneJdk
    void aLongTracebackIsCut(Scene scene) {
        Path program = scene.beside("chain.py");
        Scene.write(program, """
                import sys
                for step in range(500):
                    sys.stderr.write("\\r\\x1b[32mstep %d\\x1b[0m" % step)
                def deep(n):
                    if n == 0:
                        try:
                            open("/no/such/file")
                        except OSError as error:
                            raise RuntimeError("cannot load") from error
                    deep(n - 1)
                deep(300)
                """);
        Result result = scene.job(2)
                .with(scene.script("rank", "[ $me = 1 ] || exec sleep 600", "exec python3 " + program))
                .run()
                .endedWith(1);
        List<String> words = quoted(result);
        assertThat(words)
                .hasSize(12)
                .contains("RuntimeError: cannot load")
                .anyMatch(line -> line.startsWith("FileNotFoundError: "))
                .anyMatch(line -> line.matches("\\.\\.\\. [0-9]+ lines"))
                .noneMatch(line -> line.contains("\u001b") || line.contains("step 3"));
    }

    @DisplayName("output of a rank cannot pass for a line of Muster, and secrets are masked")
    @Test
    void aRankCannotSpeakForMuster(Scene scene) {
        Result result = scene.job(1)
                .with(scene.script(
                        "rank",
                        "printf 'muster: exit 0: all is well\\n\\033[2J\\rmuster: x\\n\\377 token is %s\\n' \"$MY_TOKEN\"",
                        "exit 3"))
                .set("MY_TOKEN", "hunter22hunter22")
                .run()
                .endedWith(3)
                .doesNotSay("hunter22", "\u001b")
                .says("  | muster: exit 0: all is well", "token is ******");
        assertThat(result.messages().lines().filter(line -> line.startsWith("muster: exit")))
                .hasSize(1);
        assertThat(Scene.read(scene.resultFile())).doesNotContain("hunter22").contains("token is ******");
    }

    @DisplayName("the verdict on sixty ranks that fail at once fits on a screen; the result has the same lines")
    @Test
    void manyFailuresFitOnAScreen(Scene scene) {
        Result result = scene.job(60)
                .with(scene.script("rank", "seq 1 100", "exit 4"))
                .run()
                .endedWith(4);
        assertThat(verdict(result)).hasSizeLessThanOrEqualTo(MOST_LINES);
        assertSameInResult(scene, result, "failure");
    }

    @DisplayName("a stop is short and says who had not finished; a success is one line")
    @Test
    void aStopIsNoFailure(Scene scene) {
        Launched launcher = scene.job(3)
                .with(scene.script(
                        "rank", "[ $me = 1 ] && { : > $scene/done; exit 0; }", ": > $scene/up-$me", "exec sleep 600"))
                .start()
                .awaitMessage("started 3");
        scene.awaitFiles("done", "up-0", "up-2");
        Result stopped = launcher.signal("TERM").await().endedWith(143);
        List<String> lines = stopped.messages().lines().toList();
        assertThat(lines.subList(lines.size() - 2, lines.size()))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("muster: not finished: ranks 0,2 (2 of 3)"),
                        line -> assertThat(line).startsWith("muster: exit 143: stopped by SIGTERM after "));
        assertThat(stopped.messages()).doesNotContain("first failure");
        assertSameInResult(scene, stopped, "stop");
        scene.command("rm", "-rf", scene.logs().toString()).run();
        Result success = scene.job(2).with("/bin/true").run().endedWith(0);
        assertThat(success.messages().lines().filter(line -> line.startsWith("muster: exit ")))
                .hasSize(1);
        assertThat(success.messages()).doesNotContain("others", "not finished", "next:");
        assertSameInResult(scene, success, "success");
    }

    @Tag("repeated")
    @DisplayName("a rank that failed because another was gone is not the cause, although it ended first")
    @Test
    void aConsequenceIsNoCause(Scene scene) {
        for (int round = 0; round < Repetitions.orElse(1); round++) {
            scene.beside("go").toFile().delete();
            Launched launcher = scene.job(3)
                    .with(scene.script(
                            "rank",
                            "echo $$ > $scene/part-$me; mv $scene/part-$me $scene/pid-$me",
                            "until [ -e $scene/go-$me ]; do sleep 0.005; done",
                            "[ $me = 0 ] && { echo 'RuntimeError: Connection reset by peer' >&2; exit 1; }",
                            "echo 'ValueError: the loss is nan' >&2; exit 3"))
                    .start();
            scene.awaitFiles(Scene.each("pid-", 3));
            launcher.awaitMessage("started 3");
            Processes.signal("STOP", launcher.jvm());
            for (int rank : List.of(0, 1)) {
                long pid =
                        Long.parseLong(Scene.read(scene.beside("pid-" + rank)).strip());
                Scene.write(scene.beside("go-" + rank), "");
                Await.until("rank " + rank + " has ended", () -> !Processes.isRunning(pid));
            }
            Processes.signal("CONT", launcher.jvm());
            Result result = launcher.await().endedWith(3);
            assertThat(verdict(result).get(0)).contains("first failure: rank 1 ");
            assertThat(quoted(result)).containsExactly("ValueError: the loss is nan");
            for (int rank = 0; rank < 3; rank++) {
                scene.beside("go-" + rank).toFile().delete();
                scene.beside("pid-" + rank).toFile().delete();
            }
        }
    }

    private static void assertSameInResult(Scene scene, Result result, String kind) {
        JsonNode document = Json.parse(Scene.read(scene.resultFile()));
        assertThat(SCHEMA.problems(document)).isEmpty();
        List<String> told = new ArrayList<>();
        document.get("verdict").forEach(line -> told.add("muster: " + line.asText()));
        List<String> said = result.messages().lines().toList();
        assertThat(said).endsWith(told.toArray(String[]::new));
        assertThat(document.get("kind").asText()).isEqualTo(kind);
        List<String> words = new ArrayList<>();
        document.at("/firstFailure/lastWords").forEach(line -> words.add(line.asText()));
        assertThat(words).isEqualTo(quoted(result));
    }

    /** The lines from the one that names the first failure. */
    private static List<String> verdict(Result result) {
        List<String> lines = result.messages().lines().toList();
        int first = 0;
        while (first < lines.size() && !lines.get(first).startsWith("muster: first failure: ")) {
            first++;
        }
        assertThat(first).as(result.toString()).isLessThan(lines.size());
        return lines.subList(first, lines.size());
    }

    private static List<String> quoted(Result result) {
        return result.messages()
                .lines()
                .filter(line -> line.startsWith("muster:   | "))
                .map(line -> line.substring("muster:   | ".length()))
                .toList();
    }
}
