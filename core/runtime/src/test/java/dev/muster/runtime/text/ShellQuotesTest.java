package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellQuotesTest {

    @Test
    void plainWordsStayAsTheyAre() {
        assertThat(ShellQuotes.line(List.of("python3", "/opt/train.py", "--lr=1e-3", "a,b@c:d+e%f")))
                .isEqualTo("python3 /opt/train.py --lr=1e-3 a,b@c:d+e%f");
    }

    @Test
    void allOthersAreQuoted() {
        assertThat(ShellQuotes.line(List.of("", "a b", "$HOME", "it's", "~", "#x", "a;b", "*", "a\nb")))
                .isEqualTo("'' 'a b' '$HOME' 'it'\\''s' '~' '#x' 'a;b' '*' 'a\nb'");
    }
}
