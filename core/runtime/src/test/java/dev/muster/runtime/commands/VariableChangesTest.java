package dev.muster.runtime.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VariableChangesTest {

    /** Every character is a byte. */
    private static List<byte[]> entries(String... entries) {
        return Stream.of(entries)
                .map(entry -> entry.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }

    private static String utf8(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @Test
    void onlyDifferencesCount() {
        VariableChanges changes = VariableChanges.between(
                entries("SAME=1", "CHANGED=a", "GONE=x", "EMPTY=full"),
                entries("SAME=1", "CHANGED=a=b\nc", "NEW=" + utf8("größe"), "EMPTY="));
        assertThat(changes.set()).isEqualTo(Map.of("CHANGED", "a=b\nc", "NEW", "größe", "EMPTY", ""));
        assertThat(changes.removed()).containsExactly("GONE");
    }

    @Test
    void whatIsNoTextIsPassedOnByteForByte() {
        VariableChanges changes = VariableChanges.between(
                entries("LATIN=caf\u00e9", "caf\u00e9=1", "OTHER=\u00ff"),
                entries("LATIN=caf\u00e9", "caf\u00e9=2", "OTHER=\u00fe"));
        assertThat(changes.set()).isEqualTo(Map.of("OTHER", "\udcfe", "caf\udce9", "2"));
        assertThat(changes.removed()).isEmpty();
    }

    @Test
    void aShellsOwnVariablesAreNoChanges() {
        VariableChanges changes = VariableChanges.between(
                entries("_=/usr/bin/env", "SHLVL=1", "PWD=/a"),
                entries("_=/bin/x", "SHLVL=2", "PWD=/b", "OLDPWD=/a", "muster_list=:"));
        assertThat(changes.set()).isEmpty();
        assertThat(changes.removed()).isEmpty();
    }

    @Test
    void theLastOfTwoEntriesOfANameCounts() {
        assertThat(VariableChanges.between(entries("A=1"), entries("A=2", "A=3"))
                        .set())
                .containsExactly(Map.entry("A", "3"));
    }
}
