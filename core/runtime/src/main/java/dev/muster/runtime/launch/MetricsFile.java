package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.files.AtomicFile;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.platform.ResolvedJob;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The file of {@code --metrics-file}: what this launcher does now, in the text format of Prometheus. The launcher writes it anew at each
 * change. If it cannot be written, the job goes on.
 */
final class MetricsFile {

    /** What the launcher can be doing. */
    private static final List<String> STATES = List.of("preparing", "running", "ended");

    private final LaunchContext context;
    private final Optional<Path> file;
    private final Instant startedAt;
    private final LaunchRequest request;
    private String state = "preparing";
    private int ranks;
    private int restarts;
    private Optional<Duration> untilFirstRank = Optional.empty();
    private OptionalInt exitCode = OptionalInt.empty();
    private boolean isRefused;

    @Inject
    MetricsFile(LaunchContext context, LaunchRequest request) {
        this.context = context;
        this.request = request;
        file = request.resolved().settings().path(OptionTable.METRICS_FILE);
        startedAt = request.startedAt();
    }

    /** An attempt begins; it waits for its inputs and for other nodes. */
    void preparing(int earlierAttempts) {
        restarts = earlierAttempts;
        change("preparing", 0);
    }

    /** All ranks of this node have started. */
    void running(int started) {
        untilFirstRank = untilFirstRank.or(
                () -> Optional.of(Duration.between(startedAt, context.clock().instant())));
        change("running", started);
    }

    void ended(int code) {
        exitCode = OptionalInt.of(code);
        change("ended", 0);
    }

    private void change(String next, int running) {
        state = next;
        ranks = running;
        file.filter(path -> !isRefused).ifPresent(this::write);
    }

    private void write(Path path) {
        try {
            Path directory = path.resolveSibling("").toAbsolutePath();
            AtomicFile.writeForAll(directory, String.valueOf(path.getFileName()), text());
        } catch (FileException refused) {
            isRefused = true;
            context.console().warn("no metrics: " + refused.getMessage());
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        add(text, "info", "What this launcher runs.", List.of(info()));
        add(text, "state", "1 for what the launcher does now.", states());
        add(text, "ranks", "Ranks and services that run on this node.", ranks);
        add(text, "restarts_total", "How often the job has started again in place.", restarts);
        add(text, "start_time_seconds", "When the launcher started, since 1970.", startedAt.toEpochMilli() / 1e3);
        untilFirstRank.ifPresent(
                time -> add(text, "first_rank_seconds", "From then until all ranks ran.", time.toMillis() / 1e3));
        exitCode.ifPresent(code -> {
            add(text, "exit_code", "What the launcher ended with.", code);
            add(
                    text,
                    "end_time_seconds",
                    "When it ended, since 1970.",
                    context.clock().millis() / 1e3);
        });
        return text.toString();
    }

    private String labels() {
        ResolvedJob resolved = request.resolved();
        return "job=" + quoted(resolved.jobId()) + ",node=" + quoted(RunReporter.nodeName(resolved));
    }

    private String info() {
        String engine = request.invocation().engine().descriptor().id();
        String platform = request.resolved().platform().name();
        return labels() + ",engine=" + quoted(engine) + ",platform=" + quoted(platform) + "} 1";
    }

    private List<String> states() {
        return STATES.stream()
                .map(each -> labels() + ",state=" + quoted(each) + "} " + (each.equals(state) ? 1 : 0))
                .toList();
    }

    private void add(StringBuilder text, String name, String help, Number value) {
        String number =
                value instanceof Double ? String.format(Locale.ROOT, "%.3f", value.doubleValue()) : value.toString();
        add(text, name, help, List.of(labels() + "} " + number));
    }

    private static void add(StringBuilder text, String name, String help, List<String> samples) {
        String metric = "muster_" + name;
        String type = name.endsWith("_total") ? "counter" : "gauge";
        text.append("# HELP ").append(metric).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(metric).append(' ').append(type).append('\n');
        samples.forEach(sample -> text.append(metric).append('{').append(sample).append('\n'));
    }

    private String quoted(String value) {
        String safe = context.console().masked(value);
        return '"' + safe.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
