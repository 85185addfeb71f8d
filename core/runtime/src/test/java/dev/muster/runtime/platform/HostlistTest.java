package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostlistTest {

    /** Each line: a host list, and the output of {@code scontrol show hostnames} for it. An end-to-end test asks Slurm again. */
    static Stream<String> recorded() throws IOException {
        try (InputStream lines = Objects.requireNonNull(HostlistTest.class.getResourceAsStream("hostlists.txt"))) {
            return new String(lines.readAllBytes(), StandardCharsets.UTF_8).lines().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void expandsAsSlurmDoes(String line) {
        List<String> words = Arrays.asList(line.split(" ", -1));

        assertThat(Hostlist.parse(words.get(0))).isEqualTo(words.subList(1, words.size()));
    }

    @Test
    void hasLatinDigitsInEveryLanguage() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(Hostlist.parse("n[001-002]")).containsExactly("n001", "n002");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void takesTheMostHosts() {
        assertThat(Hostlist.parse("n[0001-4096]"))
                .hasSize(Hostlist.MOST_HOSTS)
                .startsWith("n0001")
                .endsWith("n4096");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "n[0-4096]; more than 4096 hosts",
                "n[1-999999999]; more than 4096 hosts",
                "n[1-64]x[1-65]; more than 4096 hosts",
                "n[1-4096],m; more than 4096 hosts",
                "n[1][1][1]; one or two pairs",
                "n[3-1]; the range 3-1, which ends before it begins",
                "n[1-2; one or two pairs",
                "n1-2]; one or two pairs",
                "n[[1-2]]; one or two pairs",
                "n[]; \"\" where a number or a range",
                "n[,1]; \"\" where a number or a range",
                "n[1-]; \"1-\" where a number or a range",
                "n[-1]; \"-1\" where a number or a range",
                "n[a-b]; \"a-b\" where a number or a range",
                "n[1 - 2]; \"1 - 2\" where a number or a range",
                "n[1-2000000000000]; where a number or a range",
                "a,; \"\", which is no host name",
                "a,,b; \"\", which is no host name",
                "a b; \"a b\", which is no host name",
                "$(touch /tmp/x); which is no host name",
                "-oProxyCommand=x; which is no host name",
                "../../etc; which is no host name"
            })
    void refuses(String list, String reason) {
        assertThatThrownBy(() -> Hostlist.parse(list))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "n1\nn2", "n\u001b[1]", "\"n1\"", "n[1-2]\n"})
    void refusesWhatWouldRewriteATerminal(String list) {
        assertThatThrownBy(() -> Hostlist.parse(list))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContainPattern("\\p{Cntrl}");
    }

    @Test
    void hostileListsCostNoTime() {
        List<String> lists = List.of(
                "n" + "[0-9]".repeat(1000),
                "n" + "[0]".repeat(20_000),
                "n[" + "1-4000,".repeat(15_000) + "1]",
                "[".repeat(100_000),
                ",".repeat(100_000),
                "n" + "[1-1]".repeat(2000) + "[1-4096]");

        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> lists.forEach(list ->
                        assertThatThrownBy(() -> Hostlist.parse(list)).isInstanceOf(IllegalArgumentException.class)));
    }
}
