package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EnvironmentTest {

    @Test
    void theCallersOwnDiffersInNothing() {
        Environment environment = Environment.of(Map.of("LC_ALL", "C", "A", "b"));

        assertThat(environment.variables()).isEqualTo(Map.of("LC_ALL", "C", "A", "b"));
        assertThat(environment.set()).isEmpty();
        assertThat(environment.removed()).isEmpty();
    }

    @Test
    void emptyVariablesHaveNoValue() {
        Environment environment = Environment.of(Map.of("EMPTY", "", "FULL", "x"));

        assertThat(environment.value("EMPTY")).isEmpty();
        assertThat(environment.value("ABSENT")).isEmpty();
        assertThat(environment.value("FULL")).contains("x");
    }

    @Test
    void changesAreAddedUp() {
        Environment environment = Environment.of(Map.of("A", "a", "B", "b", "C", "c"))
                .changed(Map.of("A", "new", "D", "d"), Set.of("B", "C"))
                .changed(Map.of("B", "again"), Set.of("D", "ABSENT"));

        assertThat(environment.variables()).isEqualTo(Map.of("A", "new", "B", "again"));
        assertThat(environment.set()).isEqualTo(environment.variables());
        assertThat(environment.removed()).containsExactly("ABSENT", "C", "D");
    }
}
