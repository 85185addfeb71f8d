package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code muster certify} checks launchers against the contract of an engine. */
@Order(1)
@ExtendWith(Scenes.class)
class CertifyIT {

    private static final Schema SCHEMA = Schema.of("certify.schema.json");
    private static final Duration LONG = Duration.ofMinutes(6);

    /** The time until SIGKILL for ranks that ignore SIGTERM. */
    private static final String GRACE = "3s";

    private static Invocation certify(Scene scene, String engine, String... options) {
        return scene.apart(scene.muster("certify", "--engine", engine, "--grace", GRACE)
                .with(options)
                .with("--"));
    }

    /** The broken rules, as RULE on NODES. */
    private static Set<String> broken(Result result) {
        JsonNode document = Json.parse(result.output());
        assertThat(SCHEMA.problems(document)).isEmpty();
        Set<String> broken = new TreeSet<>();
        for (JsonNode rule : document.get("rules")) {
            if (!rule.get("kept").asBoolean()) {
                broken.add(rule.get("rule").asText() + " on " + rule.get("nodes"));
            }
        }
        assertThat(document.get("broken").asInt()).isEqualTo(broken.size());
        assertThat(result.exitCode()).isEqualTo(broken.isEmpty() ? 0 : 1);
        return broken;
    }

    /** @param nodes the number of nodes of the larger of two jobs */
    private static Result muster(Scene scene, String engine, int nodes) {
        return certify(scene, engine, "--format", "json", "--nodes", Integer.toString(nodes))
                .with(scene.muster("--engine", engine, "--grace", GRACE)
                        .command()
                        .toArray(new String[0]))
                .with("--")
                .start()
                .await(LONG);
    }

    /** All engines are supervised alike: one of them stands for all. */
    @Test
    void musterKeepsTheContractOfAnEngine(Scene scene) {
        assertKept(scene, "ascend", 2);
    }

    @Tag("torture")
    @ParameterizedTest
    @CsvSource({"pytorch-gpu, 1", "tensorflow-ps, 1", "mpi, 2"})
    void musterKeepsTheContractsOfTheOthers(String engine, int nodes, Scene scene) {
        if (engine.equals("mpi")) {
            Components.requireMpi();
        }
        assertKept(scene, engine, nodes);
    }

    private static void assertKept(Scene scene, String engine, int nodes) {
        assertThat(broken(muster(scene, engine, nodes))).isEmpty();
        scene.assertNothingIsLeft();
        assertThat(Scene.tree(scene.directory())).containsExactly("");
    }

    /** The simplest launcher: a loop that starts processes, and waits for them. The table for people names rule and page. */
    @Test
    void aLoopInAShellBreaksWhatItKnowsNothingOf(Scene scene) {
        String loop = scene.script(
                "loop",
                "export WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29500 TEXT=\"$*\"",
                "for rank in 0 1; do RANK=$rank LOCAL_RANK=0 \"$@\" >/dev/null & done",
                "wait");
        Result result =
                certify(scene, "pytorch-gpu", "--nodes", "1").with(loop).start().await(LONG);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.outputLines().get(0)).matches("RULE +NODES +RESULT +PAGE +WHAT");
        for (String rule : List.of("R4.1", "R7.4", "R9.2", "R9.3", "R9.8", "R9.9")) {
            assertThat(result.output())
                    .containsPattern(rule + " +1 +BROKEN +docs/certify.md#"
                            + rule.substring(0, 2).toLowerCase(Locale.ROOT));
        }
        for (String rule : List.of("R3.1", "R7.1", "R9.1")) {
            assertThat(result.output()).containsPattern(rule + " +1 +kept +docs/certify.md#r");
        }
        assertThat(result.output()).contains("GROUP_RANK is unset, not \"0\"", "expected: ", "seen: ");
        scene.assertNothingIsLeft();
    }

    /** Run by {@code -Dmuster.run.ascend=FILE}: ModelArts' own boot script, which is no part of this project. */
    @Test
    void theDefectsOfRunAscendAreFound(Scene scene) {
        String script = System.getProperty("muster.run.ascend", "");
        assumeFalse(script.isEmpty(), "no run_ascend.py is given");
        Result result = certify(scene, "ascend", "--platform", "modelarts", "--format", "json")
                .with("python3", script)
                .start()
                .await(LONG);

        List<String> known = List.of(
                // The script ends with 247 after SIGKILL of a rank, 1 for a missing command, 0 after SIGTERM.
                "R7.3 on 1",
                "R7.4 on 1",
                "R9.4 on 1",
                // Ranks stay after SIGINT, SIGHUP and SIGKILL to the script. Processes of ranks stay if they have their
                // own session or ignore SIGTERM.
                "R9.6 on 1",
                "R9.7 on 1",
                "R9.8 on 1",
                "R9.9 on 1",
                "R9.9 on 2",
                // The script does not wait for a missing or half-written rank table.
                "R8.1 on 1",
                "R8.2 on 1",
                "R8.1 on 2",
                // The nodes have no link.
                "R7.2 on 2",
                "R9.3 on 2",
                "R9.4 on 2");
        assertThat(broken(result)).containsExactlyInAnyOrderElementsOf(known);
        scene.assertNothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "no-such-launcher"})
    void whatStartsNoRankIsUnavailable(String launcher, Scene scene) {
        certify(scene, "ascend").with(launcher).run().endedWith(69).says("launcher");
    }

    @Test
    void aStopEndsTheLaunchers(Scene scene) {
        Path mark = scene.beside("mark");
        String idle = scene.script("idle", ": > " + mark, "sleep 600");
        Launched held = certify(scene, "ascend").with(idle).start();
        scene.awaitFiles("mark");
        held.signal("TERM").await().endedWith(143).says("stopped by SIGTERM");
        scene.assertNothingIsLeft();
    }
}
