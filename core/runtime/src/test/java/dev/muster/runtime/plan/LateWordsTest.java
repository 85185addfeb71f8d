package dev.muster.runtime.plan;

import static dev.muster.runtime.plan.Plans.launch;
import static dev.muster.runtime.plan.Plans.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
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

    @Test
    void textShowsThemReadably() {
        String text = PlanText.render(
                new PlanReport(
                        "mpi",
                        "why",
                        Duration.ofSeconds(15),
                        List.of(new NodePlan(Plans.job(), Plans.node(), job(), Optional.empty())),
                        List.of(),
                        Optional.empty()),
                new Secrets(List.of()));

        assertThat(text)
                .contains("  <private temporary directory>/agent  content depends on the run\n")
                .contains("mpirun '<private temporary directory>'")
                .contains("first to its ranks, to itself when they have ended and sshd of node 1 has ended\n")
                .contains("tell: step when the job is stopped, at most 10s, its failure fails the job\n");
    }

    @Test
    void jsonShowsThemToo() {
        Map<?, ?> node = json(job());

        assertThat(((Map<?, ?>) list(node, "files").get(0)).get("bytes")).isNull();
        assertThat(((Map<?, ?>) list(node, "files").get(0)).get("sha256")).isNull();
        assertThat(((Map<?, ?>) list(node, "processes").get(0)).get("stop"))
                .isEqualTo(Map.of(
                        "signal",
                        "TERM",
                        "grace",
                        "15s",
                        "ranks",
                        Map.of(
                                "passed",
                                List.of("orted", "sh"),
                                "left",
                                List.of("ssh"),
                                "until",
                                "sshd of node 1 has ended")));
        assertThat(((Map<?, ?>) list(node, "processes").get(1)).get("phase")).isEqualTo("onStop");
    }

    @Test
    void directoriesThatAreEmptiedAndEnvironmentsAreShown() {
        LaunchPlan plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .directory(
                        RequiredDirectory.of("/jobs/rank0", "working directory").emptied("job-7"))
                .file(new GeneratedFile("log", Optional.of("/jobs/rank0"), "env.log", new Value.EnvironmentOf("a")))
                .process(task("a"))
                .build();
        String text = PlanText.render(
                new PlanReport(
                        "x",
                        "why",
                        Duration.ofSeconds(15),
                        List.of(new NodePlan(Plans.job(), Plans.node(), plan, Optional.empty())),
                        List.of(),
                        Optional.empty()),
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
    void filesDoNotNameEachOtherInACircle() {
        GeneratedFile one = new GeneratedFile("one", Optional.empty(), "1", new Value.PathOf("two"));
        GeneratedFile two = new GeneratedFile("two", Optional.empty(), "2", new Value.PathOf("one"));

        assertThat(message(plan(List.of(one, two), task("a"))))
                .contains("file \"one\" names itself, perhaps through others");
    }

    @Test
    void programsBelowAHostAreKnownByNamesThatProcessesHave() {
        HostedRanks waits = hosted(List.of(), List.of(), Plans.exited("x"));
        HostedRanks odd = hosted(List.of("a/b", "sh", ""), List.of("sh", "sixteen-letters-"), Condition.IMMEDIATELY);

        assertThat(message(plan(List.of(), hosting("a", waits), hosting("b", odd))))
                .contains("process \"a\", after its ranks: waits for the end of \"x\"")
                .contains("process \"b\" knows programs below it by the name \"a/b\", which no process can have")
                .contains("process \"b\" knows programs below it by the name \"\", which no process can have")
                .contains("by the name \"sixteen-letters-\", which no process can have")
                .contains("process \"b\" both passes and leaves programs called \"sh\"");
    }

    private static HostedRanks hosted(List<String> passed, List<String> left, Condition until) {
        return new HostedRanks(new TreeSet<>(passed), new TreeSet<>(left), until, 0, 0);
    }

    /** A node that starts mpirun, as far as its words go. */
    private static LaunchPlan job() {
        GeneratedFile agent = new GeneratedFile("agent", Optional.empty(), "agent", new Value.PrivateDirectory());
        ProcessSpec mpirun = ProcessSpec.task("mpirun", launchOf(Value.of("mpirun"), new Value.PrivateDirectory()))
                .hosts(hosted(List.of("sh", "orted"), List.of("ssh"), Plans.exited("sshd@node-1")))
                .build();
        ProcessSpec tell = ProcessSpec.hook(
                        "tell", launch("tell.txt"), ProcessSpec.Phase.ON_STOP, Duration.ofSeconds(10))
                .required()
                .build();
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .file(agent)
                .process(mpirun)
                .process(tell)
                .build();
    }

    private static Launch launchOf(Value... command) {
        return new Launch(List.of(command), EnvironmentChange.NONE, "/jobs", "mpirun.txt");
    }

    private static ProcessSpec hosting(String id, HostedRanks ranks) {
        return ProcessSpec.task(id, launch(id + ".txt")).hosts(ranks).build();
    }

    private static LaunchPlan plan(List<GeneratedFile> files, ProcessSpec... processes) {
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .files(files)
                .processes(List.of(processes))
                .build();
    }

    private static Map<?, ?> json(LaunchPlan plan) {
        PlanReport report = new PlanReport(
                "mpi",
                "",
                Duration.ofSeconds(15),
                List.of(new NodePlan(Plans.job(), Plans.node(), plan, Optional.empty())),
                List.of(),
                Optional.empty());
        JsonReading reading = Json.read(PlanJson.render(report, new Secrets(List.of())));
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
