package dev.muster.runtime.output;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Takes the output of all processes of a run to log files and console. */
public final class OutputHub {

    private final Console console;
    /** The line between two runs in a log file. */
    private final String separator;

    private final ConsoleStyle style;
    private final @Nullable TimeStamp stamp;
    private final LineFold fold;
    private final Pump pump;
    private final Map<String, ProcessOutput> outputs = Collections.synchronizedMap(new LinkedHashMap<>());

    /** @param run the name of this run, for the separator line in log files */
    public OutputHub(Console console, String run, ConsoleStyle style) throws IOException {
        this.console = console;
        this.style = style;
        this.stamp = style.clock().map(TimeStamp::new).orElse(null);
        this.fold = new LineFold(console, stamp, System::nanoTime);
        this.separator = "---- muster: run " + run + ", " + Instant.now() + " ----";
        pump = new Pump(console::warn, fold);
    }

    /** Prepares for the output of a process that is about to be started. */
    public ProcessOutput open(StreamSpec spec) throws IOException {
        @Nullable LogFile log = spec.logFile()
                .map(path -> new LogFile(path, spec.name(), separator, stamp, console::warn))
                .orElse(null);
        ProcessOutput output = new ProcessOutput(spec, OutputPipe.open(), log, lines(spec), style.shows(spec));
        pump.add(output);
        outputs.put(spec.id(), output);
        return output;
    }

    private ConsoleLines lines(StreamSpec spec) {
        LineFormatter lines = new LineFormatter(spec.prefix(), console, stamp);
        return style.isFolded() && spec.rank().isPresent() && style.shows(spec)
                ? new FoldedLines(fold, spec.rank().getAsInt(), spec.prefix(), lines)
                : lines;
    }

    /**
     * Waits until all processes have closed their output, then closes it. After that all output is in the log files.
     *
     * @param limit the longest wait; descendants of a process may outlive it and keep its output open
     * @return ids of processes whose output was still open at the limit
     */
    public List<String> drain(Duration limit) throws InterruptedException {
        return pump.stop(limit.toNanos()).stream()
                .map(output -> output.spec().id())
                .toList();
    }

    /** What a process has printed last; empty for a process without output. */
    public String last(String id) {
        return find(id).map(ProcessOutput::last).orElse("");
    }

    /** When a process printed last, as {@link System#nanoTime()}; empty: never. */
    public OptionalLong printedAt(String id) {
        // A rank without its own output prints through its host process.
        return find(id).map(ProcessOutput::printedAt)
                .orElseGet(() -> List.copyOf(outputs.values()).stream()
                        .flatMapToLong(output -> output.printedAt().stream())
                        .max());
    }

    /** What a rank of a host process printed last; empty if the rank prints through the host process. */
    public Optional<String> lastOfRank(int rank) {
        return find(StreamSpec.idOfRank(rank)).map(ProcessOutput::last);
    }

    /** Whether the process's output is complete in {@link #last}. */
    public boolean hasEnded(String id) {
        return find(id).map(ProcessOutput::hasEnded).orElse(true);
    }

    /** The stop of the hosted ranks begins. Later output does not explain why one of them failed. */
    public void markStop() {
        outputs.forEach((id, output) -> output.markStop());
    }

    /** What a process had printed last when {@link #markStop} was called; empty if it was not called. */
    public String lastBeforeStop(String id) {
        return find(id).map(ProcessOutput::lastBeforeStop).orElse("");
    }

    /** Where each output went, by process id. Call it after {@link #drain}. */
    public Map<String, LogReport> reports() {
        Map<String, LogReport> reports = new HashMap<>();
        outputs.forEach((id, output) -> reports.put(id, output.report()));
        return reports;
    }

    private Optional<ProcessOutput> find(String id) {
        return Optional.ofNullable(outputs.get(id));
    }
}
