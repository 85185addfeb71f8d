package dev.muster.runtime.report;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.memory.MemoryKills;
import dev.muster.runtime.output.LogReport;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The verdict for people: a few lines, the last one always {@code exit CODE: REASON}. */
public final class VerdictText {

    /** Why the end of a process counts as a stop. */
    public static final String NOT_OURS = "the launcher had not sent this SIGTERM";

    /** A stop within this time is not mentioned. */
    private static final Duration QUICK = Duration.ofSeconds(1);

    private VerdictText() {}

    /** The lines, without a prefix. */
    public static List<String> lines(Verdict verdict, int exitCode, Map<String, LogReport> logs) {
        return lines(verdict, "exit " + exitCode + ": ", logs);
    }

    /** The lines for a run that another one follows. The last line is {@code run N ended: REASON}. */
    public static List<String> linesOfRun(int number, Verdict verdict, Map<String, LogReport> logs) {
        return lines(verdict, "run " + number + " ended: ", logs);
    }

    private static List<String> lines(Verdict verdict, String result, Map<String, LogReport> logs) {
        List<String> lines = new ArrayList<>(new FailureText(verdict, logs).lines());
        lines.addAll(OthersText.alsoFailed(verdict));
        if (verdict.cause().kind().equals("stop")) {
            new OthersText(verdict).afterStop().ifPresent(lines::add);
        }
        String reason = reason(verdict, logs);
        memory(verdict, reason).ifPresent(lines::add);
        lines.add(result + reason);
        return lines;
    }

    /** What the kernel killed, unless the reason says so. A job may succeed although the kernel killed a helper. */
    private static Optional<String> memory(Verdict verdict, String reason) {
        return verdict.memory().flatMap(MemoryKills::note).filter(note -> !reason.contains(MemoryKills.KILLER));
    }

    /** Why the job ended as it did, in one line. */
    static String reason(Verdict verdict, Map<String, LogReport> logs) {
        String reason = withoutRemark(verdict, logs);
        return verdict.remark().isEmpty() ? reason : reason + "; " + verdict.remark();
    }

    private static String withoutRemark(Verdict verdict, Map<String, LogReport> logs) {
        if (verdict.cause() instanceof Cause.OfProcess ended) {
            return endOf(ended, durationOf(ended.process(), verdict)) + logOf(ended.process(), verdict, logs);
        }
        if (verdict.cause() instanceof Cause.Interrupted interrupted) {
            return verdict.planName().map(name -> name + " was ").orElse("") + stop(interrupted, verdict);
        }
        if (verdict.cause() instanceof Cause.Elsewhere elsewhere) {
            return elsewhere(elsewhere.end());
        }
        return verdict.cause() instanceof Cause.Stated stated
                ? stated.reason()
                : succeeded(verdict) + after(verdict.duration());
    }

    /**
     * The end of a process, without its log.
     *
     * @param ran how long it ran; empty: unknown
     */
    public static String endOf(Cause.OfProcess ended, Optional<Duration> ran) {
        String stop = ended instanceof Cause.StoppedFromOutside ? "; " + NOT_OURS + ", so the job was stopped" : "";
        return name(ended.process(), ended.pid()) + " "
                + ended.termination().predicate() + ran.map(VerdictText::after).orElse("")
                + ended.reason().map(reason -> ": " + reason).orElse("") + stop;
    }

    /** The text of a stop: how long the processes had run, and how long the stop took. */
    private static String stop(Cause.Interrupted interrupted, Verdict verdict) {
        Optional<Duration> ran = verdict.processes().stream()
                .filter(report -> !report.isOfEarlierRun())
                .map(report -> report.duration().plus(report.age()).minus(verdict.age()))
                .max(Comparator.naturalOrder())
                .filter(duration -> !duration.isNegative());
        boolean isLong = verdict.age().compareTo(QUICK) >= 0;
        return endOf(interrupted, ran) + (isLong ? "; the stop took " + seconds(verdict.age()) : "");
    }

    /**
     * A stop of the launcher, by signal or time limit.
     *
     * @param ran how long its processes had run; empty: none ran
     */
    public static String endOf(Cause.Interrupted interrupted, Optional<Duration> ran) {
        return "stopped by " + interrupted.signal().title()
                + ran.map(VerdictText::after).orElse("");
    }

    /** An end on another node, with the node's name and without the exit code. */
    static String elsewhere(JobEnd end) {
        return brief(end)
                + end.log().map(log -> "; its log is " + log + " on that node").orElse("");
    }

    /** The same without its log. */
    public static String brief(JobEnd end) {
        return end.where() + ": " + end.reason();
    }

    private static String succeeded(Verdict verdict) {
        List<ProcessSpec> tasks = verdict.processes().stream()
                .map(ProcessReport::spec)
                .filter(spec -> spec instanceof ProcessSpec.Task)
                .toList();
        if (tasks.isEmpty()) {
            return verdict.processes().isEmpty() ? "nothing failed" : byThemselves(verdict.processes());
        }
        boolean isNamed = tasks.size() == 1 && tasks.get(0).placement().isEmpty();
        return (isNamed ? ProcessNames.of(tasks.get(0)) : ProcessNames.count(tasks)) + " succeeded";
    }

    private static String byThemselves(List<ProcessReport> helpers) {
        return helpers.size() == 1
                ? ProcessNames.of(helpers.get(0).spec()) + " ended by itself"
                : helpers.size() + " processes ended by themselves";
    }

    /** The name of a process in a sentence, with its pid if it was started. */
    public static String name(ProcessSpec process, long pid) {
        return ProcessNames.of(process) + (pid > 0 ? " (pid " + pid + ")" : "");
    }

    private static String logOf(ProcessSpec process, Verdict verdict, Map<String, LogReport> logs) {
        return logFile(process, verdict, logs)
                .map(file -> "; its log is " + file)
                .orElse("");
    }

    /** The log of the failed rank, or else of the failed process. */
    static Optional<Path> logFile(ProcessSpec process, Verdict verdict, Map<String, LogReport> logs) {
        Optional<LogReport> ofRank =
                verdict.culprit().flatMap(culprit -> Optional.ofNullable(logs.get("rank-" + culprit.rank())));
        return ofRank.or(() -> Optional.ofNullable(logs.get(process.id()))).flatMap(LogReport::file);
    }

    private static Optional<Duration> durationOf(ProcessSpec process, Verdict verdict) {
        return verdict.processes().stream()
                .filter(report -> report.spec().id().equals(process.id()))
                .map(ProcessReport::duration)
                .findFirst();
    }

    private static String after(Duration duration) {
        return " after " + seconds(duration);
    }

    private static String seconds(Duration duration) {
        long tenths = duration.toMillis() / 100;
        return tenths / 10 + "." + tenths % 10 + " s";
    }
}
