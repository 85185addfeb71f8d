package dev.muster.runtime.report;

import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.text.Printable;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * Tells the verdict: to people on the console, to machines in the result file, to Kubernetes in its own.
 *
 * @param mask takes secrets out of a text
 * @param hang where ranks stood when the job hung; empty: it never did
 */
public record VerdictWriter(
        Consumer<String> say,
        Consumer<String> warn,
        UnaryOperator<String> mask,
        Clock clock,
        TerminationLog terminationLog,
        ReportPage page,
        Map<String, ?> hang) {

    /**
     * A run in place that has just ended, for {@link #write}.
     *
     * @param number its number, from 1
     */
    public Map<String, Object> attempt(
            int number, Instant startedAt, Verdict verdict, ExitCodes codes, Map<String, LogReport> logs) {
        return ResultDocument.attempt(number, startedAt, verdict, codes.of(verdict.cause()), logs, clock.instant());
    }

    /**
     * Tells the verdict of a job that may have had several runs in place.
     *
     * @param runs in their order; the last is the one of the verdict, or the one before the end
     * @return the exit code that the verdict means
     */
    public int write(
            NodeRun run,
            Verdict verdict,
            Map<String, LogReport> logs,
            ExitCodes codes,
            List<Map<String, Object>> runs) {
        int exitCode = codes.of(verdict.cause());
        Optional<Path> written = writeFiles(run, verdict, logs, exitCode, runs);
        // Before the verdict, which ends what is said.
        written.ifPresent(file -> say.accept("report: " + Printable.escape(file.toString())));
        List<String> lines = VerdictText.lines(verdict, exitCode, logs);
        int last = lines.size() - 1;
        lines.subList(0, last).forEach(say);
        if (exitCode == 0) {
            places(run).ifPresent(say);
        }
        say.accept(lines.get(last));
        terminationLog.write(lines);
        return exitCode;
    }

    /** Where everything of a good run is; of others the verdict itself says it. */
    private static Optional<String> places(NodeRun run) {
        Path directory = run.logDirectory();
        Path result = directory.resolve(NodeRun.resultFileName(run.jobId(), run.planName(), run.nodeName()));
        return Optional.of("logs: " + directory + "; result: " + result)
                .filter(told -> Files.isRegularFile(result, LinkOption.NOFOLLOW_LINKS))
                .map(Printable::escape);
    }

    /**
     * Tells it to machines only: whoever calls tells people.
     *
     * @return the page, where one was written
     */
    public Optional<Path> writeFiles(
            NodeRun run, Verdict verdict, Map<String, LogReport> logs, int exitCode, List<Map<String, Object>> runs) {
        if (runs.isEmpty() && Files.notExists(run.logDirectory())) {
            // The job was refused, elsewhere, before anything here had a log.
            return Optional.empty();
        }
        Instant endedAt = clock.instant();
        Map<String, Object> written = new LinkedHashMap<>();
        boolean isWritten = writeResult(run, number -> {
            written.putAll(
                    Json.withTexts(ResultDocument.of(run, number, verdict, exitCode, logs, endedAt, runs), mask));
            if (!hang.isEmpty()) {
                written.put("hang", Json.withTexts(hang, mask));
            }
            return Json.indented(written);
        });
        return isWritten && page.isWanted(exitCode) ? writePage(run, written, logs) : Optional.empty();
    }

    /** What is printed may be any text, and there may be much of it: that may cost the page, but nothing else. */
    private Optional<Path> writePage(NodeRun run, Map<String, Object> result, Map<String, LogReport> logs) {
        try {
            return Optional.of(page.write(run, result, logs, mask));
        } catch (FileException refused) {
            warn.accept("no report: " + refused.getMessage());
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError broken) {
            warn.accept("no report: it cannot be made: " + broken.getClass().getSimpleName());
        }
        return Optional.empty();
    }

    /** Whoever has removed or renamed the directory meanwhile has not meant the result, which is looked for where it was named. */
    private boolean writeResult(NodeRun run, IntFunction<String> content) {
        boolean isGone = Files.notExists(run.logDirectory());
        try {
            Directories.makeShared(run.logDirectory());
            if (isGone) {
                warn.accept("the log directory "
                        + Printable.escape(run.logDirectory().toString())
                        + " was not there at the end of the job; it was made again for the result");
            }
            run.resultFile().write(content);
            return true;
        } catch (FileException refused) {
            warn.accept("no result file: " + refused.getMessage());
            return false;
        }
    }
}
