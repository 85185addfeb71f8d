package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

    @Test
    void thoseOfAProcessThatHasEndedAreLost() throws Exception {
        assertThat(CallersVariables.areLost(
                        Long.toString(ProcessHandle.current().pid())))
                .isFalse();
        Process ended = new ProcessBuilder("/bin/true").start();
        ended.waitFor();

        assertThat(CallersVariables.areLost(Long.toString(ended.pid()))).isTrue();
    }

    @Test
    @Timeout(20)
    void thoseOfAProcessWhoseParentHasNotHeardOfItsEndAreLost() throws Exception {
        Process parent = new ProcessBuilder("/bin/sh", "-c", "true & echo $!; exec sleep 600").start();
        try {
            String zombie = parent.inputReader().readLine();
            while (!CallersVariables.areLost(zombie)) {
                Thread.onSpinWait();
            }
            assertThat(CallersVariables.of(zombie, StandardCharsets.UTF_8)).isEmpty();
        } finally {
            parent.destroy();
        }
    }
}
