package dev.muster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                  printf 'ict 7\\ndirectory /a b\\nwarden 12\\n'
                )
                until [[ $muster_line ]]; do muster_read 0.05; done
                : > "$1"
                until [[ $muster_warden ]]; do muster_read 0.05; done
                echo "$muster_verdict, $muster_warden, $muster_directory"
                """;

        assertThat(said(script, GUARD, directory.resolve("go"))).isEqualTo("7, 12, /a b\n");
    }

    @DisplayName(
            "2.8c a signal ends the JVM while bash waits for it, and has another child: the guard ends, every time")
    @Test
    void anEndThatComesWithASignalIsNotForgotten() throws Exception {
        String script = """
                cd "${0%/*}"
                guard='exec {hold}> >(trap "" TERM; read -r); exec /bin/bash -p ./guard.sh /bin/sh -c "echo; exec sleep 60"'
                for ((try = 0; try < 60; try++)); do
                  exec {out}< <(exec setsid /bin/bash -p -c "$guard" 2>&1)
                  pid=$!
                  read -r -u "$out"
                  kill -s TERM -- "-$pid"
                  while IFS= read -r -t 10 -u "$out" line; ended=$?; ((ended == 0)); do last=$line; done
                  ((ended == 1)) || last="try $try does not end" try=60
                  kill -s KILL -- "-$pid" 2> /dev/null
                  exec {out}<&-
                done
                echo "$last"
                """;

        assertThat(said(script, GUARD)).startsWith("muster: exit 143: stopped by SIGTERM; the launcher's JVM ");
    }

    @DisplayName("2.8d of signals that come at the same moment each is passed on to the JVM")
    @ParameterizedTest
    @ValueSource(strings = {"INT USR1", "HUP USR2", "USR1 TERM", "HUP INT QUIT USR1 USR2 TERM"})
    void noSignalHidesAnother(String signals) throws Exception {
        String script = """
                cd "${0%/*}"
                jvm='echo runs
                  for ((more = $1; more > 0; more--)); do read -r word <&3 && echo $word && echo heard >&4; done
                  echo verdict 5 >&4'
                set -- $1
                exec {out}< <(exec /bin/bash -p ./guard.sh /bin/bash -c "$jvm" jvm $# 2>&1)
                guard=$!
                read -r -u "$out"
                until [[ $(< "/proc/$guard/stat") == *') S '* ]]; do sleep 0.01; done
                kill -s STOP "$guard"
                until [[ $(< "/proc/$guard/stat") == *') T '* ]]; do sleep 0.01; done
                for signal; do kill -s "$signal" "$guard"; done
                kill -s CONT "$guard"
                while IFS= read -r -t 10 -u "$out" line; ended=$?; ((ended == 0)); do said+="$line "; done
                ((ended == 1)) || said+='and does not end'
                kill -s KILL "$guard" 2> /dev/null
                echo "$said"
                """;

        String said = said(script, GUARD, Path.of(signals)).strip();

        assertThat(said.split(" ")).containsExactlyInAnyOrder(signals.split(" "));
    }

    private static String said(String script, Path... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("/bin/bash", "-p", "-c", script));
        for (Path word : words) {
            command.add(word.toString());
        }
        Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).isZero();
        return said;
    }
}
