package dev.muster.runtime.config;

import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A rank of a simulated job that is killed: {@code rank=3,after=2s}, and perhaps {@code run=2} or {@code run=all}.
 *
 * @param rank its number, or the name of a process without one, such as {@code worker-1}
 * @param after how long after its start
 * @param run in which attempt of the job, from 1; empty: in all
 */
public record Fault(String rank, Duration after, OptionalInt run) {

    /** What a fault looks like, for messages. */
    static final String FORM = "rank=R,after=D[,run=N|all]";

    /** Separates several faults in one text. */
    public static final String BETWEEN = ";";

    private static final String EVERY = "all";
    private static final int MOST_RUNS = 1_000_000;
    private static final Set<String> KEYS = Set.of("rank", "after", "run");
    private static final Pattern RANK = Pattern.compile("0|[1-9][0-9]{0,8}|[a-z]{1,30}-(0|[1-9][0-9]{0,8})");

    /** Reads a fault; empty: the text is not well formed. */
    public static Optional<Fault> parse(String text) {
        Map<String, String> values = new HashMap<>();
        for (String part : text.split(",", -1)) {
            int sign = part.indexOf('=');
            String key = sign < 0 ? "" : part.substring(0, sign);
            if (!KEYS.contains(key) || values.put(key, part.substring(sign + 1)) != null) {
                return Optional.empty();
            }
        }
        return of(values);
    }

    private static Optional<Fault> of(Map<String, String> values) {
        String rank = values.getOrDefault("rank", "");
        String after = values.getOrDefault("after", "");
        String run = values.getOrDefault("run", "1");
        OptionalInt number = WholeNumber.parse(run, 1, MOST_RUNS);
        boolean isWellFormed = RANK.matcher(rank).matches()
                && ValueForm.isDuration(after)
                && (number.isPresent() || run.equals(EVERY));
        return isWellFormed ? Optional.of(new Fault(rank, Durations.parse(after), number)) : Optional.empty();
    }

    /** What is wrong with a text that {@link #parse} does not take, to be read after it. */
    static String description(String text) {
        List<String> unknown = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String key = part.substring(0, Math.max(0, part.indexOf('=')));
            if (!key.isEmpty() && !KEYS.contains(key)) {
                unknown.add(key + Nearest.suggestion(key, KEYS));
            }
        }
        return FORM
                + ", such as rank=3,after=2s: a rank's number or a process such as worker-1, how long after its start it is"
                + " killed, and in which run of the job (the first)"
                + (unknown.isEmpty() ? "" : "; there is no " + String.join(", no ", unknown));
    }

    /** Whether the fault happens in this attempt. */
    public boolean isIn(int number) {
        return run.isEmpty() || run.getAsInt() == number;
    }

    /** Reads several faults; empty: one of them is not well formed. */
    static Optional<List<Fault>> parseAll(String text) {
        String[] all = text.split(BETWEEN, -1);
        List<Fault> faults =
                Stream.of(all).flatMap(each -> parse(each).stream()).toList();
        return faults.size() == all.length ? Optional.of(faults) : Optional.empty();
    }
}
