package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordsTest {

    @Test
    void quotesOnlyWhatNeedsIt() {
        assertThat(ShellWords.join(
                        List.of("python3", "/a/b.py", "--lr=0.1", "", "a b", "it's", "$HOME", "*", "~", "日")))
                .isEqualTo("python3 /a/b.py --lr=0.1 '' 'a b' 'it'\\''s' '$HOME' '*' '~' 日");
    }

    @Test
    void writesControlCharactersVisibly() {
        assertThat(ShellWords.quote("a\n\u001b'\\")).isEqualTo("$'a\\n\\u001b\\'\\\\'");
    }

    @Test
    void bashReadsItBack() throws IOException {
        List<String> arguments = List.of("", "a b", "it's", "a\n'\\\t\u0001", "$(x)`y`", "\\", "-n", "!x", "#");
        Process bash = new ProcessBuilder("bash", "-c", "printf '%s\\0' " + ShellWords.join(arguments)).start();

        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(output).isEqualTo(String.join("\0", arguments) + "\0");
    }
}
