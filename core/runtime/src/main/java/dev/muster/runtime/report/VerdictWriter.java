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
 * Reports the verdict: to people on the console, to machines in the result file, to Kubernetes in the termination log.
 *
 * @param mask takes secrets out of a text
 * @param hang where the ranks stood when the job hung; empty: it did not hang
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
     * An attempt that has just ended, for {@link #write}.
     *
     * @param number its number, from 1
     */
    public Map<String, Object> attempt(
            int number, Instant startedAt, Verdict verdict, ExitCodes codes, Map<String, LogReport> logs) {
        return ResultDocument.attempt(number, startedAt, verdict, codes.of(verdict.cause()), logs, clock.instant());
    }

    /**
     * Reports the verdict of a job that may have had several attempts.
     *
     * @param runs in their order; the last is the verdict's own, or the one before the end
     * @return the exit code of the verdict
     */
    public int write(
            NodeRun run,
            Verdict verdict,
            Map<String, LogReport> logs,
            ExitCodes codes,
            List<Map<String, Object>> runs) {
        int exitCode = codes.of(verdict.cause());
        Optional<Path> written = writeFiles(run, verdict, logs, exitCode, runs);
        // The verdict must be the last output.
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

    /** Where the files of a successful run are. Other verdicts say it themselves. */
    private static Optional<String> places(NodeRun run) {
        Path directory = run.logDirectory();
        Path result = directory.resolve(NodeRun.resultFileName(run.jobId(), run.planName(), run.nodeName()));
        return Optional.of("logs: " + directory + "; result: " + result)
                .filter(told -> Files.isRegularFile(result, LinkOption.NOFOLLOW_LINKS))
                .map(Printable::escape);
    }

    /**
     * Writes the verdict for machines only. The caller tells people.
     *
     * @return the page, if one was written
     */
    public Optional<Path> writeFiles(
            NodeRun run, Verdict verdict, Map<String, LogReport> logs, int exitCode, List<Map<String, Object>> runs) {
        if (runs.isEmpty() && Files.notExists(run.logDirectory())) {
            // Another node refused the job before this node had a log.
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

    /** The page quotes output of any form and size. A failure here must cost only the page. */
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

    /** Writes the result. If the log directory is gone, it is made again: users look for the result there. */
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
