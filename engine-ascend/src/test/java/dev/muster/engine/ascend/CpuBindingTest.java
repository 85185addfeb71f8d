package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuBindingTest {

    private static List<List<String>> words(String allowed, int ranks) {
        TestJob job = new TestJob();
        Map<String, InputValue> inputs = Map.of("taskset", new InputValue.Program("/usr/bin/taskset"));
        return CpuBinding.of(new PlanRequest(job.spec(), job.node(), inputs), allowed, ranks)
                .words();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0-191|8|0-23 24-47 48-71 72-95 96-119 120-143 144-167 168-191",
                "0-7|2|0-3 4-7",
                "0-9|4|0-1 2-4 5-6 7-9",
                "2,3,8-11|3|2-3 8-9 10-11",
                "0-1,4,6-7|2|0-1 4,6-7",
                "5|1|5"
            })
    void sharesAreEqualAndOfTheCpusThatMayBeUsed(String allowed, int ranks, String lists) {
        assertThat(words(allowed + "\n", ranks))
                .extracting(words -> words.get(2))
                .containsExactly(lists.split(" "));
    }

    @Test
    void thereAreNoSharesOfTooFewCpus() {
        assertThat(words("0-6", 8)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x", "3-1", "0-", "-1", "0,,1", "0-99999999999", "0-65536", "$(id)", "0;1"})
    void aTextThatIsNoListSharesNothing(String text) {
        assertThat(words(text, 1)).isEmpty();
    }
}
