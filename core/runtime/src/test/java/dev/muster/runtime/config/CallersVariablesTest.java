package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallersVariablesTest {

    private static Map<String, String> parsed(String block) {
        return CallersVariables.parse(block.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private static Optional<Map<String, String>> of(String pid) {
        return CallersVariables.of(pid, Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
    }

    @Test
    void readsWhatJavaReads() {
        assertThat(parsed("A=b\0EMPTY=\0E=a=b\0=odd=x\0no sign\0\0größe=日\0"))
                .isEqualTo(Map.of("A", "b", "EMPTY", "", "E", "a=b", "=odd", "x", "größe", "日"));
    }

    @Test
    void theFirstOfEqualNamesCounts() {
        assertThat(parsed("A=first\0A=second\0")).isEqualTo(Map.of("A", "first"));
    }

    @Test
    void thisProcessHasWhatJavaTellsOfIt() {
        assertThat(of(Long.toString(ProcessHandle.current().pid()))).contains(System.getenv());
    }

    @Test
    void whatIsNoProcessHasNone() {
        assertThat(of("../self")).isEmpty();
        assertThat(of("")).isEmpty();
        assertThat(of("99999999999")).isEmpty();
    }
}
