package dev.muster.runtime.plan;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.RequiredPort;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Plans as JSON for machines. {@code docs/plan-format.md} describes the keys; equal plans give equal bytes. */
public final class PlanJson {

    /** Grows when a key changes its meaning or goes away; new keys may come at any time. */
    private static final long FORMAT = 1;

    private final PlanReport report;
    private final Secrets secrets;
    private final Contents contents = new Contents();

    private PlanJson(PlanReport report, Secrets secrets) {
        this.report = report;
        this.secrets = secrets;
    }

    /** Writes the plans piece by piece, each when it is made. */
    public static void write(PlanReport report, Secrets secrets, Consumer<String> out) {
        Json.write(new PlanJson(report, secrets).document(), out);
    }

    static String render(PlanReport report, Secrets secrets) {
        return Json.indented(new PlanJson(report, secrets).document());
    }

    private Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("format", FORMAT);
        document.put("engine", report.engine());
        document.put("grace", Durations.format(report.grace()));
        document.put("nodes", new Nodes());
        report.activated().ifPresent(environment -> document.put("conda", conda(environment)));
        if (!report.settings().isEmpty()) {
            document.put("settings", settings());
        }
        return document;
    }

    private Map<String, @Nullable Object> node(NodePlan nodePlan) {
        LaunchPlan plan = nodePlan.plan();
        Map<String, @Nullable Object> node = new LinkedHashMap<>();
        Node facts = nodePlan.node();
        node.put("index", number(facts.index()));
        node.put("count", number(facts.count()));
        node.put("planName", plan.name().orElse(null));
        node.put("name", facts.name().map(OptionValue::value).orElse(null));
        node.put("address", facts.address().map(OptionValue::value).orElse(null));
        node.put("platform", platform(nodePlan.job()));
        node.put("job", job(nodePlan));
        node.put("directories", directories(plan));
        node.put("files", files(plan));
        node.put("ports", ports(plan));
        nodePlan.link().ifPresent(link -> node.put("link", link(link)));
        node.put("processes", new ProcessJson(new Display(plan, secrets), report.grace()).processes(plan.processes()));
        node.put("outcome", OutcomeJson.of(plan.outcome()));
        node.put("notes", notes(plan));
        return node;
    }

    private Map<String, @Nullable Object> platform(JobSpec job) {
        Map<String, @Nullable Object> platform = new LinkedHashMap<>();
        platform.put("name", job.platform().name());
        platform.put("reason", report.platformReason());
        return platform;
    }

    private Map<String, @Nullable Object> job(NodePlan nodePlan) {
        JobSpec spec = nodePlan.job();
        Map<String, @Nullable Object> job = new LinkedHashMap<>();
        job.put("id", spec.id());
        job.put("command", secrets.show(spec.command()));
        job.put("workDirectory", spec.places().workDirectory());
        job.put("workDirectoryPerTask", spec.places().workDirectoryPerTask());
        job.put("logDirectory", spec.places().logDirectory());
        job.put("tableDirectory", spec.places().tableDirectory().orElse(null));
        return job;
    }

    private static List<Object> directories(LaunchPlan plan) {
        List<Object> directories = new ArrayList<>();
        for (RequiredDirectory directory : plan.directories()) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("path", directory.path());
            entry.put("purpose", directory.purpose());
            entry.put("required", directory.required());
            directories.add(entry);
        }
        return directories;
    }

    private List<Object> files(LaunchPlan plan) {
        List<Object> files = new ArrayList<>();
        for (GeneratedFile file : plan.files()) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("id", file.id());
            entry.put("path", Display.path(file));
            boolean isKnown = file.text().isKnown();
            entry.put("bytes", isKnown ? Long.valueOf(contents.size(file)) : null);
            entry.put("sha256", isKnown ? contents.sha256(file) : null);
            files.add(entry);
        }
        return files;
    }

    private static List<Object> ports(LaunchPlan plan) {
        List<Object> ports = new ArrayList<>();
        for (RequiredPort port : plan.ports()) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("port", (long) port.port());
            entry.put("purpose", port.purpose());
            entry.put("origin", port.origin());
            port.host().ifPresent(host -> entry.put("host", host));
            ports.add(entry);
        }
        return ports;
    }

    private static Map<String, @Nullable Object> link(LinkPlan link) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("mode", link.mode());
        entry.put("origin", link.origin());
        entry.put("used", link.meeting().isPresent());
        link.why().ifPresent(why -> entry.put("why", why));
        link.meeting().ifPresent(meeting -> {
            entry.put("required", meeting.required());
            entry.put("own", meeting.own());
            entry.put("leader", meeting.leader());
            entry.put("leaderHost", meeting.leaderHost().orElse(null));
            entry.put("ports", meeting.ports().stream().map(Integer::longValue).toList());
            entry.put("key", meeting.key());
            entry.put("equal", meeting.equal());
        });
        return entry;
    }

    private static List<Object> notes(LaunchPlan plan) {
        List<Object> notes = new ArrayList<>();
        for (Note note : plan.notes()) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("level", note.isWarning() ? "warning" : "info");
            entry.put("text", note.text());
            notes.add(entry);
        }
        return notes;
    }

    private Map<String, @Nullable Object> conda(ActivatedEnvironment environment) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("name", environment.name());
        entry.put("prefix", environment.prefix());
        entry.put("origin", environment.origin());
        Map<String, @Nullable Object> set = new LinkedHashMap<>();
        environment.set().forEach((name, value) -> set.put(name, secrets.show(name, value)));
        entry.put("set", set);
        entry.put("remove", List.copyOf(environment.removed()));
        return entry;
    }

    private List<Object> settings() {
        List<Object> settings = new ArrayList<>();
        for (Setting setting : report.settings()) {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("name", setting.name());
            entry.put("value", Display.setting(setting, secrets));
            entry.put("origin", setting.origin());
            settings.add(entry);
        }
        return settings;
    }

    private static @Nullable Long number(OptionalInt number) {
        return number.isPresent() ? Long.valueOf(number.getAsInt()) : null;
    }

    /** There may be thousands: none is kept. */
    private final class Nodes extends AbstractList<Object> {

        @Override
        public Object get(int index) {
            return node(report.nodes().get(index));
        }

        @Override
        public int size() {
            return report.nodes().size();
        }
    }
}
