package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorldTest {

    private static final Launcher LAUNCHER = new Launcher(Optional.empty(), Path.of("/java"), List.of());

    /** Not ASCII, written as octal escapes so that neither this file's nor this JVM's encoding matters. */
    private static final String BEYOND_ASCII = "gr\\303\\266\\303\\237e";

    private static final String NOT_UTF_8 = "x\\377y";

    @TempDir
    private Path directory;

    @Test
    void theStartScriptTellsHomeAndDirectory() {
        Map<String, String> seen = Map.of("MUSTER_HOME", "/opt/muster", "MUSTER_CWD", "/caller", "A", "b");

        World world = World.of(List.of("--help"), seen, Optional.empty(), Path.of("/other"), 7, LAUNCHER);

        assertThat(world.directory()).isEqualTo(Path.of("/caller"));
        assertThat(world.launcher().packageHome()).contains(Path.of("/opt/muster"));
        assertThat(world.environment().variables()).isEqualTo(Map.of("A", "b"));
        assertThat(world.pid()).isEqualTo(7);
    }

    @Test
    void withoutStartScriptNothingIsChanged() {
        Map<String, String> seen = Map.of("MUSTER_CWD", "/caller", "MUSTER_SAVED_X", "y", "LC_ALL", "C");

        World world = World.of(List.of(), seen, Optional.empty(), Path.of("/here"), 7, LAUNCHER);

        assertThat(world.directory()).isEqualTo(Path.of("/here"));
        assertThat(world.launcher().packageHome()).isEmpty();
        assertThat(world.environment().variables()).isEqualTo(seen);
    }

    @Test
    void aCallersDirectoryThatIsNotAbsoluteIsNotBelieved() {
        World world = World.of(
                List.of(),
                Map.of("MUSTER_HOME", "/opt/muster", "MUSTER_CWD", ""),
                Optional.empty(),
                Path.of("/here"),
                7,
                LAUNCHER);

        assertThat(world.directory()).isEqualTo(Path.of("/here"));
    }

    @Test
    void theSecretOfTheLinkIsKeptOutOfTheEnvironment() {
        for (Map<String, String> home : List.of(Map.<String, String>of(), Map.of("MUSTER_HOME", "/opt/muster"))) {
            Map<String, String> seen = new HashMap<>(home);
            seen.put("MUSTER_LINK_SECRET", "correct horse");

            World world = World.of(List.of(), seen, Optional.empty(), Path.of("/here"), 7, LAUNCHER);

            assertThat(world.linkSecret().orElseThrow().reveal()).isEqualTo("correct horse");
            assertThat(world.toString()).doesNotContain("correct horse");
            assertThat(world.environment().variables()).doesNotContainKey("MUSTER_LINK_SECRET");
            assertThat(world.environment().dropped()).contains("MUSTER_LINK_SECRET");
            assertThat(world.with(world.environment()).linkSecret()).isPresent();
        }
    }

    @Test
    void anEmptySecretIsNone() {
        World world =
                World.of(List.of(), Map.of("MUSTER_LINK_SECRET", ""), Optional.empty(), Path.of("/here"), 7, LAUNCHER);

        assertThat(world.linkSecret()).isEmpty();
        assertThat(world.environment().variables()).isEmpty();
    }

    @Test
    void captureReadsThisProcess() {
        World world = World.capture(new String[] {"a", "b c"});

        assertThat(world.arguments()).containsExactly("a", "b c");
        assertThat(world.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(world.directory()).isEqualTo(Path.of("").toAbsolutePath());
        assertThat(world.environment().value("PATH")).isPresent();
        assertThat(world.launcher().javaHome()).isDirectory();
        assertThat(world.launcher().classPath()).isNotEmpty().allMatch(Path::isAbsolute);
    }

    @Test
    void argumentsBeyondAsciiAreReadInALocaleThatKnowsThem() throws Exception {
        assertThat(run("C.UTF-8", "plain", BEYOND_ASCII, "what?")).isEqualTo("0 plain|gr\u00f6\u00dfe|what?|");
    }

    @Test
    void argumentsThatTheLocaleCannotExpressAreRefused() throws Exception {
        assertThat(run("C", "what?", BEYOND_ASCII)).startsWith("64 argument 2 ").contains("LC_ALL=C.UTF-8");
    }

    @Test
    void argumentsThatAreNoUtf8AreRefused() throws Exception {
        assertThat(run("C.UTF-8", "", NOT_UTF_8, "z"))
                .startsWith("64 argument 2 ")
                .contains("bin/muster");
    }

    @Test
    void questionMarksAreJustThat() throws Exception {
        assertThat(run("C", "what?", "", "?")).isEqualTo("0 what?||?|");
    }

    @Test
    void aDirectoryThatTheLocaleCannotExpressIsRefused() throws Exception {
        String enter = "d=$(printf '" + BEYOND_ASCII + "'); mkdir \"$d\"; cd \"$d\"; ";

        assertThat(runAfter(enter, "C"))
                .startsWith("78 the name of the current directory")
                .contains("LC_ALL=C.UTF-8");
    }

    @DisplayName(
            "10.2b where the process that keeps the environment has ended nothing starts; without a start script it is anybody's variable")
    @Test
    void whoKeepsTheEnvironmentHasToBeThere() throws Exception {
        String ended = "export MUSTER_PID=999999999; ";

        assertThat(runAfter(ended + "export MUSTER_HOME=/opt/muster; ", "C.UTF-8", "a"))
                .startsWith("70 the process that keeps the caller's environment (pid 999999999) was killed");
        assertThat(runAfter(ended + "unset MUSTER_HOME; ", "C.UTF-8", "a")).isEqualTo("0 a|");
    }

    private String run(String locale, String... escaped) throws IOException, InterruptedException {
        return runAfter("", locale, escaped);
    }

    /** Starts {@link ShowWorld} with arguments that printf makes, and gives its exit code and output. */
    private String runAfter(String preparation, String locale, String... escaped)
            throws IOException, InterruptedException {
        StringBuilder line = new StringBuilder(preparation + "exec \"$0\" \"$@\"");
        for (String argument : escaped) {
            line.append(" \"$(printf '").append(argument).append("')\"");
        }
        List<String> command = new ArrayList<>(List.of("sh", "-c", line.toString()));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ShowWorld.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", locale);
        builder.directory(directory.toFile()).redirectErrorStream(true);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() + " " + output;
    }
}
