package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example of {@code docs/recovery.md} works as shown. */
@ExtendWith(Scenes.class)
class RecoveryPageIT {

    private static final String PAGE = Scene.read(Product.project().resolve("docs/recovery.md"));
    private static final String SHOWN = "    ";
    private static final String PROMPT = "$ ";

    @Test
    @DisplayName(
            "the page's muster simulate --restarts 2 --fail rank=3,after=... recovers and says what the page shows")
    void theExampleRecovers(Scene scene) throws IOException {
        Components.require("python3");
        Files.createSymbolicLink(scene.directory().resolve("muster"), Product.startScript(Product.home()));
        Files.createSymbolicLink(
                scene.directory().resolve("examples"), Product.project().resolve("examples"));
        Result result = scene.apart(scene.command("/bin/sh", "-c", command()))
                .start()
                .await(Training.LONG)
                .endedWith(0);
        List<String> said = Stream.concat(
                        result.outputLines().stream(), result.messages().lines())
                .map(RecoveryPageIT::inWords)
                .toList();
        assertThat(said)
                .as("lines of %s", result)
                .containsAll(shown().stream().map(RecoveryPageIT::inWords).toList());
    }

    /** The command of the page, with its continuation lines. */
    private static String command() {
        String text = PAGE.substring(PAGE.indexOf(SHOWN + PROMPT) + SHOWN.length() + PROMPT.length());
        return text.substring(0, text.indexOf("\n\n"));
    }

    private static List<String> shown() {
        List<String> shown = new ArrayList<>(PAGE.lines()
                .filter(line -> line.startsWith(SHOWN + "[node ") || line.startsWith(SHOWN + "muster: "))
                .map(String::strip)
                .toList());
        assertThat(shown).as("lines of output in the page").hasSizeGreaterThan(15);
        return shown;
    }

    /** A line without pids, times and steps, which differ between runs. */
    private static String inWords(String line) {
        return line.replaceAll("[0-9]+(\\.[0-9]+)?", "#").replaceAll(" +", " ");
    }
}
