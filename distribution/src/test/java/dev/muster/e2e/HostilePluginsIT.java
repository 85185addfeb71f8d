package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.Versioned;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plugins that hang, exit, throw and print: whose code runs, and how the launcher ends. */
@ExtendWith(Scenes.class)
class HostilePluginsIT {

    private static final String[] CHOSEN = {"--engine", "hostile", "--platform", "none", "--", "true"};

    private static Invocation lying(Invocation muster, String where, String lie) {
        return muster.set("E2E_WHERE", where).set("E2E_LIE", lie);
    }

    /** Demands 70, and one sentence that names jar and engine. */
    private static void assertToldInOneSentence(Result result) {
        result.endedWith(70).says("hostile.jar", "engine hostile");
        assertThat(result.messages().lines().filter(line -> line.contains("exit 70: ")))
                .hasSize(1);
    }

    // --- only the chosen engine is instantiated

    @DisplayName("whatever the code of other plugins would do, it does not run")
    @Test
    void onlyTheChosenEngineIsLoaded(Scene scene) {
        // The static initializer: no code of the class runs earlier.
        String where = "class";
        String lie = "exit";
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        lying(home.muster("--engine", "pytorch-gpu", "--platform", "none", "--", "true"), where, lie)
                .run()
                .endedWith(0);
        Result listed = lying(home.muster("engines"), where, lie).answer().endedWith(0);
        assertThat(listed.output())
                .contains("hostile", "hostile.jar", "for tests")
                .doesNotContain("Cannot be used");
        lying(home.muster("--engine", "hostil", "--", "true"), where, lie)
                .answer()
                .endedWith(69)
                .says("did you mean hostile?", "hostile (hostile.jar)");
    }

    @DisplayName("code of a jar that declares no engine never runs")
    @Test
    void silentJarsAreNotOpened(Scene scene) {
        PluginHome home = new PluginHome(scene).silent("silent/silent.jar");
        lying(home.muster(CHOSEN), "class", "exit")
                .run()
                .endedWith(69)
                .says("plugins/silent: no jar in it declares what it brings");
        assertThat(lying(home.muster("engines"), "class", "exit")
                        .answer()
                        .endedWith(0)
                        .output())
                .contains("Cannot be used", "plugins/silent: ");
    }

    @DisplayName("options of other engines are not suggested")
    @Test
    void optionsOfOthersAreUnknown(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        home.muster("--engine", "hostile", "--rank-table", "x", "--", "true")
                .answer()
                .endedWith(64)
                .says("there is no option --rank-table")
                .doesNotSay("another engine", "ascend");
    }

    @DisplayName("an engine that is not what its manifest says is broken, in one sentence")
    @Test
    void aManifestThatLiesIsTold(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("other/other.jar", "other");
        home.muster("--engine", "other", "--platform", "none", "--", "true")
                .answer()
                .endedWith(70)
                .says("engine other (other.jar) is broken: it declares engine other, and brings only engine hostile");
    }

    // --- what the code of the chosen engine does

    @DisplayName("an engine that throws or answers nonsense is 70, in one sentence that names jar and engine")
    @ParameterizedTest
    @CsvSource({
        "class, error",
        "descriptor, null",
        "link, null",
        "inputs, null",
        "plan, null",
        "plan, mute",
        "plan, blank",
        "plan, hollow",
    })
    void misbehaviourIsOneSentence(String where, String lie, Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        assertToldInOneSentence(lying(home.muster(CHOSEN), where, lie).answer());
    }

    @DisplayName("an engine that ends the JVM, or fills its stack or memory, is 70 in one sentence")
    @ParameterizedTest
    @CsvSource({"class, exit", "constructor, halt", "inputs, memory", "plan, overflow", "plan, fill", "plan, exit 3"})
    void anEndIsOneSentence(String where, String lie, Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        assertToldInOneSentence(lying(home.muster(CHOSEN), where, lie).run());
        assertThat(scene.logs()).doesNotExist();
    }

    @DisplayName("an engine that fails in plan --all-nodes or in simulate is 70 in one sentence")
    @ParameterizedTest
    @CsvSource({"parser, null", "parser, exit", "simulation, overflow", "simulation, exit"})
    void otherQuestionsToo(String where, String lie, Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        Invocation asked = where.equals("parser") ? home.muster("plan", "--all-nodes") : home.muster("simulate");
        Path file = scene.beside("input.json");
        Scene.write(file, "{}");
        Invocation call = lying(asked.with("--engine", "hostile", "--", "true"), where, lie)
                .set("E2E_NOTE", file.toString());
        assertToldInOneSentence(lie.equals("exit") ? call.run() : call.answer());
    }

    @DisplayName("an engine that does not answer within 10 s is 70")
    @Test
    void anAnswerHasADeadline(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        Result result = lying(home.muster(CHOSEN), "plan", "wait").run();
        assertToldInOneSentence(result);
        result.says("it gives no answer within 10 s");
    }

    @DisplayName("SIGTERM stops the launcher while the engine's code runs for ever")
    @Test
    void aStopNeedsNoAnswer(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        Launched launcher = lying(home.muster(CHOSEN), "plan", "spin").start();
        launcher.awaitMessage("turning for ever");
        Result result = launcher.signal("TERM").await().says("exit 143: stopped by SIGTERM; nothing was started");
        assertThat(result.exitCode()).isEqualTo(143);
    }

    @DisplayName("SIGTERM stops the launcher while a command of the engine runs, and the command ends")
    @Test
    void aStopWaitsForNoCommand(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        Path note = scene.directory().resolve("note");
        Launched launcher = lying(home.muster(CHOSEN), "inputs", "ask")
                .set("E2E_NOTE", note.toString())
                .start();
        Await.until("the command runs", () -> Files.exists(note));
        launcher.signal("TERM").await().endedWith(143).says("exit 143: stopped by SIGTERM; nothing was started");
        Await.until("nothing is left", () -> Processes.tagged(scene.tag()).isEmpty());
    }

    @DisplayName("an engine prints to standard error only, and cannot close the launcher's streams")
    @Test
    void itsOutputIsNoAnswer(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        Result plan = lying(home.muster("plan", "--format", "json").with(CHOSEN), "plan", "close")
                .run();
        assertThat(plan.messages()).contains("printed by a plugin");
        assertThat(Json.parse(plan.output()).get("engine").asText()).isEqualTo("hostile");
        Result run = lying(home.muster(CHOSEN), "inputs", "close").run();
        assertThat(run.exitCode()).isZero();
        assertThat(run.messages()).contains("printed by a plugin", "muster: exit 0");
        assertThat(run.output()).isEmpty();
    }

    @DisplayName("threads that the engine interrupts go on: the launcher shows what ranks print, and obeys SIGTERM")
    @Test
    void interruptedThreadsGoOn(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        Invocation job =
                home.muster("--engine", "hostile", "--platform", "none", "--", "sh", "-c", "echo up; exec sleep 600");
        lying(job, "plan", "interrupt")
                .start()
                .awaitOutput("up")
                .signal("TERM")
                .await()
                .endedWith(143);
    }

    @DisplayName("processes that the engine starts, daemons too, are named and end with the job")
    @ParameterizedTest
    @CsvSource({"start, 1", "daemon, 2"})
    void whatItStartsEndsWithTheJob(String lie, int count, Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        Result result = lying(
                        home.muster("--engine", "hostile", "--platform", "none", "--grace", "300ms", "--", "true"),
                        "plan",
                        lie)
                .run()
                .endedWith(0)
                .says("hostile.jar (engine hostile) left process ", " behind; stopping it");
        assertThat(result.messages().lines().filter(line -> line.contains("left process ")))
                .hasSize(count);
        assertThat(Processes.tagged(scene.tag())).isEmpty();
        assertThat(result.output()).isEmpty();
    }

    @DisplayName("an engine that fails to read the output of ranks does not change the verdict")
    @Test
    void theVerdictStays(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        String print = "head -c 8000 /dev/zero | tr '\\0' a; exit 3";
        lying(home.muster("--engine", "hostile", "--platform", "none", "--", "sh", "-c", print), "plan", "recurse")
                .run()
                .endedWith(3)
                .says("cannot be told: StackOverflowError");
    }

    @DisplayName(
            "an engine has its own class loader: it sees no Guice, Jackson or runtime of Muster, and may bring its own")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingShowsThrough(boolean isWithJava, Scene scene) {
        PluginHome home = new PluginHome(scene, isWithJava ? Product.usual() : Product.home())
                .declared("hostile/hostile.jar", "hostile")
                .plugin(
                        "hostile/jackson.jar",
                        Map.of(),
                        jar -> PluginHome.add(jar, "com/fasterxml/jackson/core/Versioned.class", theirJackson()));
        lying(home.muster(CHOSEN), "plan", "see")
                .run()
                .endedWith(65)
                .says("seen: Guice=no ObjectMapper=no Versioned=own Main=no Engine=yes.");
    }

    /** A class that Muster has, too, and that needs no other class. */
    private static byte[] theirJackson() throws IOException {
        try (InputStream content = Versioned.class.getResourceAsStream("Versioned.class")) {
            return content.readAllBytes();
        }
    }

    @DisplayName("System.exit(0) is 70 without bin/muster, too")
    @OnOneJdk
    void aPlainJarDoesWhatItCan(Scene scene) {
        PluginHome home = new PluginHome(scene).declared("hostile/hostile.jar", "hostile");
        Result result = lying(home.jar(CHOSEN), "plan", "exit").run();
        assertToldInOneSentence(result);
        assertToldInOneSentence(lying(home.jar(CHOSEN), "plan", "overflow").run());
    }
}
