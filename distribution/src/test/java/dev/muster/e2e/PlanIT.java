package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code muster plan} shows a plan and does nothing else. */
@OnEveryEngine
class PlanIT {

    private static final String MASK = "*";

    private static Invocation plan(Scene scene, String... options) {
        return scene.plan(2, options).with("/bin/echo", "hello");
    }

    @OnEveryJdk
    void aPlanShowsWhatEveryProcessGetsAndTouchesNothing(Scene scene) {
        Invocation plan = plan(scene);
        List<String> before = Scene.tree(scene.directory());
        String text = plan.run().endedWith(0).output();
        assertThat(text)
                .contains("/bin/echo hello", scene.jobId())
                .contains(fileName(scene, 0), fileName(scene, 1))
                .contains(scene.engine().variables())
                .contains("PYTHONUNBUFFERED: 1");
        JsonNode json =
                Json.parse(plan(scene, "--format", "json").answer().endedWith(0).output());
        for (String variable : scene.engine().variables()) {
            // mpirun sets the variables itself, from its arguments.
            int times = scene.engine().startsProcessesItself() ? 2 : 0;
            assertThat(json.findValuesAsText(variable)).as(variable).hasSize(times);
        }
        assertThat(Scene.tree(scene.directory())).isEqualTo(before);
    }

    private static String fileName(Scene scene, int process) {
        return scene.log(process).getFileName().toString();
    }

    @Test
    void equalPlansAreEqualBytes(Scene scene) {
        String[] options = {"--format", "json", "--all-nodes"};
        Result first = plan(scene, options).run().endedWith(0);
        // Another JVM makes the second plan: the order of hash tables and the like may differ there.
        Result second = plan(scene, options).answer().endedWith(0);
        assertThat(second.standardOutput()).isEqualTo(first.standardOutput()).isNotEmpty();
    }

    @OnceForAll
    void theOriginOfEverySettingIsShown(Scene scene) {
        Scene.write(scene.beside("config.json"), "{\"input-timeout\": \"7m\", \"prefix\": \"none\"}");
        String config = scene.beside("config.json").toString();
        Result result = plan(scene, "--config", config, "--grace", "3s")
                .set("MUSTER_EXIT_CODES", "modelarts")
                .answer()
                .endedWith(0);
        assertThat(result.outputLines())
                .anyMatch(line -> line.contains("grace") && line.contains("3s") && line.contains("--grace"))
                .anyMatch(line -> line.contains("exit-codes") && line.contains("MUSTER_EXIT_CODES"))
                .anyMatch(line -> line.contains("prefix") && line.contains("none") && line.contains("config.json"))
                .anyMatch(line -> line.contains("job-id") && line.contains(scene.jobId()) && line.contains("--job-id"));
    }

    @OnceForAll
    void theCommandLineWinsOverVariablesAndTheseOverTheFile(Scene scene) {
        Scene.write(scene.beside("config.json"), "{\"grace\": \"1s\"}");
        String config = scene.beside("config.json").toString();
        checkGrace(plan(scene, "--config", config), "1s");
        checkGrace(plan(scene, "--config", config).set("MUSTER_GRACE", "2s"), "2s");
        checkGrace(plan(scene, "--config", config, "--grace", "3s").set("MUSTER_GRACE", "2s"), "3s");
    }

    private static void checkGrace(Invocation plan, String expected) {
        assertThat(plan.answer().endedWith(0).outputLines())
                .anyMatch(line -> line.contains("grace") && line.contains(expected));
    }

    @Test
    void secretsAreMasked(Scene scene) {
        for (String format : List.of("text", "json")) {
            Result result = scene.plan(2, "--format", format, "--mask", "*_pin")
                    .with("/bin/echo", "--token=geheim1", "--api-key", "geheim2", "MY_PIN=geheim3", "visible")
                    .set("S3_ACCESS", "geheim4")
                    .answer()
                    .endedWith(0);
            assertThat(result.output()).contains("visible", "--token=" + MASK).doesNotContain("geheim");
        }
    }

    /** The launcher checks the link last. */
    @OnOneJdk
    void whatCannotBeLinkedIsRefusedInBothForms(Scene scene) {
        for (String format : List.of("text", "json")) {
            scene.muster("plan", "--engine", "pytorch-gpu", "--hosts", "10.0.0.1,10.0.0.2", "--node-index", "0")
                    .with("--job-id", "x", "--format", format, "--link-secret", "/nowhere", "--", "true")
                    .answer()
                    .endedWith(78)
                    .says("--link-secret: the file does not exist");
        }
    }
}
