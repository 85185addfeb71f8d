package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecLimitsTest {

    @ParameterizedTest
    @CsvSource({"8388608, 2097152", "unlimited, 6291456", "67108864, 6291456", "65536, 131072"})
    void aQuarterOfTheStackIsLeftForArguments(String stack, long expected) {
        List<String> limits = List.of(
                "Limit                     Soft Limit           Hard Limit           Units     ",
                "Max data size             unlimited            unlimited            bytes     ",
                "Max stack size            " + stack + "              unlimited            bytes     ");

        assertThat(ExecLimits.fromStackLimit(limits)).isEqualTo(expected);
    }

    @Test
    void withoutTheLineTheSystemDecides() {
        assertThat(ExecLimits.fromStackLimit(List.of())).isEqualTo(6 * 1024 * 1024);
    }

    @Test
    void readsTheLimitOfThisProcess() {
        assertThat(ExecLimits.ofThisProcess().total().getAsLong()).isBetween(128L * 1024, 6L * 1024 * 1024);
        assertThat(ExecLimits.ofThisProcess().longest()).isEqualTo(131_071);
    }

    @Test
    void countsBytesAsUtf8() {
        assertThat(SizeRules.bytes("aä日🚀")).isEqualTo(1 + 2 + 3 + 4);
    }
}
