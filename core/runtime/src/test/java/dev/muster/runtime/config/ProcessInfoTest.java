package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.CallerContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProcessInfoTest {

    private static final Launcher LAUNCHER = new Launcher(Optional.empty(), Path.of("/java"), List.of());

    private static ProcessInfo processInfo(Map<String, String> variables, String... arguments) {
        CallerContext caller =
                new CallerContext(List.of(arguments), new TreeMap<>(variables), Path.of("/caller"), 7, false);
        return ProcessInfo.of(caller, LAUNCHER);
    }

    @Test
    void itIsWhatTheCallerHasGiven() {
        ProcessInfo processInfo = processInfo(Map.of("A", "b", "RAW", "\udcff"), "--help", "caf\udce9");

        assertThat(processInfo.arguments()).containsExactly("--help", "caf\udce9");
        assertThat(processInfo.directory()).isEqualTo(Path.of("/caller"));
        assertThat(processInfo.environment().variables()).isEqualTo(Map.of("A", "b", "RAW", "\udcff"));
        assertThat(processInfo.environment().set()).isEmpty();
        assertThat(processInfo.pid()).isEqualTo(7);
    }

    @Test
    void theSecretOfTheLinkIsKeptOutOfTheEnvironment() {
        ProcessInfo processInfo = processInfo(Map.of("MUSTER_LINK_SECRET", "correct horse"));

        assertThat(processInfo.linkSecret().orElseThrow().reveal()).isEqualTo("correct horse");
        assertThat(processInfo.toString()).doesNotContain("correct horse");
        assertThat(processInfo.environment().variables()).doesNotContainKey("MUSTER_LINK_SECRET");
        assertThat(processInfo.environment().removed()).contains("MUSTER_LINK_SECRET");
        assertThat(processInfo.with(processInfo.environment()).linkSecret()).isPresent();
    }

    @Test
    void anEmptySecretIsNone() {
        ProcessInfo processInfo = processInfo(Map.of("MUSTER_LINK_SECRET", ""));

        assertThat(processInfo.linkSecret()).isEmpty();
        assertThat(processInfo.environment().variables()).isEmpty();
    }

    @Test
    void withoutASupervisorItIsWhatThisProcessSees() {
        ProcessInfo processInfo = ProcessInfo.of(ProcessInfo.ofJvm(new String[] {"a", "b c"}));

        assertThat(ProcessInfo.isStartedBySupervisor()).isFalse();
        assertThat(processInfo.arguments()).containsExactly("a", "b c");
        assertThat(processInfo.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(processInfo.directory()).isEqualTo(Path.of("").toAbsolutePath());
        assertThat(processInfo.environment().value("PATH")).isPresent();
        assertThat(processInfo.launcher().packageHome()).isEmpty();
        assertThat(processInfo.launcher().javaHome()).isDirectory();
        assertThat(processInfo.launcher().classPath()).isNotEmpty().allMatch(Path::isAbsolute);
    }
}
