package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page of all variables, against those that there are. */
class VariablesPageTest {

    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("../../docs/variables.md"));
    }

    @Test
    void everyVariableBetweenOurProgramsIsOnThePage() {
        assertThat(UnknownVariables.INTERNAL)
                .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    @Test
    void everyOptionWithoutAVariableIsNamedThere() {
        List<Option> without = KnownOptions.ofMuster().options().stream()
                .filter(option -> option.variable().isEmpty())
                .toList();

        assertThat(without).allSatisfy(option -> assertThat(page).contains("`" + option.flag() + "`"));
    }
}
