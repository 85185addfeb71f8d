package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No rank, and no text that Muster reads, can forge a line of Muster. */
@ExtendWith(Scenes.class)
class SpeechIT {

    private static final String FORGED = "muster: exit 0: all is well";

    /** A text that would show as a line of its own if it were printed raw. It has no slash, so that a file can have this name. */
    private static final String HOSTILE = "x\n" + FORGED + "\r\u001b[2J\u009b\u202e\u2028y";

    /** The hostile text, as JSON escapes it. */
    private static final String HOSTILE_JSON = "x\\n" + FORGED + "\\r\\u001b[2J\\u009b\\u202e\\u2028y";

    /** Asserts that standard error has only harmless lines of Muster. */
    private static Result harmless(Result result) {
        String messages = result.messages();
        assertThat(messages).as("standard error").isNotEmpty();
        assertThat(messages.lines())
                .allMatch(line -> line.startsWith("muster: "), "muster: ...")
                .noneMatch(line -> line.startsWith(FORGED));
        assertThat(messages.codePoints().filter(character -> character != '\n').boxed())
                .as(messages)
                .noneMatch(character -> switch (Character.getType(character)) {
                    case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                        true;
                    default -> false;
                });
        return result;
    }

    /** A text from outside that a message may quote. */
    record Way(String name, java.util.function.Function<Scene, Invocation> launcher) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Refusals before anything is started. */
    static Stream<Way> ways() {
        return Stream.of(
                new Way(
                        "value of an option",
                        scene -> scene.job(1, "--grace", HOSTILE).with("true")),
                new Way(
                        "value of a variable",
                        scene -> scene.job(1).with("true").set("MUSTER_GRACE", HOSTILE)),
                new Way(
                        "name of an option",
                        scene -> scene.job(1, "--" + HOSTILE).with("true")),
                new Way("engine", scene -> scene.muster("--engine", HOSTILE, "--", "true")),
                new Way("command", scene -> scene.job(1).with("/no/such/" + HOSTILE)),
                new Way(
                        "hosts",
                        scene -> scene.job(1, "--hosts", HOSTILE + ",b").with("true")),
                new Way(
                        "configuration file",
                        scene -> scene.job(1, "--config", "/no/such/" + HOSTILE).with("true")),
                new Way("key of a configuration file", scene -> {
                    Scene.write(scene.beside("config.json"), "{\"" + HOSTILE_JSON + "\": 1}");
                    return scene.job(1, "--config", scene.beside("config.json").toString())
                            .with("true");
                }),
                new Way(
                        "conda environment",
                        scene -> scene.job(1, "--conda-env", HOSTILE).with("true")),
                new Way(
                        "Slurm's variables",
                        scene -> scene.job(1)
                                .with("true")
                                .set("SLURM_JOB_ID", HOSTILE)
                                .set("SLURM_STEP_NODELIST", HOSTILE)),
                new Way(
                        "ModelArts' variables",
                        scene -> scene.job(1)
                                .with("true")
                                .set("MA_CURRENT_HOST_IP", HOSTILE)
                                .set("VC_WORKER_HOSTS", HOSTILE)
                                .set("VC_TASK_INDEX", HOSTILE)));
    }

    /** Messages of the start script, and of jobs that start. */
    static Stream<Way> launches() {
        return Stream.of(
                new Way("job id", scene -> scene.job(1, "--job-id", HOSTILE).with("true")),
                new Way("device_ip", scene -> table(scene, "10.0.0.1")),
                new Way("server_id", scene -> table(scene, "192.168.0.25")),
                new Way("status", scene -> table(scene, "completed")),
                new Way(
                        "log directory and name of a variable",
                        scene -> scene.job(1, "--log-dir", scene.beside(HOSTILE).toString())
                                .with("false")
                                .set("MUSTER_" + HOSTILE, "1")),
                new Way("working directory", scene -> {
                    Path here = scene.beside(HOSTILE);
                    assertThat(here.toFile().mkdir()).isTrue();
                    return scene.job(1).with("false").in(here);
                }),
                new Way("where Java is looked for", scene -> {
                    Path bin = scene.beside(HOSTILE).resolve("bin");
                    assertThat(bin.toFile().mkdirs()).isTrue();
                    Path java = bin.resolve("java");
                    Scene.write(java, "");
                    Scene.write(scene.beside(HOSTILE).resolve("release"), "JAVA_VERSION=\"1.8\u001b[2J\"\n");
                    assertThat(java.toFile().setExecutable(true)).isTrue();
                    return scene.generic()
                            .job(1)
                            .with("true")
                            .set("JAVA_HOME", scene.beside(HOSTILE).toString())
                            .set("PATH", "/no/such");
                }));
    }

    /** A job whose rank table has the hostile text in place of a word. */
    private static Invocation table(Scene scene, String word) {
        String good = RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1"));
        assertThat(good).contains(word);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", good.replace(word, HOSTILE_JSON));
        return node.muster(scene, "--input-timeout", "100ms").with("true");
    }

    @ParameterizedTest
    @MethodSource("ways")
    @DisplayName("no hostile line end, terminal sequence or reordering mark is raw in a line of Muster")
    void hostileTextsStayInOneLine(Way way, Scene scene) {
        harmless(way.launcher().apply(scene).answer());
    }

    @ParameterizedTest
    @MethodSource("launches")
    @DisplayName("no hostile text is raw in the lines of a real launcher")
    void hostileTextsOfLaunchesStayInOneLine(Way way, Scene scene) {
        harmless(way.launcher().apply(scene).run());
    }

    @Test
    @DisplayName("the names of processes, and what ranks say of themselves, stay in one line")
    void namesOfProcessesStayInOneLine(Scene scene) throws IOException {
        Path named = scene.beside("a\nmuster: b");
        Files.copy(Path.of("/bin/sleep").toRealPath(), named);
        assertThat(named.toFile().setExecutable(true)).isTrue();
        String rank = scene.script(
                "rank",
                "setsid \"$scene/a\nmuster: b\" 600 >/dev/null 2>&1 &",
                "printf '\\033[2J" + FORGED + "\\n'",
                "exit 3");

        Result result = harmless(scene.job(1).with(rank).run());

        assertThat(result.exitCode()).isEqualTo(3);
        scene.assertNothingIsLeft();
    }

    @Test
    @DisplayName("with --prefix none ranks write to standard output only and Muster to standard error only")
    void aRankCannotSpeakForMuster(Scene scene) {
        String rank = scene.script("rank", "echo '" + FORGED + "' >&2", "echo '" + FORGED + "'", "exit 3");

        Result result = harmless(scene.job(2, "--prefix", "none").with(rank).run());

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.outputLines()).isNotEmpty().containsOnly(FORGED);
        List<String> exits = new ArrayList<>(result.messages().lines().toList());
        exits.removeIf(line -> !line.startsWith("muster: exit "));
        assertThat(exits).singleElement().asString().startsWith("muster: exit 3: ");
    }
}
