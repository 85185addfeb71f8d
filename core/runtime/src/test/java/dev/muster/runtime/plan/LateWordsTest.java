package dev.muster.runtime.plan;

import static dev.muster.runtime.plan.Plans.launch;
import static dev.muster.runtime.plan.Plans.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.JsonReader;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Condition;
import dev.muster.spi.DirectoryToMake;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.FileToWrite;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What plans may say of values, files and commands that only the run makes known, and how a dry run shows it. */
class LateWordsTest {

    private static final Condition.PortOpen PORT = new Condition.PortOpen("w-1", 36666);
    private static final Condition LOGIN =
            new Condition.CommandEnds(List.of(Value.of("ssh"), Value.of("w-1")), 0, PORT);
    private static final Value ADDRESS = new Value.AddressOf("w-1");

    @Test
    void aPlanMayUseAllOfThem() {
        assertThatCode(() -> validate(job())).doesNotThrowAnyException();
    }

    @Test
    void textShowsThemReadably() {
        String text = PlanText.render(
                new PlanReport(
                        "mpi",
                        "why",
                        Duration.ofSeconds(15),
                        List.of(new NodePlan(Plans.job(), Plans.node(), job())),
                        List.of()),
                new Secrets(List.of()));

        assertThat(text)
                .contains("  <private temporary directory>/hostfile  written when its first reader starts\n")
                .contains("  <private temporary directory>/agent     content depends on the run\n")
                .contains("mpirun --at '<address of w-1>:<run marker>'")
                .contains("Starts:      when port 36666 of w-1 accepts connections and command ssh ends with 0, asked "
                        + "once port 36666 of w-1 accepts connections\n")
                .contains("Stopped by:  TERM, then KILL after 15s; first to the processes of the run that have RANK or "
                        + "SIZE, to itself when they have ended and private file released exists and is not empty\n")
                .contains("tell: step when the job is stopped, at most 10s, its failure fails the job\n")
                .contains("ssh stop '<exit code>' '<private temporary directory>'\n")
                .contains("exit code from private file released (or 70) when private file released exists and is not "
                        + "empty: released (and what is missing, each with its reason)\n");
    }

    @Test
    void jsonShowsThemWithKeysOfTheirOwn() {
        Map<?, ?> node = json(job());
        Map<?, ?> hosts = (Map<?, ?>) list(node, "files").get(0);
        Map<?, ?> agent = (Map<?, ?>) list(node, "files").get(1);
        Map<?, ?> mpirun = (Map<?, ?>) list(node, "processes").get(0);
        Map<?, ?> tell = (Map<?, ?>) list(node, "processes").get(1);
        Map<?, ?> released = (Map<?, ?>) list((Map<?, ?>) Objects.requireNonNull(node.get("outcome")), "cases")
                .get(0);

        assertThat(hosts.get("bytes")).isNull();
        assertThat(hosts.get("sha256")).isNull();
        assertThat(hosts.get("writtenLate")).isEqualTo(true);
        assertThat(agent.get("writtenLate")).isEqualTo(false);
        assertThat(mpirun.get("stop"))
                .isEqualTo(Map.of(
                        "signal",
                        "TERM",
                        "grace",
                        "15s",
                        "ranks",
                        Map.of(
                                "variables",
                                List.of("RANK", "SIZE"),
                                "until",
                                "private file released exists and is not empty")));
        assertThat(tell.get("phase")).isEqualTo("onStop");
        assertThat(released.get("codeFile")).isEqualTo("released");
        assertThat(released.get("missing"))
                .isEqualTo("command ssh ends with 0, asked once port 36666 of w-1 accepts connections");
    }

    @Test
    void directoriesThatAreEmptiedAndEnvironmentsAreShown() {
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .directory(
                        DirectoryToMake.of("/jobs/rank0", "working directory").emptied("job-7"))
                .file(new FileToWrite("log", Optional.of("/jobs/rank0"), "env.log", new Value.EnvironmentOf("a")))
                .process(task("a"))
                .build();
        String text = PlanText.render(
                new PlanReport(
                        "x",
                        "why",
                        Duration.ofSeconds(15),
                        List.of(new NodePlan(Plans.job(), Plans.node(), plan)),
                        List.of()),
                new Secrets(List.of()));

        assertThat(text)
                .contains("  /jobs/rank0  working directory  (emptied first, when it was made for \"job-7\")\n")
                .contains("  /jobs/rank0/env.log  content depends on the run\n");
        assertThat(list(json(plan), "directories").get(0))
                .isEqualTo(Map.of(
                        "path",
                        "/jobs/rank0",
                        "purpose",
                        "working directory",
                        "required",
                        true,
                        "emptiedFor",
                        "job-7"));
    }

    @Test
    void knownFilesAndPlainCasesHaveNoNewKeys() {
        Map<?, ?> node = json(Plans.rich());

        assertThat(((Map<?, ?>) list(node, "files").get(0)).containsKey("writtenLate"))
                .isFalse();
        assertThat(((Map<?, ?>) list(node, "processes").get(0)).get("stop"))
                .isEqualTo(Map.of("signal", "TERM", "grace", "15s"));
    }

    @Test
    void onlyStepsAtTheEndKnowTheExitCode() {
        ProcessSpec.Task knows = task("a", launch("a.txt", Map.of("X", Value.joined(new Value.ExitCode()))));
        ProcessSpec before = step(ProcessSpec.Phase.BEFORE_TASKS);
        FileToWrite file = new FileToWrite("f", Optional.empty(), "f", new Value.Reason());

        assertThat(message(plan(List.of(), knows)))
                .contains("process \"a\" wants the exit code or the reason, which only steps");
        assertThat(message(plan(List.of(), task("b"), before)))
                .contains("process \"tell\" wants the exit code or the reason");
        assertThat(message(plan(List.of(file), task("b")))).contains("file \"f\" wants the exit code or the reason");
    }

    @Test
    void aCommandThatAsksKnowsItsWordsFromTheBeginning() {
        FileToWrite late = new FileToWrite("late", Optional.empty(), "l", ADDRESS);
        FileToWrite early = new FileToWrite("early", Optional.empty(), "e", late.path());

        assertThat(message(plan(List.of(), task("a", asks(ADDRESS)))))
                .contains("process \"a\", start: a command that asks needs a value that is known later");
        assertThat(message(plan(List.of(late, early), task("a", asks(early.path())))))
                .contains("a command that asks needs a value that is known later");
        assertThat(message(plan(List.of(), task("a", asks(new Value.PathOf("gone"))))))
                .contains("process \"a\", start, a command that asks names the file \"gone\"");
        assertThat(message(plan(List.of(), task("a", new Condition.CommandEnds(List.of(), 256, PORT)))))
                .contains("asks by an empty command")
                .contains("waits for a command that ends with 256");
        assertThat(message(plan(
                        List.of(),
                        task("a", new Condition.CommandEnds(List.of(Value.of("ssh")), 0, "", Optional.empty())))))
                .contains("asks no host");
    }

    @Test
    void aProgramIsKnownFromTheBeginning() {
        Launch launch = new Launch(List.of(ADDRESS), EnvironmentChange.NONE, "/jobs", "a.txt");

        assertThat(message(plan(List.of(), task("a", launch)))).contains("has a program that is known only later");
    }

    @Test
    void filesDoNotNameEachOtherInACircle() {
        FileToWrite one = new FileToWrite("one", Optional.empty(), "1", new Value.PathOf("two"));
        FileToWrite two = new FileToWrite("two", Optional.empty(), "2", new Value.PathOf("one"));

        assertThat(message(plan(List.of(one, two), task("a"))))
                .contains("file \"one\" names itself, perhaps through others");
    }

    @Test
    void privateFilesHaveNames() {
        Outcome.Case bad = new Outcome.Case(
                new Condition.PrivateFileReady("../x"),
                300,
                Optional.of(""),
                Optional.of(new Condition.PrivateFileReady(".")),
                "r");
        LaunchPlan plan = LaunchPlan.builder(new Outcome.FirstOf(List.of(bad))).build();

        assertThat(message(plan))
                .contains("waits for the private file \"../x\", which is no file name")
                .contains("takes its code from the private file \"\"")
                .contains("what is missing: waits for the private file \".\"")
                .contains("has exit code 300");
    }

    @Test
    void hostedRanksAreKnownByVariables() {
        HostedRanks nobody = new HostedRanks(new TreeSet<>(), Plans.exited("x"));
        HostedRanks odd = new HostedRanks(new TreeSet<>(List.of("A=B")), Condition.IMMEDIATELY);

        assertThat(message(plan(List.of(), hosting("a", nobody), hosting("b", odd))))
                .contains("process \"a\" hosts ranks without a variable to know them by")
                .contains("process \"a\", after its ranks: waits for the end of \"x\"")
                .contains("process \"b\" has the variable \"A=B\", which is no legal name");
    }

    /** A node that starts mpirun, as far as its words go. */
    private static LaunchPlan job() {
        FileToWrite hosts =
                new FileToWrite("hosts", Optional.empty(), "hostfile", Value.joined(ADDRESS, Value.of("\n")));
        FileToWrite agent = new FileToWrite("agent", Optional.empty(), "agent", new Value.RunMarker());
        Condition released = new Condition.PrivateFileReady("released");
        Launch launch = new Launch(
                List.of(
                        Value.of("mpirun"),
                        Value.of("--at"),
                        Value.joined(ADDRESS, Value.of(":"), new Value.RunMarker()),
                        hosts.path(),
                        agent.path()),
                EnvironmentChange.NONE,
                "/jobs",
                "mpirun.txt");
        ProcessSpec mpirun = ProcessSpec.task("mpirun", launch)
                .startWhen(new Condition.AllOf(List.of(PORT, LOGIN)))
                .hosts(new HostedRanks(new TreeSet<>(List.of("SIZE", "RANK")), released))
                .build();
        Outcome.Case decided = new Outcome.Case(released, 70, Optional.of("released"), Optional.of(LOGIN), "released");
        return LaunchPlan.builder(new Outcome.FirstOf(List.of(decided)))
                .file(hosts)
                .file(agent)
                .process(mpirun)
                .process(step(ProcessSpec.Phase.ON_STOP))
                .build();
    }

    private static ProcessSpec step(ProcessSpec.Phase phase) {
        Launch launch = new Launch(
                List.of(Value.of("ssh"), Value.of("stop"), new Value.ExitCode(), new Value.PrivateDirectory()),
                EnvironmentChange.NONE,
                "/jobs",
                "tell.txt");
        return ProcessSpec.step("tell", launch, phase, Duration.ofSeconds(10))
                .required()
                .build();
    }

    private static ProcessSpec hosting(String id, HostedRanks ranks) {
        return ProcessSpec.task(id, launch(id + ".txt")).hosts(ranks).build();
    }

    private static Condition asks(Value word) {
        return new Condition.CommandEnds(List.of(Value.of("ssh"), word), 0, PORT);
    }

    private static LaunchPlan plan(List<FileToWrite> files, ProcessSpec... processes) {
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .files(files)
                .processes(List.of(processes))
                .build();
    }

    private static Map<?, ?> json(LaunchPlan plan) {
        PlanReport report = new PlanReport(
                "mpi", "", Duration.ofSeconds(15), List.of(new NodePlan(Plans.job(), Plans.node(), plan)), List.of());
        JsonReading reading =
                JsonReader.read(PlanJson.render(report, new Secrets(List.of())).getBytes(StandardCharsets.UTF_8));
        return (Map<?, ?>) new ArrayList<>(list(((JsonReading.Complete) reading).content(), "nodes")).get(0);
    }

    private static List<?> list(Map<?, ?> node, String key) {
        return (List<?>) Objects.requireNonNull(node.get(key));
    }

    private static String message(LaunchPlan plan) {
        return Objects.requireNonNull(catchThrowableOfType(MusterException.class, () -> validate(plan))
                .getMessage());
    }

    private static void validate(LaunchPlan plan) {
        PlanValidator.validate("mpi", Plans.job(), plan, new ExecLimits(131_071, () -> 10_000_000));
    }
}
