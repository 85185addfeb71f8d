package dev.muster.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Input;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class InputRulesTest {

    @Test
    void whatCanBeAskedForIs() {
        List<Input> inputs = List.of(
                json("table", "/a", Optional.of("b.json")),
                new Input.JsonText("text", "{}", "VARIABLE"),
                new Input.TextFile("file", "relative"),
                new Input.Listing("names", "/dev", "davinci"),
                new Input.Program("program", "mpirun", List.of("/opt/bin")),
                command(List.of("mpirun", "--version"), Duration.ofSeconds(10)));

        assertThatCode(() -> PlanValidator.validateInputs("strange", inputs)).doesNotThrowAnyException();
    }

    static Stream<Arguments> impossible() {
        return Stream.of(
                Arguments.of(new Input.TextFile("x", "/a\0b"), "input \"x\" has \"/a\\u0000b\", which is no path"),
                Arguments.of(new Input.TextFile("x", ""), "which is no path"),
                Arguments.of(new Input.Listing("x", "/\ud800", ""), "which is no path"),
                Arguments.of(json("x", "/a", Optional.of("../b")), "which is no file name"),
                Arguments.of(new Input.Program("x", "\0", List.of()), "which is no path"),
                Arguments.of(new Input.Program("x", "y", List.of("\0")), "is looked for in \"\\u0000\""),
                Arguments.of(command(List.of(), Duration.ofSeconds(1)), "which is no path"),
                Arguments.of(command(List.of("true", "\0"), Duration.ofSeconds(1)), "a command with a NUL"),
                Arguments.of(command(List.of("true"), Duration.ZERO), "the deadline PT0S"),
                Arguments.of(command(List.of("true"), Duration.ofSeconds(-1)), "the deadline PT-1S"),
                Arguments.of(command(List.of("true"), Duration.ofSeconds(Long.MAX_VALUE)), "the deadline PT"));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void otherwiseTheEngineIsNamed(Input input, String problem) {
        MusterException refused = refusal(List.of(input));

        assertThat(refused.exitCode()).isEqualTo(ExitCode.INTERNAL);
        assertThat(refused)
                .hasMessageStartingWith("engine strange asked for invalid inputs: 1) ")
                .hasMessageContaining(problem)
                .hasMessageEndingWith("Report this to the engine's author");
    }

    @Test
    void anIdIsAnInputs() {
        Input file = new Input.TextFile("x", "/a");

        assertThat(refusal(List.of(file, file))).hasMessageContaining("input \"x\" is asked for twice");
    }

    private static MusterException refusal(List<Input> inputs) {
        return catchThrowableOfType(MusterException.class, () -> PlanValidator.validateInputs("strange", inputs));
    }

    private static Input json(String id, String path, Optional<String> name) {
        return new Input.JsonFile(id, path, name, "test", true, Input.Readiness.WHOLE);
    }

    private static Input command(List<String> words, Duration deadline) {
        return new Input.CommandOutput("x", words, deadline);
    }
}
