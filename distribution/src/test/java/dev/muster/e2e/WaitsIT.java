package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** 12: what a user sees while the launcher waits and no rank runs. */
@ExtendWith(Scenes.class)
class WaitsIT {

    private static final String TABLE = RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1"));
    private static final String BLANK = "\r *\r";

    @DisplayName("12.8 without a terminal: a line every while says what, since when and why not yet")
    @Test
    void linesComeEveryWhile(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", "{\"status\": \"initializing\"}");
        Launched launcher =
                node.muster(scene, "--progress", "300ms").with("/bin/true").start();
        launcher.awaitMessage("still waiting after");
        launcher.awaitMessage("1s of 30m");
        Scene.write(node.table(), TABLE);
        Result result = launcher.await().endedWith(0).doesNotSay("\r");
        assertThat(result.messages())
                .containsPattern("muster: still waiting after \\S+ of 30m: rank table " + node.table()
                        + " is still \"initializing\", changed \\d+s ago")
                .contains(" is ready after ");
    }

    @DisplayName("12.9 on a terminal: one line that changes, fits and goes away; none of it in a log")
    @Test
    void aTerminalHasOneLineThatChanges(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", "{\"status\": \"initializing\"}");
        Invocation muster = node.muster(scene).with("/bin/echo", "hello from the rank");
        Launched launcher = Terminal.around(scene, muster.after("stty cols 76"), "", "never")
                .start();
        launcher.awaitOutput("waiting, 0s of 30m: ").awaitOutput("waiting, 2s of 30m: ");
        Scene.write(node.table(), TABLE);
        Result result = launcher.await();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.output()).contains("hello from the rank").doesNotContain("still waiting");
        String changing = result.output().substring(result.output().indexOf("\rmuster: waiting"));
        assertThat(changing)
                .containsPattern("^(\rmuster: waiting, \\ds of 30m: [^\r\n]*)+" + BLANK + "muster: rank table ");
        List<String> lines =
                changing.lines().filter(line -> line.contains("waiting, ")).toList();
        assertThat(String.join("\r", lines).split("\r"))
                .filteredOn(line -> line.contains("waiting, "))
                .allMatch(line -> line.length() < 76 && line.contains("jobstart_hccl.json"));
        for (String file : Scene.tree(node.mount().resolve("log"))) {
            if (file.endsWith(".txt") || file.endsWith(".json")) {
                assertThat(Scene.read(node.mount().resolve("log").resolve(file)))
                        .doesNotContain("waiting", "\r");
            }
        }
    }

    @DisplayName("12.10 on a terminal: a plan as JSON comes after the line has gone, and SIGINT ends the wait")
    @Test
    void aPlanComesAfterTheLine(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        Invocation plan = scene.muster(
                        "plan", "--engine", "ascend", "--format", "json", "--input-timeout", "30m", "--", "/bin/true")
                .set(node.environment());
        Launched launcher = Terminal.around(scene, plan, "", "never").start();
        launcher.awaitOutput("waiting, 0s of 30m: ");
        Scene.write(node.table(), TABLE);
        Result result = launcher.await();
        assertThat(result.exitCode()).as(result.toString()).isZero();
        int start = result.output().indexOf("{\r\n");
        assertThat(result.output().substring(0, start)).as(result.toString()).doesNotEndWith("...");
        assertThat(Json.parse(result.output().substring(start)).get("engine").asText())
                .isEqualTo("ascend");
        node.table().toFile().delete();
        Invocation job = node.muster(scene).with("/bin/true");
        Launched waiting = Terminal.around(scene, job, "\u0003", "interrupt").start();
        waiting.awaitOutput("waiting, 0s of 30m");
        Scene.write(scene.beside("interrupt"), "");
        Result stopped = waiting.await();
        assertThat(stopped.exitCode()).as(stopped.toString()).isEqualTo(130);
        assertThat(stopped.output()).containsPattern(BLANK + "muster: exit 130");
    }
}
