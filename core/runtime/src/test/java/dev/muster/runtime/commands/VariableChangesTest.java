package dev.muster.runtime.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariableChangesTest {

    @Test
    void onlyDifferencesCount() {
        VariableChanges changes = VariableChanges.between(
                List.of("SAME=1", "CHANGED=a", "GONE=x", "EMPTY=full"),
                List.of("SAME=1", "CHANGED=a=b\nc", "NEW=größe", "EMPTY="));
        assertThat(changes.set()).isEqualTo(Map.of("CHANGED", "a=b\nc", "NEW", "größe", "EMPTY", ""));
        assertThat(changes.removed()).containsExactly("GONE");
    }

    @Test
    void aShellsOwnVariablesAreNoChanges() {
        VariableChanges changes = VariableChanges.between(
                List.of("_=/usr/bin/env", "SHLVL=1", "PWD=/a"),
                List.of("_=/bin/x", "SHLVL=2", "PWD=/b", "OLDPWD=/a", "muster_list=:"));
        assertThat(changes.set()).isEmpty();
        assertThat(changes.removed()).isEmpty();
    }
}
