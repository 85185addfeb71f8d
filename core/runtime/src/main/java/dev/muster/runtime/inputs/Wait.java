package dev.muster.runtime.inputs;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.output.WaitReporter.Waiting;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.InputValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One wait for all inputs of a plan: rounds of looks with pauses between them. It may be taken up again until its deadline. */
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
    private final Map<Source, Look.NotYet> lastLooks = new LinkedHashMap<>();
    private Duration pause = FIRST_PAUSE;
    private String told = "";

    Wait(Duration deadline, Waiter waiter, WaitReporter waits, Consumer<String> warn) {
        this.deadline = deadline;
        this.waiter = waiter;
        this.waits = waits;
        this.warn = warn;
        this.start = waiter.nanoTime();
    }

    /** Forgets what was read. */
    void begin() {
        values.clear();
    }

    /** The values of these beside those that are known already. */
    Optional<Map<String, InputValue>> run(List<Source> sources) {
        open.addAll(sources);
        Waiting waiting = waits.upTo(deadline);
        return run(waiting);
    }

    private Optional<Map<String, InputValue>> run(Waiting waiting) {
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
            waiting.lasts(this::reasons);
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
            waits.say(source.subject() + " is ready after " + Durations.format(WaitReporter.rounded(elapsed())));
        }
    }

    private String reasons() {
        StringBuilder line = new StringBuilder();
        for (Map.Entry<Source, Look.NotYet> waiting : lastLooks.entrySet()) {
            Source source = waiting.getKey();
            line.append(line.isEmpty() ? "" : "; ")
                    .append(source.subject())
                    .append(' ')
                    .append(waiting.getValue().reason())
                    .append(source.changed().flatMap(this::age).orElse(""))
                    .append(source.origin());
        }
        return line.toString();
    }

    /** Nothing of a file from the future: its clock is another one. */
    private Optional<String> age(Instant changed) {
        Duration age = Duration.between(changed, waiter.wallTime());
        return age.isNegative()
                ? Optional.empty()
                : Optional.of(", changed " + Durations.format(Duration.ofSeconds(age.toSeconds())) + " ago");
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
