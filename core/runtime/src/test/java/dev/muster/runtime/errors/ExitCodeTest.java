package dev.muster.runtime.errors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.PlanException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodeTest {

    @ParameterizedTest
    @CsvSource({
        "USAGE, 64",
        "DATA, 65",
        "UNAVAILABLE, 69",
        "INTERNAL, 70",
        "TEMPORARY, 75",
        "CONFIGURATION, 78",
        "NOT_EXECUTABLE, 126",
        "NOT_FOUND, 127"
    })
    void keepsTheCodesThatScriptsRelyOn(ExitCode code, int number) {
        assertThat(code.code()).isEqualTo(number);
    }

    @Test
    void everyCodeSaysWhatItMeans() {
        assertThat(ExitCode.values())
                .allSatisfy(code -> assertThat(code.meaning()).isNotBlank().doesNotEndWith("."));
    }

    @Test
    void codesAreDifferent() {
        assertThat(Arrays.stream(ExitCode.values()).map(ExitCode::code)).doesNotHaveDuplicates();
    }

    @Test
    void signalsAreCountedFrom128() {
        assertThat(ExitCode.ofSignal(15)).isEqualTo(143);
        assertThat(ExitCode.ofSignal(9)).isEqualTo(137);
    }

    @ParameterizedTest
    @CsvSource({"USAGE", "DATA", "UNAVAILABLE", "CONFIGURATION"})
    void refusalsOfEnginesHaveTheCodeOfTheSameName(PlanException.Kind kind) {
        assertThat(ExitCode.of(kind).name()).isEqualTo(kind.name());
    }
}
