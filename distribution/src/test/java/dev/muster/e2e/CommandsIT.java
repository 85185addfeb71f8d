package dev.muster.e2e;

import static dev.muster.e2e.RefusalsIT.PROBE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Help, versions and the list of engines. */
@ExtendWith(Scenes.class)
class CommandsIT {

    @OnOneJdk
    void enginesAreListedWithVersionAndJar(Scene scene) {
        List<String> packaged = scene.muster("engines").run().endedWith(0).outputLines();
        List<String> plain = scene.jar("engines").run().endedWith(0).outputLines();
        for (String engine : List.of("ascend", "mpi", "pytorch-gpu", "tensorflow-ps")) {
            String line = engine + "\\s+[0-9]+\\.[0-9].*\\.jar.*";
            assertThat(packaged).anyMatch(shown -> shown.matches(line));
            assertThat(plain).anyMatch(shown -> shown.matches(line) && shown.contains("muster.jar"));
        }
    }

    @OnOneJdk
    void thePlainJarRefusesAsThePackageDoes(Scene scene) {
        RefusalsIT.check(scene, scene.jar("--engine", "ascent", "--", PROBE), 69, List.of("ascent", "ascend"));
        RefusalsIT.check(
                scene,
                scene.jar("--engine", "ascend", "--platform", "none", "--", "no-such-program"),
                127,
                List.of("no-such-program"));
    }

    @OnEveryJdk
    void theVersionNamesMusterAndJava(Scene scene) {
        Result result = scene.muster("--version").run().endedWith(0);
        assertThat(result.output()).containsIgnoringCase("muster").containsPattern("[0-9]+\\.[0-9]+\\.[0-9]+");
        assertThat(result.output()).contains(Integer.toString(scene.jdk().feature()));
    }

    @Test
    void whatCannotBePrintedIsSaid(Scene scene) {
        Invocation help = scene.muster("--help").behind("/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh");
        help.run().endedWith(69).says("cannot write the standard output: no space left on device");
    }

    @Test
    void theHelpFitsOnOneScreenAndBeginsWithExamples(Scene scene) {
        Result result = scene.muster("--help").run().endedWith(0);
        List<String> lines = result.outputLines();
        assertThat(lines).hasSizeLessThanOrEqualTo(48).allMatch(line -> line.length() <= 80);
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
    @DisplayName("a terminal shows errors in red; pipes and logs have no colour, even if the console has")
    void coloursAreForTerminals(Scene scene) throws IOException {
        String red = "\u001b[1;31mmuster: exit ";
        Result onTerminal = Terminal.around(scene, scene.muster("--engine", "ascent", "--", "true"), "")
                .set("TERM", "xterm")
                .run();
        assertThat(onTerminal.output()).contains(red + "69: ");
        Result simulated = scene.apart(scene.muster("simulate", "--engine", "pytorch-gpu", "--color", "always"))
                .with("--", "false")
                .run();
        assertThat(simulated.exitCode()).as(simulated.toString()).isEqualTo(1);
        assertThat(simulated.messages()).contains(red + "1: ");
        assertThat(simulated.output()).contains("muster: exit 1: ").doesNotContain("\u001b");
        try (Stream<Path> files = Files.walk(scene.directory())) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(file -> file.toString().matches(".*\\.(txt|log|json)")))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("\u001b"));
        }
    }

    @Test
    void everyCommandHasItsHelp(Scene scene) {
        for (String command : List.of("plan", "simulate", "engines")) {
            Result result = scene.muster(command, "--help").answer().endedWith(0);
            assertThat(result.output()).contains("muster " + command);
        }
        assertThat(scene.muster("simulate", "--help").answer().endedWith(0).output())
                .contains("--nodes", "--late");
        assertThat(scene.muster("simulate", "--engine", "ascend", "--help")
                        .answer()
                        .endedWith(0)
                        .output())
                .contains("--rank-table");
    }
}
