package dev.muster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the shell above the launcher's JVM makes of what that says, in a real bash. */
@Timeout(60)
@Tag("one-jdk")
class GuardScriptTest {

    private static final Path GUARD = Path.of("src/package/lib/guard.sh").toAbsolutePath();

    @DisplayName("1.1e no word is lost that is half there when the guard looks up from reading")
    @Test
    void aWordThatComesInTwoPiecesIsWhole(@TempDir Path directory) throws Exception {
        String script = """
                . "$0"
                exec {muster_words}< <(
                  printf verd
                  until [[ -e $1 ]]; do sleep 0.01; done
                  printf 'ict 7\\nwarden 12\\ndirectory /a b\\n'
                )
                until [[ $muster_line ]]; do muster_read 0.05; done
                : > "$1"
                until [[ $muster_directory ]]; do muster_read 0.05; done
                echo "$muster_verdict, $muster_warden, $muster_directory"
                """;
        Process bash = new ProcessBuilder(
                        "/bin/bash",
                        "-p",
                        "-c",
                        script,
                        GUARD.toString(),
                        directory.resolve("go").toString())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("7, 12, /a b\n");
        assertThat(bash.waitFor()).isZero();
    }
}
