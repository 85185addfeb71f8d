package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Secrets of commands and variables reach the ranks. Everything that Muster writes masks them. */
@ExtendWith(Scenes.class)
class MaskingIT {

    /** Every secret of the tests contains this text. */
    private static final String SECRET = "geheim";

    private static final String[] ARGUMENTS = {
        "--token",
        "-geheim01",
        "--password=-geheim02=x",
        "--db-passwd",
        "geheim03",
        "--url",
        "postgres://me:geheim04@db/x,redis://:geheim05%40@cache",
        "--json",
        "{\"a\": {\"password\": \"geheim06\"}, \"b\": \"{\\\"apiKey\\\": \\\"geheim07\\\"}\"}",
        "-H",
        "Authorization: Bearer geheim08",
        "AWS_SECRET_ACCESS_KEY=geheim09",
        "APIKEY=geheim10",
        "CREDENTIAL=geheim11",
        "PRIVATE_KEY=geheim12",
        "export HF_TOKEN=geheim13; train --api-key -geheim14",
        "--max-tokens",
        "101",
        "--tokenizer",
        "shown1",
        "--passthrough",
        "shown2",
        "--token-count",
        "102"
    };

    private static final List<String> SHOWN = List.of(
            "--max-tokens",
            "101",
            "--tokenizer",
            "shown1",
            "--passthrough",
            "shown2",
            "102",
            "postgres://me:******@db");

    private static Invocation secretive(Invocation job, String... program) {
        return job.with(program)
                .with(ARGUMENTS)
                .set("DATABASE_URL", "mysql://me:geheim20@db")
                .set("MYSQL_PASSWD", "geheim21")
                .set("SETTINGS", "{\"client_secret\": \"geheim22\"}");
    }

    @Test
    @DisplayName("plans, as text and as JSON, show no secret, but all other values")
    void plansShowNoSecret(Scene scene) {
        for (String format : List.of("text", "json")) {
            Result result = secretive(scene.plan(2, "--format", format), "/bin/echo")
                    .answer()
                    .endedWith(0);
            assertThat(result.output()).doesNotContain(SECRET).contains(SHOWN);
        }
    }

    @Test
    @DisplayName("a job that fails shows no secret on standard error and in result.json; its ranks have them")
    void runsShowNoSecret(Scene scene) {
        String rank = scene.script(
                "rank",
                "for word; do printf '%s\\n' \"$word\"; done >$scene/words; echo \"$DATABASE_URL\" >>$scene/words",
                "for word; do printf 'cannot use %s\\n' \"$word\"; done >&2",
                "exit 3");

        Result result = secretive(scene.job(1, "--mask", "*_pin"), rank, "my_pin=geheim15")
                .run()
                .endedWith(3)
                .doesNotSay(SECRET);

        assertThat(Scene.read(scene.resultFile())).doesNotContain(SECRET);
        assertThat(Scene.read(scene.beside("words"))).contains("geheim01", "geheim14", "geheim20");
        assertThat(result.output()).as("what ranks print passes").contains("geheim14");
    }

    @Test
    @DisplayName("refusals that quote a value, and simulations, show no secret")
    void refusalsAndSimulationsShowNoSecret(Scene scene) {
        scene.job(1, "--grace", "password=geheim30")
                .with("true")
                .answer()
                .endedWith(64)
                .doesNotSay(SECRET);
        scene.job(1)
                .with("true")
                .set("MUSTER_GRACE", "http://u:geheim31@h")
                .answer()
                .endedWith(78)
                .doesNotSay(SECRET);
        scene.job(1)
                .with("/no/such/http://u:geheim32@h")
                .set("MY_TOKEN", "such/http")
                .run()
                .endedWith(127)
                .doesNotSay(SECRET, "such/http");
        Result result = secretive(
                        scene.muster("simulate", "--engine", "ascend", "--nodes", "1", "--cards", "1", "--"),
                        "/bin/false")
                .run()
                .endedWith(1)
                .doesNotSay(SECRET);
        assertThat(result.output()).doesNotContain(SECRET);
        for (String path : Scene.tree(scene.directory().resolve("muster-sim"))) {
            if (path.endsWith("result.json")) {
                Path file = scene.directory().resolve("muster-sim").resolve(path);
                assertThat(Scene.read(file)).as(path).doesNotContain(SECRET);
            }
        }
    }
}
