package dev.muster.runtime.conda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.commands.TestCommands;
import dev.muster.runtime.commands.VariableChanges;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ActivationTest {

    @TempDir
    private Path top;

    private final Map<String, String> variables = new TreeMap<>(Map.of("PATH", "/usr/bin:/bin"));
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private Path prefix;

    @BeforeEach
    void anEnvironment() throws IOException {
        prefix = Files.createDirectories(top.resolve("envs/train"));
        Files.createDirectories(prefix.resolve("conda-meta"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void script(String name, String text) throws IOException {
        write(prefix.resolve("etc/conda/activate.d").resolve(name), text);
    }

    private VariableChanges activate() {
        VariableShell shell = new VariableShell(
                TestCommands::supervisor, TestCommands.context(top, variables, () -> false), said::add);
        return new Activation(Environment.of(variables), shell)
                .run(new CondaEnvironment(prefix, "train", "--conda-env"))
                .orElseThrow();
    }

    private void assertRefused(String... words) {
        assertThatThrownBy(this::activate)
                .isInstanceOfSatisfying(
                        MusterException.class,
                        refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.CONFIGURATION))
                .hasMessageContainingAll(words)
                .hasMessageNotContaining("\n");
    }

    @Test
    void variablesOfTheUserAreSetAndUnset() throws IOException {
        variables.put("GONE", "x");
        write(
                prefix.resolve("conda-meta/state"),
                "{\"env_vars\": {\"N\": 5, \"B\": \"it's $HOME\", \"GONE\": \"***unset***\"}}");
        VariableChanges changes = activate();
        assertThat(changes.set()).containsEntry("B", "it's $HOME").containsEntry("N", "5");
        assertThat(changes.removed()).containsExactly("GONE");
    }

    @Test
    void librariesAreForTheImagesOfModelArts() throws IOException {
        Files.createDirectories(prefix.resolve("lib"));
        assertThat(activate().set()).doesNotContainKey("LD_LIBRARY_PATH");
        variables.put("ANACONDA_DIR", top.toString());
        assertThat(activate().set()).containsEntry("LD_LIBRARY_PATH", prefix + "/lib");
        variables.put("LD_LIBRARY_PATH", "/driver");
        assertThat(activate().set()).containsEntry("LD_LIBRARY_PATH", prefix + "/lib:/driver");
        variables.put("ANACONDA_DIR", "/elsewhere");
        assertThat(activate().set()).doesNotContainKey("LD_LIBRARY_PATH");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"env_vars\": {\"a b\": \"1\"}}",
                "{\"env_vars\": {\"A\": {}}}",
                "{\"env_vars\": [1]}",
                "{",
                "[]",
                "{\"env_vars\": {\"A\": \"\\u0000\"}}",
                "{\"env_vars\": {\"A=1;touch x\": \"\"}}"
            })
    void aStateThatIsNoneIsRefused(String state) throws IOException {
        write(prefix.resolve("conda-meta/state"), state);
        assertRefused(prefix.resolve("conda-meta/state").toString());
        assertThat(Set.of(top.toFile().list())).containsExactly("envs");
    }

    @Test
    void aValueThatIsNoTextIsPassedOnByteForByte() throws IOException {
        script("a.sh", "export LATIN=$(printf 'caf\\351')");
        assertThat(activate().set()).containsEntry("LATIN", "caf\udce9");
    }
}
