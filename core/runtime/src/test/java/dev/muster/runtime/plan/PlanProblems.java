package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import java.util.Objects;

/** Validates wrong plans, and returns the message. */
final class PlanProblems {

    private PlanProblems() {}

    static String message(LaunchPlan plan) {
        MusterException failure = failure(Plans.job(), plan);
        assertThat(failure.exitCode()).isEqualTo(ExitCode.INTERNAL);
        return Objects.requireNonNull(failure.getMessage());
    }

    static MusterException failure(JobSpec job, LaunchPlan plan) {
        return catchThrowableOfType(MusterException.class, () -> validate(job, plan));
    }

    static void validate(JobSpec job, LaunchPlan plan) {
        PlanValidator.validate("ascend", job, plan);
    }
}
