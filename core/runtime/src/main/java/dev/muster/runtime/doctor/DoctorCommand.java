package dev.muster.runtime.doctor;

import dev.muster.runtime.cli.DoctorRequest;
import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.launch.LaunchProbe;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.platform.MachineFiles;
import dev.muster.runtime.plugins.SpiVersion;
import dev.muster.runtime.questions.JobQuestions;
import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.questions.NodeAnswers;
import dev.muster.runtime.questions.QuestionHandler;
import dev.muster.spi.LauncherNodes;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/** {@code muster doctor}: checks whether a job can run on this node, or on all its nodes. It writes and starts nothing of the job. */
public final class DoctorCommand {

    /** Muster did not exist before this time. */
    private static final Instant FIRST_RELEASE = Instant.parse("2025-01-01T00:00:00Z");

    private static final String KIND = "doctor";
    private static final Duration TO_ANSWER = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final double SECOND = 1000;

    /** All checks, in the order of the report. Each checks one subject of a node, and changes nothing. */
    private static final List<Function<NodeFacts, Stream<Finding>>> CHECKS = List.of(
            LaunchCheck::findings,
            ProgramsCheck::findings,
            ScriptCheck::findings,
            CardsCheck::findings,
            LimitsCheck::findings,
            PlacesCheck::findings,
            node -> Stream.of(Finding.of(node.now().isBefore(FIRST_RELEASE) ? "clock.past" : "clock", node.now())),
            node -> Stream.of(Finding.of("muster", SpiVersion.ofMuster().orElse("?"), ProcessInfo.javaVersion())),
            NetworkCheck::findings,
            VariablesCheck::findings);

    private final LaunchContext context;

    /** Completes when all nodes are connected, or with the reason why they cannot be. */
    private final CompletableFuture<Optional<JobEnd>> gathered = new CompletableFuture<>();
    /** How it ended on the leader. */
    private final CompletableFuture<JobEnd> end = new CompletableFuture<>();

    @Inject
    public DoctorCommand(LaunchContext context) {
        this.context = context;
    }

    /** @return 0, or 78 if the job would fail */
    public int run(DoctorRequest request) throws InterruptedException {
        LaunchProbe.Result launch = new LaunchProbe(context, request).probe();
        List<Finding> findings = findings(request, launch);
        boolean isJson =
                request.settings().text(OptionTable.FORMAT).orElseThrow().equals("json");
        if (launch.link().isPresent()) {
            return checkNodes(launch.link().get(), findings, isJson);
        }
        DoctorReport report = new DoctorReport(context.console(), List.of(), new LinkedHashMap<>());
        findings.forEach(finding -> report.add(finding, List.of()));
        return report.write(isJson);
    }

    private List<Finding> findings(DoctorRequest request, LaunchProbe.Result launch) {
        CommandRunner commands = context.commands().with(launch.environment());
        MachineFiles files = new MachineFiles(Path.of("/"));
        long pid = context.processInfo().pid();
        NodeFacts node = new NodeFacts(
                request, launch, commands, files, pid, context.clock().instant());
        return CHECKS.stream().flatMap(check -> check.apply(node)).distinct().toList();
    }

    /** Connects the nodes. The leader asks all nodes for their findings, reports them, and tells the nodes the exit code. */
    private int checkNodes(LinkSettings settings, List<Finding> own, boolean isJson) throws InterruptedException {
        LauncherNodes nodes = settings.launchers();
        List<?> findings = own.stream().map(Json::toMap).toList();
        QuestionHandler handler = (any, none) -> Map.of("clock", context.clock().millis(), "findings", findings);
        NodeAnswers answers =
                new NodeAnswers(nodes::own, () -> "", () -> Map.of(KIND, handler), context.console()::masked, true);
        try (Link link =
                Link.open(settings.forDoctor(), context.nanoClock(), context.console()::say, context.console()::warn)) {
            JobQuestions questions = new JobQuestions(link, answers, context.nanoClock());
            link.listen(event -> handle(event, nodes.leader(), questions));
            link.send(new LocalEvent.Here(""));
            gathered.completeOnTimeout(Optional.empty(), settings.patience().toNanos(), TimeUnit.NANOSECONDS);
            await(nodes.leads() ? gathered : end);
            int code = nodes.leads() ? lead(link, questions, isJson) : follow();
            link.send(new LocalEvent.Left(code));
            return code;
        }
    }

    private void handle(LinkEvent event, String leader, JobQuestions questions) {
        questions.handle(event);
        if (event instanceof LinkEvent.Begin) {
            gathered.complete(Optional.empty());
        } else if (event instanceof LinkEvent.Decided decided) {
            end.complete(decided.end());
        } else if (event instanceof LinkEvent.Stop stop) {
            gathered.complete(Optional.of(stop.end()));
            // If another node ends, the leader's question may still come.
            Optional.of(stop.end())
                    .filter(told -> told.launcher().equals(leader))
                    .ifPresent(end::complete);
        }
    }

    private int lead(Link link, JobQuestions questions, boolean isJson) throws InterruptedException {
        long asked = context.clock().millis();
        List<NodeAnswer> answers = NodeAnswer.of(questions.askJob(KIND, Map.of(), TO_ANSWER));
        double error = (context.clock().millis() - asked) / 2.0;
        List<String> nodes = answers.stream().map(NodeAnswer::node).toList();
        DoctorReport report = new DoctorReport(context.console(), nodes, new LinkedHashMap<>());
        gathered.getNow(Optional.empty())
                .ifPresent(why -> report.add(Finding.of("meeting", why.where(), why.reason()), nodes));
        answers.forEach(answer -> add(report, answer, asked + error, error));
        report.compare();
        int code = report.write(isJson);
        JobEnd told =
                JobEnd.of(JobEnd.Kind.OUTCOME, link.own().orElse(""), Optional.empty(), code, "the job would fail");
        link.send(new LocalEvent.Over(told, context.nanoClock().getAsLong()));
        await(end);
        // Another node may have ended the meeting meanwhile.
        return code == 0 ? follow() : code;
    }

    /** @param now the time of the answer, in milliseconds on this clock, plus or minus the error */
    private static void add(DoctorReport report, NodeAnswer answer, double now, double error) {
        List<String> node = List.of(answer.node());
        answer.problem().ifPresent(problem -> report.add(Finding.of("node.missing", problem), node));
        answer.objects("findings").forEach(entry -> report.add(Json.toRecord(entry, Finding.class), node));
        if (answer.content().get("clock") instanceof Long there) {
            String key = Math.abs(there - now) < SECOND + error ? "clock.alike" : "clock.apart";
            report.add(Finding.of(key, (there - now) / SECOND, error / SECOND, 1 + 2 * error / SECOND), node);
        }
    }

    private int follow() {
        JobEnd told = Optional.ofNullable(end.getNow(null)).orElseThrow(StoppedException::new);
        if (told.exitCode() != 0) {
            context.console().say("exit " + told.exitCode() + ": " + told.where() + ": " + told.reason());
        }
        return told.exitCode();
    }

    /** Waits for the future, or for a stop signal. */
    private void await(CompletableFuture<?> future) {
        while (!future.isDone() && context.signals().sleep(LOOK)) {
            // Check again.
        }
    }
}
