package dev.muster.runtime.inputs;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.output.WaitReporter.Waiting;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.InputValue;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One wait for all inputs of a plan, in rounds with pauses between them. It can go on again until its deadline. */
final class InputWait {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private final List<Source> open = new ArrayList<>();
    private final Duration deadline;
    private final WaitContext context;
    private final WaitReporter reporter;
    private final Consumer<String> warn;

    private final long start;
    private final Map<String, InputValue> values = new HashMap<>();
    private final Map<Source, ReadAttempt.NotYet> lastAttempts = new LinkedHashMap<>();
    private Duration pause = FIRST_PAUSE;
    private String reported = "";

    InputWait(Duration deadline, WaitContext context, WaitReporter reporter, Consumer<String> warn) {
        this.deadline = deadline;
        this.context = context;
        this.reporter = reporter;
        this.warn = warn;
        this.start = context.nanoTime().getAsLong();
    }

    /** The values of all sources, read anew. */
    Optional<Map<String, InputValue>> run(List<Source> sources) {
        values.clear();
        open.addAll(sources);
        return run(reporter.upTo(deadline));
    }

    private Optional<Map<String, InputValue>> run(Waiting waiting) {
        while (true) {
            // Measured before the looks: an input that becomes ready during them still counts at the deadline.
            Duration elapsed = elapsed();
            readOpen();
            if (open.isEmpty()) {
                reportAwaited("");
                return Optional.of(Map.copyOf(values));
            }
            Duration left = deadline.minus(elapsed);
            if (left.isNegative() || left.isZero()) {
                throw failure(ExitCode.TEMPORARY, "not ready" + afterDeadline(), complaintsAtDeadline());
            }
            waiting.report(this::reasons);
            reportAwaited(open.stream().map(Source::subject).collect(Collectors.joining(", ")));
            if (!context.sleep().test(pause.compareTo(left) < 0 ? pause : left)) {
                return Optional.empty();
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(context.nanoTime().getAsLong() - start);
    }

    /** One look at every input that is not ready. */
    private void readOpen() {
        List<String> refused = new ArrayList<>();
        for (Source source : List.copyOf(open)) {
            ReadAttempt attempt = source.read();
            if (attempt instanceof ReadAttempt.Ready ready) {
                open.remove(source);
                accept(source, ready);
            } else if (attempt instanceof ReadAttempt.NotYet notYet) {
                lastAttempts.put(source, notYet);
            } else if (attempt instanceof ReadAttempt.Refused no) {
                refused.add(source.subject() + " " + no.reason() + source.origin() + ". " + no.advice());
            }
        }
        if (!refused.isEmpty()) {
            throw failure(ExitCode.DATA, "wrong", refused);
        }
    }

    private void accept(Source source, ReadAttempt.Ready ready) {
        ready.value().ifPresent(value -> values.put(source.id(), value));
        ready.warnings().forEach(warn);
        if (lastAttempts.remove(source) != null) {
            reporter.say(source.subject() + " is ready after " + Durations.format(WaitReporter.rounded(elapsed())));
        }
    }

    private String reasons() {
        return lastAttempts.entrySet().stream()
                .map(waiting -> reason(waiting.getKey(), waiting.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String reason(Source source, ReadAttempt.NotYet attempt) {
        String changed = source.changed()
                .map(when -> ", changed at " + when.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        return source.subject() + " " + attempt.reason() + changed + source.origin();
    }

    private void reportAwaited(String what) {
        if (!what.equals(reported)) {
            reported = what;
            context.onAwaited().accept(what);
        }
    }

    private List<String> complaintsAtDeadline() {
        List<String> complaints = new ArrayList<>();
        lastAttempts.forEach((source, attempt) -> complaints.add(source.subject() + " " + attempt.reason()
                + afterDeadline() + source.origin() + ". " + attempt.advice()));
        return complaints;
    }

    private String afterDeadline() {
        return deadline.isZero() ? "" : " after " + Durations.format(deadline);
    }

    private static MusterException failure(ExitCode code, String state, List<String> complaints) {
        if (complaints.size() == 1) {
            return new MusterException(code, complaints.get(0));
        }
        String numbered = IntStream.range(0, complaints.size())
                .mapToObj(index -> (index + 1) + ") " + complaints.get(index))
                .collect(Collectors.joining("; "));
        return new MusterException(code, complaints.size() + " inputs are " + state + ": " + numbered);
    }
}
