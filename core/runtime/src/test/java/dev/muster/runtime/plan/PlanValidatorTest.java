package dev.muster.runtime.plan;

import static dev.muster.runtime.plan.PlanProblems.message;
import static dev.muster.runtime.plan.Plans.exited;
import static dev.muster.runtime.plan.Plans.launch;
import static dev.muster.runtime.plan.Plans.launchChanging;
import static dev.muster.runtime.plan.Plans.ranked;
import static dev.muster.runtime.plan.Plans.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanValidatorTest {

    @Test
    void acceptsAPlanWithOneOfEverything() {
        for (LaunchPlan plan : List.of(Plans.rich(), Plans.lively())) {
            assertThatCode(() -> PlanValidator.validate("ascend", Plans.job(), plan))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void tellsAllProblemsAtOnceAndNamesTheEngine() {
        LaunchPlan plan = Plans.of(task("a", launch("x/y")), task("a", launch("")));

        assertThat(message(plan))
                .isEqualTo(
                        "engine ascend made an invalid plan: 1) process \"a\" has the log file \"x/y\", which is no file "
                                + "name; 2) process \"a\" occurs twice; 3) process \"a\" has the log file \"\", which is no file name. "
                                + "Report this to the engine's author");
    }

    @Test
    void somethingEndsTheNode() {
        assertThat(message(Plans.of()))
                .contains("1) nothing ends the node: the plan has no task, and its outcome no case.");
        assertThat(message(withOutcome(firstOf(exited("a"), 256)))).contains("outcome \"done\" has exit code 256");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A=B", "A\0"})
    void variablesHaveLegalNames(String name) {
        assertThat(message(Plans.of(task("a", launch("a.txt", Map.of(name, Value.of("x")))))))
                .contains("no legal name");
        Launch removing = launchChanging(EnvironmentChange.of(Map.of(), List.of(name)));
        assertThat(message(Plans.of(task("a", removing)))).contains("no legal name");
    }

    @Test
    void aVariableIsNotBothSetAndRemoved() {
        Launch both = launchChanging(EnvironmentChange.of(Map.of("A", Value.of("x")), List.of("A")));

        assertThat(message(Plans.of(task("a", both)))).contains("both sets and removes the variable \"A\"");
    }

    @Test
    void noTextHasANul() {
        Launch argument = new Launch(List.of(Value.of("a\0b")), EnvironmentChange.NONE, "/jobs", "a.txt");

        assertThat(message(Plans.of(task("a", argument)))).contains("process \"a\", an argument has a NUL character");
        assertThat(message(Plans.of(task("a", launch("a.txt", Map.of("X", Value.of("\0")))))))
                .contains("process \"a\", variable X has a NUL character");
    }

    @Test
    void aProcessHasACommandAndAnAbsoluteDirectory() {
        Launch launch = new Launch(List.of(), EnvironmentChange.NONE, "work", "a.txt");

        assertThat(message(Plans.of(task("a", launch))))
                .contains("process \"a\" has no command")
                .contains("has the working directory \"work\", which is not absolute");
    }

    @Test
    void logFilesAreDifferent() {
        assertThat(message(Plans.of(task("a", launch("x")), task("b", launch("x")))))
                .contains("process \"b\" has the log file \"x\", which another process has too");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "a/b", "a\0b", "/etc/passwd"})
    void logFilesHavePlainNames(String name) {
        assertThat(message(Plans.of(task("a", launch(name))))).contains("which is no file name");
    }

    @Test
    void ranksFitTogether() {
        assertThat(message(Plans.of(ranked(0, 0, 2), ranked(0, 1, 2))))
                .contains("has rank 0, which another task has too");
        assertThat(message(Plans.of(ranked(0, 0, 2), ranked(1, 0, 2)))).contains("has local rank 0, which another");
        assertThat(message(Plans.of(ranked(2, 0, 2)))).contains("has rank 2 of 2");
        assertThat(message(Plans.of(ranked(-1, 0, 2)))).contains("has rank -1 of 2");
        assertThat(message(Plans.of(ranked(0, -1, 2)))).contains("has local rank -1");
        assertThat(message(Plans.of(ranked(0, 0, 2), ranked(1, 1, 3)))).contains("tasks disagree on the world size");
    }

    @ParameterizedTest
    @CsvSource({"/jobs/a", "/jobs", "/logs/x/y", "/tables", "/jobs/../logs"})
    void directoriesLieInsideTheJobsPlaces(String path) {
        assertThatCode(() -> PlanValidator.validate("x", Plans.job(), withDirectory(path, true)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"/etc", "/jobsite", "/jobs/../etc", "/"})
    void nothingIsMadeElsewhere(String path) {
        assertThat(message(withDirectory(path, true)))
                .contains("lies outside the work, log and table directories of the job");
        assertThatCode(() -> PlanValidator.validate("x", Plans.job(), withDirectory(path, false)))
                .doesNotThrowAnyException();
    }

    @Test
    void pathsAreAbsolute() {
        assertThat(message(withDirectory("work/a", false))).contains("directory \"work/a\" is not absolute");
        assertThat(message(withDirectory("work/a", true))).contains("directory \"work/a\" is not absolute");
        assertThat(message(withDirectory("/jobs/\0", true))).contains("is not absolute");
    }

    @Test
    void filesHaveIdsNamesAndPlacesOfTheirOwn() {
        GeneratedFile file = new GeneratedFile("f", Optional.of("/tables"), "t.json", "");
        GeneratedFile samePlace = new GeneratedFile("g", Optional.of("/tables"), "t.json", "");
        GeneratedFile elsewhere = new GeneratedFile("h", Optional.of("/etc"), "passwd", "");
        GeneratedFile climbing = new GeneratedFile("i", Optional.empty(), "../x", "");

        assertThat(message(withFiles(file, file))).contains("file \"f\" occurs twice");
        assertThat(message(withFiles(file, samePlace))).contains("file \"g\" is written where another file is");
        assertThat(message(withFiles(elsewhere))).contains("file \"h\" in \"/etc\" lies outside");
        assertThat(message(withFiles(climbing))).contains("file \"i\" has the name \"../x\", which is no file name");
    }

    @Test
    void namedFilesExist() {
        LaunchPlan plan = Plans.of(task("a", launch("a.txt", Map.of("X", Value.pathOf("table")))));

        assertThat(message(plan))
                .contains("process \"a\", variable X names the file \"table\", which the plan does not write");
    }

    @Test
    void stepsHaveADeadline() {
        ProcessSpec endless = ProcessSpec.hook("s", launch("s.txt"), ProcessSpec.Phase.PROLOG, Duration.ZERO)
                .withRequired();

        assertThat(message(Plans.of(endless, task("a"))))
                .contains("process \"s\" is a step without a positive deadline");
        ProcessSpec eternal =
                ProcessSpec.hook("s", launch("s.txt"), ProcessSpec.Phase.PROLOG, Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(message(Plans.of(eternal, task("a")))).contains("process \"s\" is a step with the deadline PT");
    }

    private static LaunchPlan withOutcome(Outcome outcome) {
        return LaunchPlan.builder(outcome).process(task("a")).build();
    }

    private static Outcome firstOf(Condition when, int code) {
        return Outcome.firstOf(List.of(new Outcome.Case(when, code, "done")));
    }

    private static LaunchPlan withDirectory(String path, boolean required) {
        RequiredDirectory directory = RequiredDirectory.of(path, "a purpose");
        return withDirectory(required ? directory : directory.orWarn());
    }

    private static LaunchPlan withDirectory(RequiredDirectory directory) {
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .directory(directory)
                .process(task("a"))
                .build();
    }

    private static LaunchPlan withFiles(GeneratedFile... files) {
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .files(List.of(files))
                .process(task("a"))
                .build();
    }
}
