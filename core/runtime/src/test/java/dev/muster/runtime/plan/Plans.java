package dev.muster.runtime.plan;

import dev.muster.runtime.text.Secrets;
import dev.muster.spi.CardChoice;
import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.RequiredPort;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Plans and their parts, for tests. */
final class Plans {

    private Plans() {}

    static JobSpec job() {
        return job(new TreeMap<>(Map.of("PATH", "/usr/bin")));
    }

    static JobSpec job(SortedMap<String, String> environment) {
        return new JobSpec(
                "job-7",
                true,
                List.of("python3", "train.py", "--api-key", "hidden", "--text", "it's \n"),
                environment,
                Map.of(),
                PlatformContract.named("modelarts"),
                Duration.ofMinutes(30),
                "/here",
                new JobDirectories("/jobs", true, "/logs", Optional.of("/tables")),
                new TreeSet<>(),
                1,
                0);
    }

    static Node node() {
        return new Node(
                OptionalInt.of(1),
                OptionalInt.of(2),
                Optional.empty(),
                Optional.of(new OptionValue("pod-1", "MA_CURRENT_INSTANCE_NAME")),
                Optional.of(new OptionValue("192.168.0.26", "MA_CURRENT_HOST_IP")),
                List.of(),
                Optional.empty(),
                Map.of(),
                CardChoice.NONE,
                new NodeInfo("box", List.of("127.0.0.1"), 1000, Optional.empty(), 2));
    }

    static Node unknownNode() {
        return new Node(
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Map.of(),
                CardChoice.NONE,
                new NodeInfo("box", List.of(), 0, Optional.empty(), 1));
    }

    /** A plan with one part of each kind. */
    static LaunchPlan rich() {
        GeneratedFile table = new GeneratedFile("rank-table", Optional.of("/tables"), "table.json", "{}\n");
        GeneratedFile hosts = new GeneratedFile("hosts", Optional.empty(), "hostfile", "ä\n");
        Map<String, Value> variables = Map.of(
                "RANK_ID", Value.of(2),
                "RANK_TABLE_FILE", table.path(),
                "HF_TOKEN", Value.of("hidden"),
                "GREETING", Value.of("good day"));
        Launch launch = new Launch(
                List.of(Value.of("python3"), Value.of("--token=hidden"), hosts.path()),
                EnvironmentChange.of(variables, List.of("OLD", "OTHER")),
                "/jobs/device0",
                "job-7-rank-2.txt");
        return LaunchPlan.builder(Outcome.firstOf(List.of(
                        new Outcome.Case(exited("rank-2"), 0, "the rank is done"),
                        new Outcome.Case(exited("rank-0@node-0"), 75, "task 0 was lost"))))
                .directory(RequiredDirectory.of("/jobs/device0", "working directory of rank 2"))
                .directory(RequiredDirectory.of("/logs/process_log", "process log of rank 2")
                        .orWarn())
                .file(table)
                .file(hosts)
                .process(ProcessSpec.task("rank-2", launch).withPlacement(new RankInfo(2, 0, 4)))
                .process(ProcessSpec.service("sshd", launch("sshd.txt"))
                        .withReadyWhen(Condition.portOpen("127.0.0.1", 2222)))
                .process(hook("release", ProcessSpec.Phase.EPILOG, Condition.portOpen("host-0", 22)))
                .note(Note.info("2 cards are used"))
                .note(Note.warning("the table is old"))
                .build();
    }

    /** A plan with the parts that {@link #rich} lacks: a name, ports, late values, a service that may end, other launchers. */
    static LaunchPlan lively() {
        GeneratedFile hosts = new GeneratedFile("hosts", Optional.empty(), "hostfile", "a\n");
        Value port = Value.freePort("store");
        Launch launch = new Launch(
                List.of(
                        Value.of("train"),
                        Value.joined(Value.of("--url=tcp://h:"), port),
                        Value.joined(Value.of("--token="), Value.joined(Value.of("hid"), port))),
                EnvironmentChange.of(
                        Map.of(
                                "MASTER_PORT", port,
                                "HOSTS", Value.joined(Value.of("@"), hosts.path()),
                                "API_KEY", Value.joined(Value.of("hid"), Value.of("den"))),
                        List.of()),
                "/jobs",
                "ps-0.txt");
        return LaunchPlan.builder(Outcome.firstOf(List.of(
                        new Outcome.Case(exited("worker-0@worker-0", "worker-1@worker-1"), 0, "the workers are done"),
                        new Outcome.Case(Condition.portOpen("w1", 5000), 75, "worker 1 came late"),
                        new Outcome.Case(Condition.IMMEDIATELY, 0, "nothing to do"))))
                .name("ps-0")
                .file(hosts)
                .port(RequiredPort.of(6666, "the rendezvous", "--master-port", "Give another --master-port"))
                .port(RequiredPort.of(7000, "ps 0", "TF_PS_HOSTS", "Wait"))
                .process(ProcessSpec.service("ps-0", launch).withMayEnd())
                .build();
    }

    static LaunchPlan of(ProcessSpec... processes) {
        return LaunchPlan.builder(Outcome.ALL_TASKS)
                .processes(List.of(processes))
                .build();
    }

    static ProcessSpec.Task task(String id) {
        return task(id, launch(id + ".txt"));
    }

    static ProcessSpec.Task task(String id, Launch launch) {
        return ProcessSpec.task(id, launch);
    }

    static ProcessSpec.Task task(String id, Condition startWhen) {
        return ProcessSpec.task(id, launch(id + ".txt")).withStartWhen(startWhen);
    }

    static ProcessSpec.Task ranked(int rank, int localRank, int worldSize) {
        String id = "rank-" + rank + "-" + localRank;
        return ProcessSpec.task(id, launch(id + ".txt")).withPlacement(new RankInfo(rank, localRank, worldSize));
    }

    static ProcessSpec.Hook hook(String id, ProcessSpec.Phase phase, Condition startWhen) {
        return ProcessSpec.hook(id, launch(id + ".txt"), phase, Duration.ofSeconds(10))
                .withStartWhen(startWhen)
                .withRequired();
    }

    static Launch launch(String logFile) {
        return launch(logFile, Map.of());
    }

    static Launch launch(String logFile, Map<String, Value> variables) {
        return new Launch(List.of(Value.of("true")), EnvironmentChange.of(variables, List.of()), "/jobs", logFile);
    }

    static Condition exited(String... ids) {
        return Condition.exited(List.of(ids));
    }

    static Launch launchChanging(EnvironmentChange change) {
        return new Launch(List.of(Value.of("true")), change, "/jobs", "a.txt");
    }

    /** The report as text. Only values that look like secrets are masked. */
    static String text(PlanReport report) {
        StringBuilder text = new StringBuilder();
        PlanText.write(report, new Secrets(List.of()), text::append);
        return text.toString();
    }

    /** The report as JSON. */
    static String json(PlanReport report) {
        StringBuilder text = new StringBuilder();
        PlanDocument.write(report, new Secrets(List.of()), text::append);
        return text.toString();
    }
}
