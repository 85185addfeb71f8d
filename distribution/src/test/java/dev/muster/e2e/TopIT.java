package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code muster top}, from any node of a job. */
@ExtendWith(Scenes.class)
class TopIT {

    private static final Schema SCHEMA = Schema.of("top.schema.json");
    private static final int NODES = 3;
    private static final int RANKS = 6;

    private static Launched threeNodes(Scene scene, String... options) {
        String rank = scene.script(
                "rank",
                "echo \"begin of $RANK, token=hf_abcdefghijklmnopqrstuvwxyzabcdefgh\"",
                ": > $scene/ready-$RANK",
                "[ $RANK != 4 ] || until [ -e $scene/calm ]; do :; done",
                "sleep 600 & wait");
        Launched simulation = scene.apart(scene.muster("simulate", "--engine", "pytorch-gpu", "--nodes", "3"))
                .with("--cards", "2", "-o", "processes=per-card", "--job-id", scene.jobId(), "--grace", "1s")
                .with(options)
                .with("--", rank)
                .start();
        scene.awaitFiles(Scene.each("ready-", RANKS));
        Await.until("all nodes have met", () -> haveMet(json(scene)));
        return simulation;
    }

    private static boolean haveMet(JsonNode nodes) {
        return nodes.size() == NODES && nodes.findValues("error").stream().allMatch(JsonNode::isNull);
    }

    private static Invocation top(Scene scene, String... options) {
        return scene.muster("top", "--job", scene.jobId()).with(options);
    }

    private static JsonNode json(Scene scene) {
        JsonNode document =
                Json.parse(top(scene, "--format", "json").run().endedWith(0).output());
        assertThat(SCHEMA.problems(document)).isEmpty();
        return document.get("nodes");
    }

    private static JsonNode rankFour(Scene scene) {
        return json(scene).get(2).at("/ranks/0");
    }

    private static List<JsonNode> ranks(JsonNode node) {
        return IntStream.range(0, node.get("ranks").size())
                .mapToObj(index -> node.get("ranks").get(index))
                .toList();
    }

    private static List<String> table(Scene scene) {
        return top(scene, "--once").run().endedWith(0).outputLines();
    }

    @Test
    @DisplayName("one node asks, and all three answer, with what each rank uses and said last, secrets masked")
    void allNodesAnswer(Scene scene) {
        Launched simulation = threeNodes(scene);
        // The other ranks use no CPU. Other tests run at the same time, so the test expects no certain amount.
        Await.until("rank 4 is busy", () -> rankFour(scene).get("cpu").asInt() > 0);
        Scene.write(scene.beside("calm"), "");
        JsonNode nodes = json(scene);
        for (int node = 0; node < NODES; node++) {
            assertThat(nodes.get(node).get("node").asText()).isEqualTo("node-" + node);
            assertThat(nodes.get(node).get("error").isNull()).isTrue();
            for (JsonNode rank : ranks(nodes.get(node))) {
                assertThat(rank.get("state").asText()).isEqualTo("running");
                assertThat(rank.get("rank").asInt() / 2).isEqualTo(node);
                assertThat(rank.get("lastLine").asText())
                        .isEqualTo("begin of " + rank.get("rank").asInt() + ", token=******");
            }
            assertThat(nodes.get(node).at("/ranks/1/processes").asInt()).isEqualTo(2);
        }
        assertThat(table(scene))
                .hasSize(RANKS + 1)
                .first(STRING)
                .matches("NODE +RANK +PID +STATE +CPU% +MEM +RESTARTS +SILENT +LAST LINE");
        Processes.signalTree("STOP", rankFour(scene).get("pid").asLong());
        Await.until(
                "the rank that stands still is first", () -> table(scene).get(1).matches("node-2 +4 .* stopped .*"));
        assertANodeThatDoesNotAnswerIsNamed(scene);
        simulation.signal("TERM").await().endedWith(143);
        scene.assertNothingIsLeft();
    }

    private static void assertANodeThatDoesNotAnswerIsNamed(Scene scene) {
        long launcher = supervisor(scene, "node-2");
        Processes.signalTree("STOP", launcher);
        JsonNode nodes = json(scene);
        Processes.signalTree("CONT", launcher);
        assertThat(nodes.get(2).get("error").asText()).contains("no answer within 5s");
        assertThat(nodes.get(1).get("error").isNull()).isTrue();
    }

    @Test
    @DisplayName("64 ranks on a terminal of 24 lines: no line is longer or lower than the screen, and Ctrl-C ends it")
    void fitsOnATerminal(Scene scene) {
        Components.require("tmux");
        String rank = scene.script("rank", "echo step of $RANK; : > $scene/ready-$RANK", "exec sleep 600");
        Launched job = scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none"))
                .with(
                        "--cards",
                        "64",
                        "-o",
                        "processes=per-card",
                        "--job-id",
                        scene.jobId(),
                        "--grace",
                        "1s",
                        "--",
                        rank)
                .start();
        scene.awaitFiles(Scene.each("ready-", 64));
        String socket = scene.beside("tmux").toString();
        String command = Product.startScript(Product.home()) + " top --job " + scene.jobId();
        tmux(scene, socket, "new-session", "-d", "-x", "80", "-y", "24", command + "; echo ended with $?; sleep 600");
        try {
            Await.until("the screen is full", () -> screen(scene, socket).contains("more ranks"));
            List<String> lines = screen(scene, socket).stripTrailing().lines().toList();
            assertThat(lines).hasSizeBetween(20, 24).allMatch(line -> line.length() <= 80);
            assertThat(lines.get(0)).startsWith("NODE").contains("LAST LINE");
            assertThat(lines.get(1)).contains("node-0", "running", "step of ");
            tmux(scene, socket, "send-keys", "C-c");
            Await.until("it has ended", () -> screen(scene, socket).contains("ended with 130"));
        } finally {
            tmux(scene, socket, "kill-server");
        }
        job.signal("TERM").await().endedWith(143);
        scene.assertNothingIsLeft();
    }

    private static String screen(Scene scene, String socket) {
        return tmux(scene, socket, "capture-pane", "-p").output();
    }

    private static Result tmux(Scene scene, String socket, String... words) {
        return scene.command("tmux", "-S", socket).with(words).run();
    }

    @Test
    @DisplayName("with --link-output off a node tells others no output, and says so; its own user sees it")
    void noOutputLeavesTheNode(Scene scene) {
        Scene.write(scene.beside("calm"), "");
        Launched simulation = threeNodes(scene, "--link-output", "off");
        JsonNode nodes = json(scene);
        int quoted = 0;
        for (JsonNode node : nodes) {
            boolean isQuoted = node.get("note").isNull();
            quoted += isQuoted ? 1 : 0;
            assertThat(ranks(node))
                    .allSatisfy(
                            rank -> assertThat(rank.get("lastLine").isNull()).isNotEqualTo(isQuoted));
            assertThat(node.get("note").asText()).contains(isQuoted ? "null" : "--link-output off");
        }
        assertThat(quoted).isEqualTo(1);
        simulation.signal("TERM").await().endedWith(143);
    }

    static long supervisor(Scene scene, String part) {
        String list = scene.muster("ps", "--format", "json").run().endedWith(0).output();
        for (JsonNode launcher : Json.parse(list).get("launchers")) {
            if (launcher.get("job").asText().equals(scene.jobId())
                    && launcher.get("part").asText().equals(part)) {
                return launcher.get("supervisor").asLong();
            }
        }
        throw new AssertionError(part + " is not listed: " + list);
    }

    @Test
    void aJobThatIsNotHereIsRefused(Scene scene) {
        top(scene, "--once").run().endedWith(69).says("no launcher of job \"" + scene.jobId() + "\" runs here");
    }
}
