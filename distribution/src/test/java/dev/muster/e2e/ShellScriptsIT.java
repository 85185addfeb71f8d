package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The shell scripts in the jars of Muster and of its engines, as shellcheck sees them. */
@ExtendWith(Scenes.class)
class ShellScriptsIT {

    @Test
    void shellcheckFindsNothing(Scene scene) throws IOException {
        Components.require("shellcheck");
        // Only as one script do they know each other's functions and variables.
        Scene.write(scene.beside("warden.sh"), Wardens.script());
        check(scene, "bash", Stream.of(scene.beside("warden.sh").toString()));
        List<String> others = scripts().stream()
                .filter(script -> !script.contains("/warden/"))
                .toList();
        assertThat(others).anyMatch(script -> script.endsWith("/rank.sh"));
        check(scene, "sh", others.stream());
    }

    private static void check(Scene scene, String shell, Stream<String> scripts) {
        Result result = scene.command("shellcheck", "--shell=" + shell)
                .with(scripts.toArray(String[]::new))
                .run();
        assertThat(result.output()).isEmpty();
        result.endedWith(0);
    }

    private static List<String> scripts() throws IOException {
        try (Stream<Path> files = Files.walk(Product.project(), 12)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".sh") && file.contains("/src/main/resources/"))
                    .sorted()
                    .toList();
        }
    }
}
