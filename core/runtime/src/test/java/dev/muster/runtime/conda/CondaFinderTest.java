package dev.muster.runtime.conda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.TestProcesses;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CondaFinderTest {

    @TempDir
    private Path top;

    private final Map<String, String> variables = new TreeMap<>();
    private final List<String> warnings = new ArrayList<>();

    @BeforeEach
    void nothingOfThisMachine() {
        variables.put("PATH", top.resolve("bin").toString());
    }

    /** Makes an environment. */
    private Path environment(String path) throws IOException {
        Path prefix = top.resolve(path);
        Files.createDirectories(prefix.resolve("conda-meta"));
        return prefix;
    }

    private Path program(String path) throws IOException {
        Path file = top.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private Optional<CondaEnvironment> find(Optional<String> wanted, String program) {
        Optional<Setting> setting = wanted.map(
                value -> new Setting(OptionTable.CONDA_ENV.name(), value, "--conda-env", Setting.Source.COMMAND_LINE));
        return new CondaFinder(TestProcesses.of(top, variables)).find(setting, program, warnings::add);
    }

    private CondaEnvironment chosen(String wanted) {
        return find(Optional.of(wanted), "true").orElseThrow();
    }

    private void assertRefused(String wanted, String... words) {
        assertThatThrownBy(() -> chosen(wanted))
                .isInstanceOfSatisfying(
                        MusterException.class,
                        refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.CONFIGURATION))
                .hasMessageContainingAll(words)
                .hasMessageContaining("--conda-env: ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aNameIsLookedUpInThePlacesInTheirOrder() throws IOException {
        variables.put("ANACONDA_DIR", top.resolve("image").toString());
        variables.put("CONDA_EXE", top.resolve("exe/bin/conda").toString());
        variables.put("CONDA_ROOT", top.resolve("root").toString());
        variables.put("HOME", top.resolve("home").toString());
        Files.createDirectories(top.resolve("bin"));
        Files.createSymbolicLink(top.resolve("bin/conda"), program("onpath/condabin/conda"));
        List<String> places = List.of(
                "image/envs",
                "exe/envs",
                "root/envs",
                "onpath/envs",
                "home/miniconda3/envs",
                "home/anaconda3/envs",
                "home/.conda/envs");
        for (int index = places.size() - 1; index >= 0; index--) {
            Path prefix = environment(places.get(index) + "/e");
            assertThat(chosen("e")).isEqualTo(new CondaEnvironment(prefix, "e", "--conda-env"));
        }
    }

    @Test
    void baseIsTheInstallationItself() throws IOException {
        variables.put("CONDA_EXE", top.resolve("conda/bin/conda").toString());
        assertThat(chosenName(environment("conda"), "base")).isEqualTo("base");
        assertThat(chosen(top.resolve("conda").toString()).name()).isEqualTo("base");
    }

    private String chosenName(Path prefix, String wanted) {
        assertThat(chosen(wanted).prefix()).isEqualTo(prefix);
        return chosen(wanted).name();
    }

    @Test
    void aPrefixIsAPath() throws IOException {
        variables.put("HOME", top.resolve("home").toString());
        Path here = environment("here");
        Path python = top.resolve("home/py");
        program("home/py/bin/python");
        assertThat(chosenName(here, "./here")).isEqualTo(here.toString());
        assertThat(chosenName(here, here.toString())).isEqualTo(here.toString());
        assertThat(chosenName(here, "./home/../here")).isEqualTo(here.toString());
        assertThat(chosenName(python, "~/py")).isEqualTo(python.toString());
        assertThat(chosenName(environment("x/envs/named"), "./x/envs/named")).isEqualTo("named");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "envs/e", "e\n", "$(touch x)", "e;true", "-rf", "\u0000"})
    void hostileNamesAreRefusedLikeAnyOther(String name) throws IOException {
        variables.put("ANACONDA_DIR", top.toString());
        environment("envs/e");
        assertRefused(name, "no conda environment");
    }

    @Test
    void aColonWouldMakeTwoDirectoriesOfOne() throws IOException {
        variables.put("ANACONDA_DIR", top.toString());
        environment("envs/a:b");
        assertRefused("a:b", "colon");
    }

    private Optional<CondaEnvironment> ofImage(String program) {
        return find(Optional.empty(), program);
    }

    private Path image() throws IOException {
        variables.put("ANACONDA_DIR", top.resolve("conda").toString());
        variables.put("DEFAULT_CONDA_ENV_NAME", "train");
        return environment("conda/envs/train");
    }

    @Test
    void whatIsActiveAlreadyIsLeftAlone() throws IOException {
        image();
        variables.put("CONDA_PREFIX", "/somewhere");
        assertThat(ofImage("python")).isEmpty();
        variables.put("CONDA_PREFIX", "");
        assertThat(ofImage("python")).isPresent();
        program("conda/envs/another/bin/python");
        variables.put("PATH", top.resolve("conda/envs/another/bin").toString());
        assertThat(ofImage("python")).isEmpty();
        assertThat(ofImage("python3")).isPresent();
    }

    @Test
    void aLinkIntoTheEnvironmentsIsActiveToo() throws IOException {
        image();
        Files.createDirectories(top.resolve("bin"));
        Files.createSymbolicLink(top.resolve("bin/python"), program("conda/envs/train/bin/python"));
        assertThat(ofImage("python")).isEmpty();
    }
}
