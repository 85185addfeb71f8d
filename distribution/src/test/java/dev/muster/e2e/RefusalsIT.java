package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Wrong options, commands and settings: one clear message and the documented code. Muster starts and writes nothing. */
@OnEveryEngine(services = false)
class RefusalsIT {

    /**
     * A wrong call.
     *
     * @param name for the test report
     * @param launcher the call; {@link #PROBE} in its arguments becomes the path of a training command that works
     * @param words that the message must contain
     * @param way how to call: one refusal of each kind starts a real launcher
     */
    record Refusal(
            String name,
            Function<Scene, Invocation> launcher,
            int exitCode,
            List<String> words,
            Function<Invocation, Result> way) {
        Refusal launched() {
            return new Refusal(name, launcher, exitCode, words, Invocation::run);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static final class CallsOfEngine implements ArgumentsProvider {
        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            EngineUnderTest engine = EngineInvocations.engine(context);
            return Stream.concat(engine.cases(calls()).stream(), engine.cases(commands()).stream())
                    .map(Arguments::of);
        }
    }

    /** Stands for a training command that works. */
    static final String PROBE = "PROBE";

    /** Stands for the engine's name. MISSPELT stands for a similar name. */
    private static final String ENGINE = "ENGINE";

    private static final String MISSPELT = "MISSPELT";

    /** Refused before an engine is asked for anything. */
    private static List<Refusal> calls() {
        return List.of(
                options("an unknown engine", 69, "--engine MISSPELT -- PROBE", MISSPELT, ENGINE, "did you mean")
                        .launched(),
                options("an engine of another name", 69, "--engine zzzzzz -- PROBE", "zzzzzz", ENGINE, ".jar"),
                options("no engine", 64, "-- PROBE", "--engine", ENGINE),
                options("an unknown flag", 64, "--engine ENGINE --grase 3s -- PROBE", "--grase", "--grace")
                        .launched(),
                options(
                        "an unknown flag with a value",
                        64,
                        "--engine ENGINE --work-dir=/x -- PROBE",
                        "--work-dir",
                        "--workdir"),
                options(
                        "an option given twice",
                        64,
                        "--engine ENGINE --grace 3s --grace 4s -- PROBE",
                        "--grace",
                        "twice"),
                options("an option without its value", 64, "--engine ENGINE --grace -- PROBE", "--grace", "value"),
                options("an unknown command of Muster", 64, "simulat --engine ENGINE -- PROBE", "simulat", "simulate"),
                options("a stray word", 64, "--engine ENGINE PROBE", "--"),
                options("no separator", 64, "--engine ENGINE", "--", "command"),
                options("nothing behind the separator", 64, "--engine ENGINE --", "--", "command"),
                options("no arguments", 64, "", "--engine").launched(),
                options("a duration of letters", 64, "--engine ENGINE --grace abc -- PROBE", "--grace", "abc", "10m"),
                options(
                        "a short silence",
                        64,
                        "--engine ENGINE --lost-after 500ms -- PROBE",
                        "--lost-after",
                        "from 1s"),
                options("several masks in one", 64, "--engine ENGINE --mask A,B -- PROBE", "--mask", "A,B"),
                options(
                        "a hang unseen",
                        64,
                        "--engine ENGINE --hang-timeout 0 --on-hang stop -- PROBE",
                        "nobody looks"),
                options("a flag and no command", 64, "--engine ENGINE --hlep", "--help"),
                options("a rank too high", 78, "--engine ENGINE --debug-rank 999999 -- PROBE", "--debug-rank 999999"),
                options("a negative duration", 64, "--engine ENGINE --grace -1 -- PROBE", "--grace", "-1"),
                options(
                        "a duration of another unit",
                        64,
                        "--engine ENGINE --input-timeout 2d -- PROBE",
                        "--input-timeout",
                        "2d"),
                options("an endless duration", 64, "--engine ENGINE --grace 1e9 -- PROBE", "--grace", "1e9"),
                options(
                        "an unknown prefix",
                        64,
                        "--engine ENGINE --prefix ranks -- PROBE",
                        "--prefix",
                        "ranks",
                        "rank"),
                options(
                        "unknown exit codes",
                        64,
                        "--engine ENGINE --exit-codes ma -- PROBE",
                        "--exit-codes",
                        "modelarts"),
                options(
                        "an unknown platform",
                        64,
                        "--engine ENGINE --platform modelart -- PROBE",
                        "modelart",
                        "modelarts"),
                options("cards of letters", 64, "--engine ENGINE --card-ids 0-x -- PROBE", "--card-ids", "0-x"),
                options("a card twice", 64, "--engine ENGINE --card-ids 1,1 -- PROBE", "--card-ids", "1,1"),
                options("no cards", 64, "--engine ENGINE --cards 0 -- PROBE", "--cards", "0"),
                options(
                        "a node index beyond the nodes",
                        64,
                        "--engine ENGINE --nodes 2 --node-index 2 -- PROBE",
                        "--node-index",
                        "2"),
                options(
                        "a job id that leads elsewhere",
                        64,
                        "--engine ENGINE --job-id ../x -- PROBE",
                        "--job-id",
                        "../x"));
    }

    /** Commands of ranks, which not every engine starts itself. */
    private static List<Refusal> commands() {
        return List.of(
                command("a command that does not exist", 127, List.of("no-such-program"), "no-such-program", "PATH")
                        .launched(),
                command("a path that does not exist", 127, List.of("/no/such/program"), "/no/such/program"),
                command("an empty command", 127, List.of(""), "command"),
                command("a directory", 126, List.of("/tmp"), "/tmp", "directory"),
                command("a file that is not executable", 126, List.of("/etc/passwd"), "/etc/passwd", "not executable")
                        .launched());
    }

    private static Refusal options(String name, int exitCode, String line, String... words) {
        Function<Scene, Invocation> launcher = scene -> scene.muster(
                line.isEmpty() ? new String[0] : forEngine(scene, line).split(" ", -1));
        return new Refusal(name, launcher, exitCode, List.of(words), Invocation::answer);
    }

    private static Refusal command(String name, int exitCode, List<String> command, String... words) {
        Function<Scene, Invocation> launcher = scene -> scene.job(2).with(command.toArray(String[]::new));
        return new Refusal(name, launcher, exitCode, List.of(words), Invocation::answer);
    }

    @ParameterizedTest
    @ArgumentsSource(CallsOfEngine.class)
    void aWrongCallIsRefused(Refusal refusal, Scene scene) {
        List<String> words =
                refusal.words().stream().map(word -> forEngine(scene, word)).toList();
        check(scene, refusal.launcher().apply(scene), refusal.way(), refusal.exitCode(), words);
    }

    private static String forEngine(Scene scene, String text) {
        String id = scene.engine().id();
        return text.replace(MISSPELT, misspelt(id)).replace(ENGINE, id);
    }

    /** The name without its third letter. */
    private static String misspelt(String id) {
        return id.substring(0, 2) + id.substring(3);
    }

    /** Checks a refusal with a real launcher. */
    static void check(Scene scene, Invocation launcher, int exitCode, List<String> words) {
        check(scene, launcher, Invocation::run, exitCode, words);
    }

    /** Checks a refusal in a JVM that many calls share. */
    static void checkAnswer(Scene scene, Invocation launcher, int exitCode, List<String> words) {
        check(scene, launcher, Invocation::answer, exitCode, words);
    }

    private static void check(
            Scene scene, Invocation launcher, Function<Invocation, Result> way, int exitCode, List<String> words) {
        Probe probe = Probe.in(scene);
        String[] command = launcher.command().stream()
                .map(word -> word.equals(PROBE) ? probe.program() : word)
                .toArray(String[]::new);
        List<String> before = Scene.tree(scene.directory());
        Result result = way.apply(scene.command(command).set(launcher.environment()))
                .endedWith(exitCode)
                .says(words.toArray(String[]::new))
                .doesNotSay("exception", "\tat ", "dev.muster");
        assertThat(result.output()).as("standard output").isEmpty();
        // The host name may resolve to a loopback address, which causes a warning.
        assertThat(result.messages().lines().filter(line -> !line.contains("warning:")))
                .as("lines of: %s", result)
                .hasSizeBetween(1, 3);
        assertThat(probe.wasStarted()).isFalse();
        assertThat(Scene.tree(scene.directory())).isEqualTo(before);
    }

    @Test
    void aScriptWhoseInterpreterIsMissingIsRefused(Scene scene) {
        Scene.write(scene.beside("script"), "#!/no/such/interpreter\n");
        scene.beside("script").toFile().setExecutable(true);
        checkAnswer(scene, scene.job(2).with(scene.beside("script").toString()), 126, List.of("/no/such/interpreter"));
    }

    @OnceForAll
    void aWrongVariableIsRefused(Scene scene) {
        check(scene, scene.job(1).with(PROBE).set("MUSTER_GRACE", "soon"), 78, List.of("MUSTER_GRACE", "soon"));
    }

    @OnceForAll
    void aBrokenConfigurationIsRefused(Scene scene) {
        String missing = scene.beside("no-such-file").toString();
        checkAnswer(
                scene,
                scene.job(1, "--config", missing).with(PROBE),
                78,
                List.of(missing, "--config", "does not exist"));
        checkConfiguration(scene, "{\"grace\": ", "json");
        checkConfiguration(scene, "[]", "object");
        checkConfiguration(scene, "{\"grase\": \"3s\"}", "grase", "grace");
        checkConfiguration(scene, "{\"grace\": \"soon\"}", "/grace", "soon");
        checkConfiguration(scene, "{\"engine\": {\"id\": 1}}", "/engine");
    }

    private static void checkConfiguration(Scene scene, String content, String... words) {
        String file = scene.beside("config.json").toString();
        Scene.write(scene.beside("config.json"), content);
        List<String> expected = Stream.concat(Stream.of(file), Stream.of(words)).toList();
        checkAnswer(scene, scene.job(1, "--config", file).with(PROBE), 78, expected);
    }

    @OnceForAll
    void anArgumentThatIsNoUtf8IsNeverChanged(Scene scene) throws IOException {
        Components.require("python3");
        Probe probe = Probe.in(scene);
        String call = "import os, sys; os.execv(sys.argv[1], sys.argv[1:] + [b'caf\\xe9'])";
        scene.job(1).with(probe.program()).behind("python3", "-c", call).run().endedWith(0);
        assertThat(Files.readString(scene.beside("notes/0/cmdline"), StandardCharsets.ISO_8859_1))
                .endsWith("caf\u00e9\0");
    }
}
