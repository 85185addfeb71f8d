package dev.muster.runtime.report;

import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.LogPlace;
import dev.muster.runtime.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Tells the verdict: to people on the console, to machines in the result file, to Kubernetes in its own. */
public final class VerdictWriter {

    private final Consumer<String> say;
    private final Consumer<String> warn;
    private final Clock clock;
    private final TerminationLog terminationLog;

    public VerdictWriter(Consumer<String> say, Consumer<String> warn, Clock clock, TerminationLog terminationLog) {
        this.say = say;
        this.warn = warn;
        this.clock = clock;
        this.terminationLog = terminationLog;
    }

    /** @return the exit code that the verdict means */
    public int write(NodeRun run, Verdict verdict, Map<String, LogReport> logs, ExitCodes codes) {
        int exitCode = codes.of(verdict.cause());
        Instant endedAt = clock.instant();
        writeResult(
                run,
                number -> JsonWriter.write(ResultDocument.of(run, number, verdict, exitCode, logs, endedAt))
                        .getBytes(StandardCharsets.UTF_8));
        List<String> lines = VerdictText.lines(verdict, exitCode, logs);
        lines.forEach(say);
        terminationLog.write(lines);
        return exitCode;
    }

    private void writeResult(NodeRun run, IntFunction<byte[]> content) {
        try (LogPlace place = LogPlace.at(run.logDirectory())) {
            try {
                run.resultFile(place.reached()).write(content);
            } catch (FileException refused) {
                warn.accept("no result file: " + place.named(String.valueOf(refused.getMessage())));
            }
        } catch (FileException foreign) {
            warn.accept("no result file: " + foreign.getMessage());
        }
    }
}
