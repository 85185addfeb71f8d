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
        check(scene, "sh", scripts());
    }

    private static void check(Scene scene, String shell, List<String> scripts) {
        Result result = scene.command("shellcheck", "--shell=" + shell)
                .with(scripts.toArray(new String[0]))
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
