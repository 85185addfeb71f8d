package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.CallerContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorldTest {

    private static final Launcher LAUNCHER = new Launcher(Optional.empty(), Path.of("/java"), List.of());

    private static World world(Map<String, String> variables, String... arguments) {
        CallerContext caller =
                new CallerContext(List.of(arguments), new TreeMap<>(variables), Path.of("/caller"), 7, false);
        return World.of(caller, LAUNCHER);
    }

    @Test
    void itIsWhatTheCallerHasGiven() {
        World world = world(Map.of("A", "b", "RAW", "\udcff"), "--help", "caf\udce9");

        assertThat(world.arguments()).containsExactly("--help", "caf\udce9");
        assertThat(world.directory()).isEqualTo(Path.of("/caller"));
        assertThat(world.environment().variables()).isEqualTo(Map.of("A", "b", "RAW", "\udcff"));
        assertThat(world.environment().set()).isEmpty();
        assertThat(world.pid()).isEqualTo(7);
    }

    @Test
    void theSecretOfTheLinkIsKeptOutOfTheEnvironment() {
        World world = world(Map.of("MUSTER_LINK_SECRET", "correct horse"));

        assertThat(world.linkSecret().orElseThrow().reveal()).isEqualTo("correct horse");
        assertThat(world.toString()).doesNotContain("correct horse");
        assertThat(world.environment().variables()).doesNotContainKey("MUSTER_LINK_SECRET");
        assertThat(world.environment().removed()).contains("MUSTER_LINK_SECRET");
        assertThat(world.with(world.environment()).linkSecret()).isPresent();
    }

    @Test
    void anEmptySecretIsNone() {
        World world = world(Map.of("MUSTER_LINK_SECRET", ""));

        assertThat(world.linkSecret()).isEmpty();
        assertThat(world.environment().variables()).isEmpty();
    }

    @Test
    void withoutASupervisorItIsWhatThisProcessSees() {
        World world = World.of(World.ofJvm(new String[] {"a", "b c"}));

        assertThat(World.isStartedBySupervisor()).isFalse();
        assertThat(world.arguments()).containsExactly("a", "b c");
        assertThat(world.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(world.directory()).isEqualTo(Path.of("").toAbsolutePath());
        assertThat(world.environment().value("PATH")).isPresent();
        assertThat(world.launcher().packageHome()).isEmpty();
        assertThat(world.launcher().javaHome()).isDirectory();
        assertThat(world.launcher().classPath()).isNotEmpty().allMatch(Path::isAbsolute);
    }
}
