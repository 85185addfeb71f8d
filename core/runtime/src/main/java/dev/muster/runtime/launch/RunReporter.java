package dev.muster.runtime.launch;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.plugins.SpiVersion;
import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.ReportPage;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.report.VerdictWriter;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.supervise.LogDirectoryClaim;
import dev.muster.spi.Node;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports how this node's part of a job ended, and collects the reports of the attempts before. */
final class RunReporter {

    private final LaunchContext context;
    private final LaunchRequest request;
    private final LogDirectoryClaim logs;
    private final QuestionHandlers questions;
    private final List<Map<String, Object>> attempts = new ArrayList<>();
    private Optional<JobAttempt.Ended> last = Optional.empty();
    private int lastNumber;
    private long lastEndedAt;

    /**
     * @param logs the directory for logs
     * @param questions knows whether the job hung
     */
    @Inject
    RunReporter(LaunchContext context, LaunchRequest request, LogDirectoryClaim logs, QuestionHandlers questions) {
        this.questions = questions;
        this.context = context;
        this.request = request;
        this.logs = logs;
    }

    /** Records an attempt that has ended; it may be the last one. */
    void addAttempt(RunCount count, JobAttempt.Ended run) {
        last = Optional.of(run);
        lastNumber = count.run();
        lastEndedAt = context.nanoClock().getAsLong();
        attempts.add(writer().attempt(count.run(), run.startedAt(), run.verdict(), request.codes(), run.logs()));
    }

    /** The attempt that ended last. */
    Optional<JobAttempt.Ended> last() {
        return last;
    }

    int lastNumber() {
        return lastNumber;
    }

    Duration sinceLast() {
        return Duration.ofNanos(context.nanoClock().getAsLong() - lastEndedAt);
    }

    /** @return the exit code of the verdict */
    int report(Verdict verdict, Map<String, LogReport> logs) {
        return writer().write(nodeRun(verdict.planName()), verdict, logs, request.codes(), attempts);
    }

    /** Writes the result files only, and prints nothing. */
    void record(Verdict verdict, Map<String, LogReport> logs) {
        NodeRun run = nodeRun(verdict.planName());
        int exitCode = request.codes().of(verdict.cause());
        writer().writeFiles(run, verdict, logs, exitCode, attempts);
    }

    private VerdictWriter writer() {
        return new VerdictWriter(
                context.console()::say,
                context.console()::warn,
                context.console()::masked,
                context.clock(),
                context.terminationLog(),
                new ReportPage(
                        request.resolved().settings().text(OptionTable.REPORT).orElseThrow(), this::shownOnPage),
                questions.hang());
    }

    private Map<String, Object> shownOnPage() {
        List<Settings.Shown> settings = request.resolved().settings().shown(context.console()::masked);
        return Map.of("version", SpiVersion.ofMuster().orElse("(not packaged)"), "settings", settings);
    }

    private NodeRun nodeRun(Optional<String> planName) {
        ResolvedJob resolved = request.resolved();
        Node node = resolved.node();
        return new NodeRun(
                resolved.jobId(),
                request.invocation().engine().descriptor().id(),
                resolved.platform().name(),
                resolved.platform().explanation(),
                planName,
                nodeName(resolved),
                node.index(),
                node.count(),
                logs.in(Path.of(resolved.places().logDirectory())),
                resolved.startCounts(),
                request.startedAt());
    }

    /** The name of this node in file names. */
    static String nodeName(ResolvedJob resolved) {
        return NodeRun.nodeName(resolved.node().index(), resolved.node().name().map(name -> name.value()));
    }
}
