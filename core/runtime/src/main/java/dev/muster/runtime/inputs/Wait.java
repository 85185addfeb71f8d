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
final class Wait {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private final List<Source> open = new ArrayList<>();
    private final Duration deadline;
    private final Waiter waiter;
    private final WaitReporter waits;
    private final Consumer<String> warn;

    private final long start;
    private final Map<String, InputValue> values = new HashMap<>();
    private final Map<Source, ReadAttempt.NotYet> lastLooks = new LinkedHashMap<>();
    private Duration pause = FIRST_PAUSE;
    private String told = "";

    Wait(Duration deadline, Waiter waiter, WaitReporter waits, Consumer<String> warn) {
        this.deadline = deadline;
        this.waiter = waiter;
        this.waits = waits;
        this.warn = warn;
        this.start = waiter.nanoTime().getAsLong();
    }

    /** The values of all sources, read anew. */
    Optional<Map<String, InputValue>> run(List<Source> sources) {
        values.clear();
        open.addAll(sources);
        return run(waits.upTo(deadline));
    }

    private Optional<Map<String, InputValue>> run(Waiting waiting) {
        while (true) {
            // Measured before the looks: an input that becomes ready during them still counts at the deadline.
            Duration elapsed = elapsed();
            look();
            if (open.isEmpty()) {
                tellWaiter("");
                return Optional.of(Map.copyOf(values));
            }
            Duration left = deadline.minus(elapsed);
            if (left.isNegative() || left.isZero()) {
                throw failure(ExitCode.TEMPORARY, "not ready" + afterDeadline(), complaintsAtDeadline());
            }
            waiting.report(this::reasons);
            tellWaiter(open.stream().map(Source::subject).collect(Collectors.joining(", ")));
            if (!waiter.goOnAfter().test(pause.compareTo(left) < 0 ? pause : left)) {
                return Optional.empty();
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(waiter.nanoTime().getAsLong() - start);
    }

    /** One look at every input that is not ready. */
    private void look() {
        List<String> refused = new ArrayList<>();
        for (Source source : List.copyOf(open)) {
            ReadAttempt attempt = source.look();
            if (attempt instanceof ReadAttempt.Ready ready) {
                open.remove(source);
                accept(source, ready);
            } else if (attempt instanceof ReadAttempt.NotYet notYet) {
                lastLooks.put(source, notYet);
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
        if (lastLooks.remove(source) != null) {
            waits.say(source.subject() + " is ready after " + Durations.format(WaitReporter.rounded(elapsed())));
        }
    }

    private String reasons() {
        return lastLooks.entrySet().stream()
                .map(waiting -> reason(waiting.getKey(), waiting.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String reason(Source source, ReadAttempt.NotYet attempt) {
        String changed = source.changed()
                .map(when -> ", changed at " + when.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        return source.subject() + " " + attempt.reason() + changed + source.origin();
    }

    private void tellWaiter(String what) {
        if (!what.equals(told)) {
            told = what;
            waiter.waitsFor().accept(what);
        }
    }

    private List<String> complaintsAtDeadline() {
        List<String> complaints = new ArrayList<>();
        lastLooks.forEach((source, attempt) -> complaints.add(source.subject() + " " + attempt.reason()
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
