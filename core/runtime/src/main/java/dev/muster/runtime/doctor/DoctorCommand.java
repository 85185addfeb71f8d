package dev.muster.runtime.doctor;

import dev.muster.runtime.cli.DoctorRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.launch.LaunchContext;
import dev.muster.runtime.launch.LaunchProbe;
import dev.muster.runtime.platform.MachineFiles;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Printable;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** {@code muster doctor}: looks whether a job can run on this node. Writes and starts nothing of the job. */
public final class DoctorCommand {

    /** Nobody can have installed Muster before. */
    private static final Instant FIRST_RELEASE = Instant.parse("2025-01-01T00:00:00Z");

    /** All checks, in the order of the report. Each looks at one subject of a node, and changes nothing. */
    private static final List<Function<NodeFacts, Stream<Finding>>> CHECKS = List.of(
            LaunchCheck::findings,
            ProgramsCheck::findings,
            ScriptCheck::findings,
            CardsCheck::findings,
            LimitsCheck::findings,
            PlacesCheck::findings,
            node -> Stream.of(Finding.of(node.now().isBefore(FIRST_RELEASE) ? "clock.past" : "clock", node.now())),
            NetworkCheck::findings,
            VariablesCheck::findings);

    private final LaunchContext context;

    @Inject
    public DoctorCommand(LaunchContext context) {
        this.context = context;
    }

    /** @return 0, or 78 where the job would fail */
    public int run(DoctorRequest request) {
        DoctorReport report = new DoctorReport(findings(request), context.console()::masked);
        boolean isJson =
                request.settings().text(OptionTable.FORMAT).orElseThrow().equals("json");
        if (!StandardOutput.write(isJson ? report.json() : report.text())) {
            return ExitCode.UNAVAILABLE.code();
        }
        if (report.exitCode() != 0) {
            context.console()
                    .say("exit " + report.exitCode() + ": the job would fail on this node: " + report.summary());
        }
        return report.exitCode();
    }

    /** What is to be done stands last, where a terminal shows it. */
    private List<Finding> findings(DoctorRequest request) {
        LaunchProbe.Result launch = new LaunchProbe(context, request).look();
        CommandRunner commands = context.commands().with(launch.environment());
        MachineFiles files = new MachineFiles(Path.of("/"));
        long pid = context.processInfo().pid();
        NodeFacts node = new NodeFacts(
                request, launch, commands, files, pid, context.clock().instant());
        return CHECKS.stream()
                .flatMap(check -> check.apply(node))
                .distinct()
                .sorted(Comparator.comparing(Finding::level))
                .toList();
    }

    /**
     * What was found on a node, for people and for machines.
     *
     * @param mask hides secrets
     */
    private record DoctorReport(List<Finding> findings, UnaryOperator<String> mask) {

        /** As {@code docs/doctor.schema.json} has it. */
        private record Document(int exitCode, List<Entry> findings) {}

        private record Entry(String level, String subject, String found, String advice) {

            String text() {
                return advice.isEmpty() ? found : found + ". " + advice;
            }
        }

        int exitCode() {
            return count(Finding.Level.WRONG) > 0 ? ExitCode.CONFIGURATION.code() : 0;
        }

        private long count(Finding.Level level) {
            return findings.stream().filter(finding -> finding.level() == level).count();
        }

        /** Such as {@code 14 ok, 1 warning, 2 wrong}. */
        String summary() {
            long warnings = count(Finding.Level.WARNING);
            return count(Finding.Level.OK) + " ok, " + warnings + (warnings == 1 ? " warning, " : " warnings, ")
                    + count(Finding.Level.WRONG) + " wrong";
        }

        String text() {
            List<List<String>> rows = findings.stream()
                    .map(this::entry)
                    .map(entry -> List.of(entry.level, entry.subject, entry.text()))
                    .toList();
            return Columns.align(rows) + summary() + "\n";
        }

        String json() {
            return Json.indented(
                    new Document(exitCode(), findings.stream().map(this::entry).toList()));
        }

        private Entry entry(Finding finding) {
            return new Entry(
                    finding.level().name().toLowerCase(Locale.ROOT),
                    shown(finding.subject()),
                    shown(finding.found()),
                    shown(finding.advice()));
        }

        private String shown(String text) {
            return Printable.escape(mask.apply(text));
        }
    }
}
