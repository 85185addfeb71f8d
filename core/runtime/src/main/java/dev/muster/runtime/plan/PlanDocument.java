package dev.muster.runtime.plan;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Secrets;
import dev.muster.runtime.text.Sha256;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Plans for machines. {@code docs/plan-format.md} describes the keys; equal plans give equal bytes. */
public final class PlanDocument {

    /** Grows when a key changes its meaning or goes away; new keys may come at any time. */
    private static final int FORMAT = 1;

    private final PlanReport report;
    private final Secrets secrets;
    /** The text of the last file: all nodes of a job often write the same text. */
    private @Nullable String lastText;

    private OptionalInt lastBytes = OptionalInt.empty();
    private Optional<String> lastDigest = Optional.empty();

    PlanDocument(PlanReport report, Secrets secrets) {
        this.report = report;
        this.secrets = secrets;
    }

    /** Writes the plans as JSON piece by piece, each when it is made. */
    public static void write(PlanReport report, Secrets secrets, Consumer<String> out) {
        Json.write(new PlanDocument(report, secrets).all(), out);
    }

    private Map<String, Object> all() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("format", FORMAT);
        document.put("engine", report.engine());
        document.put("grace", Durations.format(report.grace()));
        // There may be thousands of nodes, so no entry is kept.
        document.put("nodes", report.nodes().stream().map(this::node).iterator());
        conda().ifPresent(environment -> document.put("conda", environment));
        document.put("settings", report.settings());
        return document;
    }

    /** One node. */
    Map<String, Object> node(NodePlan nodePlan) {
        LaunchPlan plan = nodePlan.plan();
        Node facts = nodePlan.node();
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("index", facts.index());
        node.put("count", facts.count());
        node.put("planName", plan.name());
        node.put("name", facts.name().map(OptionValue::value));
        node.put("address", facts.address().map(OptionValue::value));
        node.put("platform", new Platform(nodePlan.job().platform().name(), report.platformReason()));
        node.put("job", job(nodePlan.job()));
        node.put("directories", plan.directories());
        node.put("files", plan.files().stream().map(this::file).toList());
        node.put("ports", plan.ports());
        nodePlan.link().ifPresent(link -> node.put("link", link(link)));
        ProcessDocument processes = new ProcessDocument(new Display(plan, secrets), report.grace());
        node.put("processes", plan.processes().stream().map(processes::of).toList());
        node.put("outcome", ProcessDocument.outcome(plan.outcome()));
        node.put("notes", plan.notes().stream().map(this::note).toList());
        return node;
    }

    private record Platform(String name, String reason) {}

    private record NoteEntry(String level, String text) {}

    private NoteEntry note(Note note) {
        return new NoteEntry(note.isWarning() ? "warning" : "info", secrets.hide(note.text()));
    }

    private record FileEntry(String id, String path, OptionalInt bytes, Optional<String> sha256) {}

    private Map<String, Object> job(JobSpec spec) {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("id", spec.id());
        job.put("command", secrets.show(spec.command()));
        job.put("workDirectory", spec.places().workDirectory());
        job.put("workDirectoryPerTask", spec.places().workDirectoryPerTask());
        job.put("logDirectory", spec.places().logDirectory());
        job.put("tableDirectory", spec.places().tableDirectory());
        return job;
    }

    /** Contents are not shown: they can be long, and can hold secrets. */
    @SuppressWarnings("ReferenceEquality") // Comparing two texts takes nearly as long as hashing one.
    private FileEntry file(GeneratedFile file) {
        if (!file.text().isKnown()) {
            return new FileEntry(file.id(), Display.path(file), OptionalInt.empty(), Optional.empty());
        }
        String text = file.content();
        if (text != lastText) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            lastText = text;
            lastBytes = OptionalInt.of(bytes.length);
            lastDigest = Optional.of(Sha256.hex(bytes));
        }
        return new FileEntry(file.id(), Display.path(file), lastBytes, lastDigest);
    }

    private static Map<String, Object> link(LinkPlan link) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("mode", link.mode());
        entry.put("origin", link.origin());
        entry.put("used", link.rendezvous().isPresent());
        link.why().ifPresent(why -> entry.put("why", why));
        link.rendezvous().ifPresent(rendezvous -> entry.putAll(Json.toMap(rendezvous)));
        return entry;
    }

    Optional<ActivatedEnvironment> conda() {
        return report.activated().map(environment -> {
            TreeMap<String, String> set = new TreeMap<>(environment.set());
            set.replaceAll(secrets::show);
            return new ActivatedEnvironment(
                    environment.name(), environment.prefix(), environment.origin(), set, environment.remove());
        });
    }
}
