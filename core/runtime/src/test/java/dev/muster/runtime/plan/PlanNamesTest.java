package dev.muster.runtime.plan;

import static dev.muster.runtime.plan.Plans.launch;
import static dev.muster.runtime.plan.Plans.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.RequiredPort;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names, ports and joined values a plan may have. */
class PlanNamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a/b", "-x", "a b", "a\n"})
    void aNodesNameIsSafeInFileNames(String name) {
        assertThat(message(plan(Optional.of(name), List.of()))).contains("which becomes part of file names");
    }

    @Test
    void portsCanBeListenedOnAndAreUsedOnce() {
        String message = message(plan(Optional.empty(), List.of(port(0), port(65536), port(70), port(70))));

        assertThat(message)
                .contains("port 0 for \"the store\" is none of 1..65535")
                .contains("port 65536 for \"the store\" is none of 1..65535")
                .contains("port 70 for \"the store\" is used for something else too");
        assertThat(message(plan(Optional.empty(), List.of(RequiredPort.of(7, " ", "", "")))))
                .contains("port 7 has no purpose");
        assertThatCode(() -> validate(plan(Optional.of("ps-0"), List.of(port(1), port(65535)))))
                .doesNotThrowAnyException();
    }

    @Test
    void freePortsHaveANameWhereverTheyStand() {
        Value nested = Value.joined(Value.of("x"), Value.joined(Value.freePort("")));
        Launch launch = new Launch(
                List.of(Value.of("train"), Value.freePort("a b")),
                EnvironmentChange.of(Map.of("X", nested), List.of()),
                "/jobs",
                "a.txt");

        assertThat(message(Plans.of(task("a", launch))))
                .contains("process \"a\", an argument wants a free port called \"a b\"; allowed: letters")
                .contains("process \"a\", variable X wants a free port called \"\"");
    }

    @Test
    void partsOfJoinedValuesAreCheckedToo() {
        Value joined = Value.joined(Value.of("a\0"), Value.joined(Value.pathOf("table")));

        assertThat(message(Plans.of(task("a", launch("a.txt", Map.of("X", joined))))))
                .contains("process \"a\", variable X has a NUL character")
                .contains("process \"a\", variable X names the file \"table\", which the plan does not write");
    }

    private static RequiredPort port(int number) {
        return RequiredPort.of(number, "the store", "--master-port", "Give another");
    }

    private static LaunchPlan plan(Optional<String> name, List<RequiredPort> ports) {
        LaunchPlan.Builder plan =
                LaunchPlan.builder(Outcome.ALL_TASKS).ports(ports).process(task("a"));
        name.ifPresent(plan::name);
        return plan.build();
    }

    private static String message(LaunchPlan plan) {
        MusterException failure = failure(plan);
        assertThat(failure.exitCode()).isEqualTo(ExitCode.INTERNAL);
        return Objects.requireNonNull(failure.getMessage());
    }

    private static MusterException failure(LaunchPlan plan) {
        return catchThrowableOfType(MusterException.class, () -> validate(plan));
    }

    private static void validate(LaunchPlan plan) {
        PlanValidator.validate("tensorflow-ps", Plans.job(), plan);
    }
}
