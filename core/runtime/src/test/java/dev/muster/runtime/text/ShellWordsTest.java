package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordsTest {

    @Test
    void plainWordsStayAsTheyAre() {
        assertThat(ShellWords.line(List.of("python3", "/opt/train.py", "--lr=1e-3", "a,b@c:d+e%f")))
                .isEqualTo("python3 /opt/train.py --lr=1e-3 a,b@c:d+e%f");
    }

    @Test
    void allOthersAreQuoted() {
        assertThat(ShellWords.line(List.of("", "a b", "$HOME", "it's", "~", "#x", "a;b", "*", "a\nb")))
                .isEqualTo("'' 'a b' '$HOME' 'it'\\''s' '~' '#x' 'a;b' '*' 'a\nb'");
    }
}
