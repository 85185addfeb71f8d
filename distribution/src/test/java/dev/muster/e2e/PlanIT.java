package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plans are shown and nothing else happens; help, versions and the list of engines. */
@ExtendWith(Scenes.class)
class PlanIT {

    private static final String TWO_NODES = RankTables.templateTwo(
            RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"),
            RankTables.pod("job-1", "192.168.0.26", "0 10.0.0.3", "1 10.0.0.4"));

    private static final String MASK = "*";

    private static Invocation plan(Scene scene, ModelArtsNode node, String... options) {
        return scene.muster("plan", "--engine", "ascend")
                .with(options)
                .with("--", "/bin/echo", "hello")
                .set(node.environment());
    }

    @OnEveryJdk
    void aPlanShowsWhatEveryRankGets(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-1", TWO_NODES);
        List<String> before = Scene.tree(scene.beside(""));
        Result text = plan(scene, node).run().endedWith(0);
        for (String word : List.of(
                "/bin/echo",
                "hello",
                "RANK_ID",
                "RANK_SIZE",
                "HCCL_CONNECT_TIMEOUT",
                "modelarts",
                "modelarts-job-e2e",
                node.workDirectory(1).toString(),
                node.convertedTable().toString(),
                "modelarts-job-e2e-proc-rank-3-device-1.txt")) {
            assertThat(text.output()).contains(word);
        }
        JsonNode json = Json.parse(
                plan(scene, node, "--format", "json").run().endedWith(0).output());
        assertThat(json.findValuesAsText("RANK_ID")).contains("2", "3").doesNotContain("0", "1");
        assertThat(json.findValuesAsText("RANK_SIZE")).containsOnly("4");
        assertThat(withoutCaptures(Scene.tree(scene.beside("")))).isEqualTo(withoutCaptures(before));
    }

    private static List<String> withoutCaptures(List<String> files) {
        return files.stream().filter(name -> !name.startsWith("captured-")).toList();
    }

    @Test
    void equalPlansAreEqualBytes(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        for (String format : List.of("text", "json")) {
            String[] options = {"--format", format, "--show-origin", "--all-nodes"};
            Result first = plan(scene, node, options).run().endedWith(0);
            Result second = plan(scene, node, options).run().endedWith(0);
            assertThat(second.standardOutput())
                    .isEqualTo(first.standardOutput())
                    .isNotEmpty();
        }
    }

    @Test
    void aDryRunIsAPlan(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        Result plan = plan(scene, node).run().endedWith(0);
        Result dryRun =
                node.muster(scene, "--dry-run").with("/bin/echo", "hello").run().endedWith(0);
        assertThat(dryRun.output()).isEqualTo(plan.output());
        assertThat(Scene.tree(node.mount())).containsExactly("", "log");
    }

    @Test
    void allNodesOfTheJobAreShown(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        Result result =
                plan(scene, node, "--all-nodes", "--format", "json").run().endedWith(0);
        assertThat(Json.parse(result.output()).findValuesAsText("RANK_ID")).containsExactly("0", "1", "2", "3");
        assertThat(plan(scene, node, "--all-nodes").run().endedWith(0).output())
                .contains("proc-rank-0-device-0.txt", "proc-rank-3-device-1.txt");
    }

    @Test
    void theOriginOfEverySettingIsShown(Scene scene) {
        Scene.write(scene.beside("config.json"), "{\"input-timeout\": \"7m\", \"prefix\": \"none\"}");
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        String config = scene.beside("config.json").toString();
        Result result = plan(scene, node, "--show-origin", "--config", config, "--grace", "3s")
                .set("MUSTER_EXIT_CODES", "modelarts")
                .run()
                .endedWith(0);
        assertThat(result.outputLines())
                .anyMatch(line -> line.contains("grace") && line.contains("3s") && line.contains("--grace"))
                .anyMatch(line -> line.contains("exit-codes") && line.contains("MUSTER_EXIT_CODES"))
                .anyMatch(line -> line.contains("prefix") && line.contains("none") && line.contains("config.json"))
                .anyMatch(line -> line.contains("job-id") && line.contains("MA_VJ_NAME"));
    }

    @Test
    void theCommandLineWinsOverVariablesAndTheseOverTheFile(Scene scene) {
        Scene.write(scene.beside("config.json"), "{\"grace\": \"1s\", \"engine\": \"ascend\"}");
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        Invocation fromFile = scene.muster(
                        "plan", "--config", scene.beside("config.json").toString(), "--show-origin")
                .set(node.environment());
        checkGrace(scene, fromFile, "1s");
        checkGrace(scene, fromFile.set("MUSTER_GRACE", "2s"), "2s");
        checkGrace(scene, fromFile.with("--grace", "3s"), "3s");
    }

    private static void checkGrace(Scene scene, Invocation invocation, String expected) {
        String[] words = invocation.command().toArray(String[]::new);
        Result result = scene.command(words)
                .set(invocation.environment())
                .with("--", "/bin/true")
                .run()
                .endedWith(0);
        assertThat(result.outputLines()).anyMatch(line -> line.contains("grace") && line.contains(expected));
    }

    @Test
    void secretsAreMasked(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        for (String format : List.of("text", "json")) {
            Result result = scene.muster("plan", "--engine", "ascend", "--format", format, "--mask", "*_pin")
                    .with("--", "/bin/echo", "--token=geheim1", "--api-key", "geheim2", "MY_PIN=geheim3", "visible")
                    .set(node.environment())
                    .set("S3_ACCESS", "geheim4")
                    .set("ASCEND_PROCESS_LOG_PATH", "/tmp/fine")
                    .run()
                    .endedWith(0);
            assertThat(result.output()).contains("visible", "--token=" + MASK).doesNotContain("geheim");
        }
    }

    @Test
    void anInputThatIsNotReadyIsSaidAtOnce(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        Result result = plan(scene, node)
                .run()
                .endedWith(75)
                .says("does not exist", node.config().toString());
        assertThat(result.output()).isEmpty();
        Scene.write(node.table(), RankTables.initializing(TWO_NODES));
        plan(scene, node).run().endedWith(75).says("initializing");
        Launched waiting = plan(scene, node, "--input-timeout", "1m").start().awaitMessage("initializing");
        Scene.write(node.table(), TWO_NODES);
        assertThat(waiting.await().endedWith(0).output()).contains("RANK_ID");
    }

    @Test
    void withoutAMountThePlatformsOtherPlacesAreUsed(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        Result result = plan(scene, node).unset("MA_MOUNT_PATH").run().endedWith(0);
        assertThat(result.output()).contains("/cache/device0", "/tmp/log");
    }

    @OnEveryJdk
    void enginesAreListedWithVersionAndJar(Scene scene) {
        Result result = scene.muster("engines").run().endedWith(0);
        assertThat(result.outputLines()).anyMatch(line -> line.matches("ascend\\s+[0-9]+\\.[0-9].*\\.jar.*"));
        assertThat(scene.jar("engines").run().endedWith(0).output()).contains("ascend", "muster.jar");
    }

    @OnEveryJdk
    void theVersionNamesMusterAndJava(Scene scene) {
        Result result = scene.muster("--version").run().endedWith(0);
        assertThat(result.output()).containsIgnoringCase("muster").containsPattern("[0-9]+\\.[0-9]+\\.[0-9]+");
        assertThat(result.output()).contains(Integer.toString(scene.jdk().feature()));
    }

    @Test
    void theHelpFitsOnOneScreenAndBeginsWithExamples(Scene scene) {
        Result result = scene.muster("--help").run().endedWith(0);
        List<String> lines = result.outputLines();
        assertThat(lines).hasSizeLessThanOrEqualTo(45).allMatch(line -> line.length() <= 80);
        int example = indexOf(lines, "--engine ascend -- ");
        assertThat(example).isBetween(0, 6).isLessThan(indexOf(lines, "--grace"));
        assertThat(indexOf(lines, "128+n")).isPositive();
        for (String code : List.of("64", "65", "69", "70", "75", "78", "126", "127")) {
            assertThat(lines).anyMatch(line -> line.strip().startsWith(code));
        }
    }

    private static int indexOf(List<String> lines, String text) {
        for (int index = 0; index < lines.size(); index++) {
            if (lines.get(index).contains(text)) {
                return index;
            }
        }
        return -1;
    }

    @Test
    void everyCommandHasItsHelp(Scene scene) {
        for (String command : List.of("plan", "simulate", "engines")) {
            Result result = scene.muster(command, "--help").run().endedWith(0);
            assertThat(result.output()).contains("muster " + command);
        }
        assertThat(scene.muster("simulate", "--help").run().endedWith(0).output())
                .contains("--nodes", "--late");
        assertThat(scene.muster("simulate", "--engine", "ascend", "--help")
                        .run()
                        .endedWith(0)
                        .output())
                .contains("--table-family");
    }

    @Test
    void aFileThatExistsOnlyForTheCallerGivesAHint(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        Scene.write(scene.directory().resolve("train.sh"), "echo never");
        node.muster(scene)
                .with("/bin/sh", "train.sh")
                .run()
                .endedWith(2)
                .says("train.sh", scene.directory().toString());
    }
}
