package dev.muster.runtime.plan;

import static dev.muster.runtime.plan.PlanProblems.failure;
import static dev.muster.runtime.plan.PlanProblems.validate;
import static dev.muster.runtime.plan.Plans.launch;
import static dev.muster.runtime.plan.Plans.launchChanging;
import static dev.muster.runtime.plan.Plans.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Plans with arguments and variables that are too large for Linux to pass to a process. */
class SizeRulesTest {

    @Test
    void aVariableThatLinuxCannotPassOnIsTheUsersAffair() {
        JobSpec job = Plans.job(new TreeMap<>(Map.of("BIG", "s".repeat(131_072), "FITS", "x".repeat(131_066))));

        MusterException failure = failure(job, Plans.of(task("a"), task("b")));

        assertThat(failure.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(failure)
                .hasMessage("environment variable BIG is 131076 bytes with its name; Linux allows 131071 per variable. "
                        + "Unset or shorten it");
    }

    @Test
    void aBigVariableDoesNoHarmWhenTheEngineReplacesIt() {
        JobSpec job = Plans.job(new TreeMap<>(Map.of("BIG", "s".repeat(200_000), "HUGE", "s".repeat(200_000))));
        Launch launch = launchChanging(EnvironmentChange.of(Map.of("BIG", Value.of("small")), List.of("HUGE")));

        assertThatCode(() -> validate(job, Plans.of(task("a", launch)))).doesNotThrowAnyException();
    }

    @Test
    void argumentsHaveTheSameLimit() {
        Launch launch = new Launch(
                List.of(Value.of("train"), Value.of("ä".repeat(65_536))), EnvironmentChange.NONE, "/jobs", "a.txt");

        MusterException failure = failure(Plans.job(), Plans.of(task("a", launch)));

        assertThat(failure.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(failure).hasMessage("argument 1 of a is 131072 bytes; Linux allows 131071. Pass it in a file");
    }

    @Test
    void anInvalidPlanIsTheEnginesFaultWhateverElseIsWrong() {
        JobSpec job = Plans.job(new TreeMap<>(Map.of("BIG", "s".repeat(200_000))));

        MusterException failure = failure(job, Plans.of(task("a", launch("x/y"))));

        assertThat(failure.exitCode()).isEqualTo(ExitCode.INTERNAL);
        assertThat(failure)
                .hasMessageContaining("2) environment variable BIG")
                .message()
                .doesNotContain("sss");
    }
}
