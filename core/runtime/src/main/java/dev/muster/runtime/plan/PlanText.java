package dev.muster.runtime.plan;

import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Outcome;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.RequiredPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Plans as text for people. Equal plans give equal bytes. */
public final class PlanText {

    private final PlanReport report;
    private final Secrets secrets;
    private final Page page = new Page();
    private final Contents contents = new Contents();

    private PlanText(PlanReport report, Secrets secrets) {
        this.report = report;
        this.secrets = secrets;
    }

    /** Writes one plan after the other, each when it is made. */
    public static void write(PlanReport report, Secrets secrets, Consumer<String> out) {
        PlanText text = new PlanText(report, secrets);
        for (NodePlan node : report.nodes()) {
            text.node(node);
            out.accept(text.page.take());
        }
        text.activated();
        text.settings();
        out.accept(text.page.take());
    }

    static String render(PlanReport report, Secrets secrets) {
        StringBuilder text = new StringBuilder();
        write(report, secrets, text::append);
        return text.toString();
    }

    private void node(NodePlan nodePlan) {
        page.title("Plan of " + title(nodePlan.node(), nodePlan.plan().name()));
        head(nodePlan);
        LaunchPlan plan = nodePlan.plan();
        Display display = new Display(plan, secrets);
        notes(plan);
        directories(plan);
        files(plan);
        ports(plan);
        nodePlan.link().ifPresent(this::link);
        page.section("Processes (" + plan.processes().size() + ")");
        new ProcessText(page, display, report.grace(), report.nodes().size() > 1).write(plan.processes());
        outcome(plan.outcome());
    }

    private static String title(Node node, Optional<String> name) {
        if (node.index().isEmpty()) {
            return name.orElse("this node");
        }
        String index = "node " + node.index().getAsInt();
        String position =
                node.count().isEmpty() ? index : index + " of " + node.count().getAsInt();
        return name.isEmpty() ? position : name.get() + " (" + position + ")";
    }

    private void head(NodePlan nodePlan) {
        JobSpec job = nodePlan.job();
        JobDirectories places = job.places();
        List<Page.Row> rows = new ArrayList<>();
        rows.add(Page.row("Engine:", report.engine()));
        rows.add(Page.row("Platform:", job.platform().name(), "(" + report.platformReason() + ")"));
        rows.add(Page.row("Job:", job.id()));
        rows.addAll(named("Name:", nodePlan.node().name()));
        rows.addAll(named("Address:", nodePlan.node().address()));
        rows.add(Page.row("Command:", ShellWords.join(secrets.show(job.command()))));
        rows.add(Page.row(
                "Work:",
                places.workDirectory(),
                places.workDirectoryPerTask() ? "(a directory in it for each task)" : ""));
        rows.add(Page.row("Logs:", places.logDirectory()));
        rows.add(Page.row("Tables:", places.tableDirectory().orElse("a private temporary directory")));
        rows.add(Page.row("Grace:", Durations.format(report.grace()), "(between TERM and KILL)"));
        if (job.restarts() > 0) {
            rows.add(Page.row("Restarts:", Integer.toString(job.restarts()), "(at most, in place)"));
        }
        page.fields(rows);
    }

    private static List<Page.Row> named(String label, Optional<OptionValue> value) {
        if (value.isEmpty()) {
            return List.of();
        }
        return List.of(Page.row(label, value.get().value(), "(" + value.get().origin() + ")"));
    }

    private void notes(LaunchPlan plan) {
        if (plan.notes().isEmpty()) {
            return;
        }
        page.section("Notes");
        for (Note note : plan.notes()) {
            page.line(1, (note.isWarning() ? "warning: " : "") + Printable.escape(note.text()));
        }
    }

    private void directories(LaunchPlan plan) {
        page.section("Directories to make (" + plan.directories().size() + ")");
        List<Page.Row> rows = new ArrayList<>();
        for (RequiredDirectory directory : plan.directories()) {
            rows.add(Page.row(directory.path(), directory.purpose(), directory.required() ? "" : "(optional)"));
        }
        page.table(rows);
    }

    private void files(LaunchPlan plan) {
        page.section("Files to write (" + plan.files().size() + ")");
        List<Page.Row> rows = new ArrayList<>();
        for (GeneratedFile file : plan.files()) {
            String unknown = Display.unknown(file);
            rows.add(
                    unknown.isEmpty()
                            ? Page.row(
                                    Display.path(file),
                                    contents.size(file) + " bytes",
                                    "sha256 " + contents.sha256(file))
                            : Page.row(Display.path(file), unknown));
        }
        page.table(rows);
    }

    private void ports(LaunchPlan plan) {
        if (plan.ports().isEmpty()) {
            return;
        }
        page.section("Ports that must be free (" + plan.ports().size() + ")");
        for (RequiredPort port : plan.ports()) {
            page.line(
                    1,
                    "port " + port.port()
                            + port.host()
                                    .map(host -> " of " + Printable.escape(host))
                                    .orElse("") + " for " + Printable.escape(port.purpose()) + " ("
                            + Printable.escape(port.origin()) + ")");
        }
    }

    private void link(LinkPlan link) {
        page.section("Link between the launchers");
        List<Page.Row> rows = new ArrayList<>();
        boolean isNeeded = link.meeting().filter(LinkPlan.Meeting::required).isPresent();
        rows.add(Page.row("Mode:", link.mode(), "(" + link.origin() + (isNeeded ? "; needed)" : ")")));
        link.why().ifPresent(why -> rows.add(Page.row("Off:", why)));
        link.meeting().ifPresent(meeting -> {
            rows.add(Page.row("This one:", meeting.own()));
            rows.add(Page.row(
                    "Leader:",
                    meeting.leader(),
                    meeting.leaderHost().map(host -> "at " + host).orElse("")));
            rows.add(Page.row(
                    "Ports:",
                    meeting.ports().stream().map(port -> Integer.toString(port)).collect(Collectors.joining(", ")),
                    "(" + meeting.portsOrigin() + ")"));
            rows.add(Page.row("Key:", meeting.key()));
            meeting.equal().forEach((what, here) -> rows.add(Page.row("Equal:", what + " = " + here)));
        });
        page.fields(1, rows);
    }

    private void outcome(Outcome outcome) {
        page.section("Outcome");
        String ofTasks = "The job succeeds when all tasks have ended with 0.";
        page.line(
                1,
                outcome.followsLeader()
                        ? "This node serves the others: it ends when the launcher that leads says that the job ended, with"
                                + " the job's exit code."
                        : outcome.cases().isEmpty() ? ofTasks : "The first of these ends the job:");
        for (Outcome.Case one : outcome.cases()) {
            page.line(
                    2,
                    "exit code " + one.exitCode() + " " + ProcessText.when(one.when()) + ": "
                            + Printable.escape(one.reason()));
        }
        page.line(1, "The first task or service that fails ends the job with its exit code.");
    }

    private void activated() {
        report.activated().ifPresent(environment -> {
            page.title("Conda environment");
            page.fields(List.of(
                    Page.row("Name:", environment.name(), "(" + environment.origin() + ")"),
                    Page.row("Prefix:", environment.prefix())));
            page.section(
                    "Variables that its activation sets (" + environment.set().size() + ")");
            List<Page.Row> rows = new ArrayList<>();
            environment.set().forEach((name, value) -> rows.add(Page.row(name, "= " + secrets.show(name, value))));
            environment.removed().forEach(name -> rows.add(Page.row(name, "is taken away")));
            page.table(rows);
        });
    }

    private void settings() {
        if (report.settings().isEmpty()) {
            return;
        }
        page.title("Settings");
        List<Page.Row> rows = new ArrayList<>();
        for (Setting setting : report.settings()) {
            rows.add(Page.row(setting.name(), "= " + Display.setting(setting, secrets), "(" + setting.origin() + ")"));
        }
        page.table(rows);
    }
}
