package dev.muster.runtime.inputs;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.InputValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One wait for all inputs of a plan: rounds of looks with pauses between them. */
final class Wait {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(30);

    private final List<Source> open;
    private final Duration deadline;
    private final Waiter waiter;
    private final Consumer<String> progress;
    private final Consumer<String> warn;

    private final long start;
    private final Map<String, InputValue> values = new HashMap<>();
    private final Map<Source, Look.NotYet> lastLooks = new LinkedHashMap<>();
    private Duration pause = FIRST_PAUSE;
    private Duration nextLine = Duration.ZERO;
    private String told = "";

    Wait(List<Source> sources, Duration deadline, Waiter waiter, Consumer<String> progress, Consumer<String> warn) {
        this.open = new ArrayList<>(sources);
        this.deadline = deadline;
        this.waiter = waiter;
        this.progress = progress;
        this.warn = warn;
        this.start = waiter.nanoTime();
    }

    Optional<Map<String, InputValue>> run() {
        while (true) {
            // The time before the looks: what becomes ready while they last must not be missed at the deadline.
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
            tell(elapsed);
            tellWaiter(open.stream().map(Source::subject).collect(Collectors.joining(", ")));
            if (!waiter.goOnAfter(pause.compareTo(left) < 0 ? pause : left)) {
                return Optional.empty();
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(waiter.nanoTime() - start);
    }

    /** One look at every input that is not ready. */
    private void look() {
        List<Complaint> refused = new ArrayList<>();
        for (Iterator<Source> sources = open.iterator(); sources.hasNext(); ) {
            Source source = sources.next();
            if (source.look().fold(new Seen(source, refused))) {
                sources.remove();
            }
        }
        if (!refused.isEmpty()) {
            throw failure(ExitCode.DATA, "wrong", refused);
        }
    }

    private void accept(Source source, InputValue value) {
        if (values.put(source.id(), value) != null) {
            throw new MusterException(ExitCode.INTERNAL, "the engine asked for two inputs called " + source.id());
        }
        source.warnings().forEach(warn);
        if (lastLooks.remove(source) != null) {
            progress.accept(source.subject() + " is ready after " + rounded(elapsed()));
        }
    }

    private void tell(Duration elapsed) {
        if (elapsed.compareTo(nextLine) < 0) {
            return;
        }
        StringBuilder line = new StringBuilder();
        for (Map.Entry<Source, Look.NotYet> waiting : lastLooks.entrySet()) {
            line.append(line.isEmpty() ? "" : "; ")
                    .append(waiting.getKey().subject())
                    .append(' ')
                    .append(waiting.getValue().reason())
                    .append(waiting.getKey().origin());
        }
        boolean isFirst = nextLine.isZero();
        progress.accept(
                isFirst
                        ? line + "; waiting up to " + Durations.format(deadline)
                        : "still waiting after " + rounded(elapsed) + " of " + Durations.format(deadline) + ": "
                                + line);
        nextLine = nextLine.plus(BETWEEN_LINES);
    }

    private void tellWaiter(String what) {
        if (!what.equals(told)) {
            told = what;
            waiter.waitsFor(what);
        }
    }

    private List<Complaint> complaintsAtDeadline() {
        List<Complaint> complaints = new ArrayList<>();
        for (Map.Entry<Source, Look.NotYet> waiting : lastLooks.entrySet()) {
            Source source = waiting.getKey();
            Look.NotYet look = waiting.getValue();
            complaints.add(new Complaint(
                    source.subject() + " " + look.reason() + afterDeadline() + source.origin(), look.advice()));
        }
        return complaints;
    }

    private String afterDeadline() {
        return deadline.isZero() ? "" : " after " + Durations.format(deadline);
    }

    /** Milliseconds are of interest only while there are no seconds. */
    private static String rounded(Duration duration) {
        long seconds = duration.toSeconds();
        return Durations.format(seconds == 0 ? Duration.ofMillis(duration.toMillis()) : Duration.ofSeconds(seconds));
    }

    private static MusterException failure(ExitCode code, String state, List<Complaint> complaints) {
        if (complaints.size() == 1) {
            Complaint only = complaints.get(0);
            return new MusterException(code, only.what + ". " + only.advice);
        }
        StringBuilder message = new StringBuilder()
                .append(complaints.size())
                .append(" inputs are ")
                .append(state)
                .append(":");
        for (int number = 1; number <= complaints.size(); number++) {
            Complaint complaint = complaints.get(number - 1);
            message.append(' ')
                    .append(number)
                    .append(") ")
                    .append(complaint.what)
                    .append(". ")
                    .append(complaint.advice);
            message.append(number < complaints.size() ? ";" : "");
        }
        return new MusterException(code, message.toString());
    }

    /** What is wrong with one input, and what to do. */
    private record Complaint(String what, String advice) {}

    /** What a look changes; whether it was the last one. */
    private final class Seen implements Look.Cases<Boolean> {

        private final Source source;
        private final List<Complaint> refused;

        Seen(Source source, List<Complaint> refused) {
            this.source = source;
            this.refused = refused;
        }

        @Override
        public Boolean ready(Look.Ready ready) {
            accept(source, ready.value());
            return true;
        }

        @Override
        public Boolean notYet(Look.NotYet notYet) {
            lastLooks.put(source, notYet);
            return false;
        }

        @Override
        public Boolean refused(Look.Refused no) {
            refused.add(new Complaint(source.subject() + " " + no.reason() + source.origin(), no.advice()));
            return false;
        }
    }
}
