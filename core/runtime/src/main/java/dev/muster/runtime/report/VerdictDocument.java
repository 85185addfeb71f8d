package dev.muster.runtime.report;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.text.Printable;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a node's result says of the end as the verdict for people does. */
final class VerdictDocument {

    /** Of a failure only what tells failures from one another; the result has the whole of the last one. */
    private static final List<String> OF_FAILURE = List.of("process", "rank", "node", "pid", "signal", "signalName");

    private VerdictDocument() {}

    static void addTo(Map<String, Object> document, Verdict verdict, int exitCode, Map<String, LogReport> logs) {
        FailureText failure = new FailureText(verdict, logs);
        document.put("kind", verdict.cause().kind());
        document.put(
                "verdict",
                VerdictText.lines(verdict, exitCode, logs).stream()
                        .map(Printable::escape)
                        .toList());
        firstFailure(failure).ifPresent(first -> document.put("firstFailure", first));
        Map<String, List<String>> others = new OthersText(verdict).groups();
        if (!others.isEmpty()) {
            document.put("others", others);
        }
        FailureText.directoryOf(logs).ifPresent(directory -> document.put("logDirectory", directory.toString()));
        failure.nextStep().ifPresent(step -> document.put("nextStep", step));
    }

    static void addTimes(Map<String, Object> document, Instant startedAt, Verdict verdict, Instant endedAt) {
        document.put("startedAt", startedAt.toString());
        document.put("decidedAt", endedAt.minus(verdict.age()).toString());
        document.put("endedAt", endedAt.toString());
        document.put("durationMs", verdict.duration().toMillis());
    }

    static Optional<Map<String, Object>> firstFailure(FailureText failure) {
        Verdict verdict = failure.verdict();
        Map<String, Object> first = new LinkedHashMap<>();
        if (verdict.cause() instanceof Cause.ProcessFailed failed) {
            ofProcess(first, failed, failure);
        } else if (verdict.cause() instanceof Cause.Elsewhere elsewhere
                && elsewhere.end().kind() == JobEnd.Kind.FAILED) {
            elsewhere(first, elsewhere.end());
        } else {
            return Optional.empty();
        }
        verdict.evidence().map(Evidence::words).ifPresent(words -> {
            first.put("lastWords", words.lines());
            words.speaker().ifPresent(speaker -> first.put("lastWordsOf", speaker));
        });
        return Optional.of(first);
    }

    private static void ofProcess(Map<String, Object> first, Cause.ProcessFailed failed, FailureText failure) {
        first.put("process", failed.process().id());
        failure.rank().ifPresent(rank -> first.put("rank", (long) rank));
        Optional<Evidence> known = failure.verdict().evidence();
        known.map(Evidence::node).filter(node -> !node.isEmpty()).ifPresent(node -> first.put("node", node));
        failure.verdict().job().own().ifPresent(launcher -> first.put("launcher", launcher));
        if (failure.pid() > 0) {
            first.put("pid", failure.pid());
        }
        Termination how = failure.end().orElse(failed.termination());
        first.put("ended", how.describe());
        first.put("exitCode", (long) how.exitCode());
        how.signal().ifPresent(number -> signal(first, number));
        known.map(Evidence::command)
                .filter(command -> !command.isEmpty())
                .ifPresent(command -> first.put("command", command));
        Optional.ofNullable(failure.logs().get(failed.process().id()))
                .flatMap(LogReport::file)
                .ifPresent(file -> first.put("log", file.toString()));
    }

    private static void elsewhere(Map<String, Object> first, JobEnd end) {
        first.putAll(Json.toMap(end));
        first.keySet().retainAll(List.of("process", "rank", "launcher", "pid", "exitCode", "log"));
        first.put("node", end.where());
        first.put("ended", end.reason());
        end.signal().ifPresent(number -> signal(first, number));
    }

    private static void signal(Map<String, Object> first, int number) {
        first.put("signal", (long) number);
        first.put("signalName", SignalNames.of(number));
    }

    /**
     * A run in place of a job that has ended, as its result tells of it when others have followed.
     *
     * @param number its number, from 1
     * @param exitCode with which the launcher would have ended then
     */
    static Map<String, Object> attempt(
            int number,
            Instant startedAt,
            Verdict verdict,
            int exitCode,
            Map<String, LogReport> logs,
            Instant endedAt) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("attempt", (long) number);
        addTimes(run, startedAt, verdict, endedAt);
        run.put("kind", verdict.cause().kind());
        run.put("exitCode", (long) exitCode);
        run.put("exitCodeFrom", verdict.cause().source());
        run.put("reason", VerdictText.reason(verdict.remarked(""), logs));
        Optional<Map<String, Object>> failure = firstFailure(new FailureText(verdict, logs));
        failure.ifPresent(
                first -> OF_FAILURE.stream().filter(first::containsKey).forEach(key -> run.put(key, first.get(key))));
        return run;
    }
}
