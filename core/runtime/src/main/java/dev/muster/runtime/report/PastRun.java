package dev.muster.runtime.report;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run in place of a job, as its result tells of it when others have followed.
 *
 * @param document for machines
 */
public record PastRun(Map<String, Object> document) {

    /** Of a failure only what tells failures from one another; the result has the whole of the last one. */
    private static final List<String> OF_FAILURE = List.of("process", "rank", "node", "pid", "signal", "signalName");

    /**
     * A run that has ended.
     *
     * @param number its number, from 1
     * @param exitCode with which the launcher would have ended then
     */
    public static PastRun of(
            int number,
            Instant startedAt,
            Verdict verdict,
            int exitCode,
            Map<String, LogReport> logs,
            Instant endedAt) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("attempt", (long) number);
        run.put("startedAt", startedAt.toString());
        run.put("decidedAt", endedAt.minus(verdict.age()).toString());
        run.put("endedAt", endedAt.toString());
        run.put("durationMs", verdict.duration().toMillis());
        run.put("kind", verdict.cause().kind());
        run.put("exitCode", (long) exitCode);
        run.put("exitCodeFrom", verdict.cause().source());
        run.put("reason", VerdictText.reason(verdict.remarked(""), logs));
        Optional<Map<String, Object>> failure =
                VerdictDocument.firstFailure(verdict, new FailureText(verdict, logs), logs);
        failure.ifPresent(
                first -> OF_FAILURE.stream().filter(first::containsKey).forEach(key -> run.put(key, first.get(key))));
        return new PastRun(run);
    }
}
