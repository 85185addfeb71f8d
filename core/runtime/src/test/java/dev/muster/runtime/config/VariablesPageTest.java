package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/variables.md} names all variables of Muster's programs and scripts, and all options without a variable. */
class VariablesPageTest {

    private static final Pattern VARIABLE = Pattern.compile("MUSTER_[A-Z_]+");

    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("../../docs/variables.md"));
    }

    @Test
    void everyVariableBetweenOurProgramsIsOnThePage() {
        assertThat(SettingsReader.INTERNAL).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    @Test
    void everyVariableOfOurScriptsIsOnThePage() throws IOException {
        for (String folder : List.of(
                "src/main/resources", "../../engine-mpi/src/main/resources", "../../distribution/src/package")) {
            for (Path script : scripts(Path.of(folder))) {
                assertThat(VARIABLE.matcher(Files.readString(script)).results().map(MatchResult::group))
                        .as(script.toString())
                        .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
            }
        }
    }

    private static List<Path> scripts(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*(\\.sh|/bin/muster)"))
                    .toList();
        }
    }

    @Test
    void everyOptionWithoutAVariableIsNamedThere() {
        List<Option> without = KnownOptions.ofMuster().options().stream()
                .filter(option -> option.variable().isEmpty())
                .toList();

        assertThat(without).allSatisfy(option -> assertThat(page).contains("`" + option.flag() + "`"));
    }
}
