package dev.muster.runtime.diagnostics;

import dev.muster.spi.RankLines;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The output of a process that prints for several ranks. */
public final class SharedOutput {

    private static final String RANK = "rank";
    private static final String LOCAL = "local";
    /** Marks may follow each other: torchrun's before PyTorch's. */
    private static final int MOST_MARKS = 3;

    private final String text;
    private final String beforeStop;
    private final RankLines form;

    /** @param beforeStop the output before the launcher stopped ranks; empty: it did not stop them */
    public SharedOutput(String output, String beforeStop, RankLines form) {
        this.text = PlainLines.withoutColours(output);
        this.beforeStop = PlainLines.withoutColours(beforeStop);
        this.form = form;
    }

    /** The rank that failed first, if the output names it. */
    public Optional<FailedRank> culprit() {
        if (form.culprit().isEmpty()) {
            return Optional.empty();
        }
        Matcher found = Pattern.compile(form.culprit()).matcher(text);
        Optional<FailedRank> last = Optional.empty();
        while (found.find()) {
            OptionalInt rank = number(found, form.culprit(), RANK);
            if (rank.isPresent()) {
                OptionalInt pid = number(found, form.culprit(), "pid");
                last = Optional.of(new FailedRank(
                        rank.getAsInt(),
                        number(found, form.culprit(), LOCAL),
                        number(found, form.culprit(), "code"),
                        pid.isPresent() ? OptionalLong.of(pid.getAsInt()) : OptionalLong.empty()));
            }
        }
        return last;
    }

    /** The lines marked as a rank's, without the marks; empty: none. */
    public Optional<String> ofRank(int rank, OptionalInt local) {
        return ofRanks()
                .lines()
                .map(this::marked)
                .filter(line -> line.isOf(rank, local))
                .map(line -> line.rest() + "\n")
                .reduce(String::concat);
    }

    /**
     * The output before the process first reported an ended rank, or before ranks were stopped. Later lines come from the stop of the
     * other ranks, and do not explain the failure.
     */
    String beforeTheEnd() {
        String first = beforeStop.isEmpty() ? text : beforeStop;
        Matcher own = Pattern.compile(form.own()).matcher(first);
        return !form.own().isEmpty() && own.find() ? first.substring(0, own.start()) : beforeStop;
    }

    /** The output without the process's own reports of ended ranks. */
    public String ofRanks() {
        return form.own().isEmpty()
                ? text
                : Pattern.compile(form.own()).matcher(text).replaceAll("");
    }

    /** A line without its marks, and the ranks that the marks name. */
    private record Marked(String rest, OptionalInt rank, OptionalInt local) {

        boolean isOf(int wanted, OptionalInt wantedLocal) {
            boolean isLocal = rank.isEmpty() && wantedLocal.isPresent() && local.equals(wantedLocal);
            return isLocal || rank.equals(OptionalInt.of(wanted));
        }
    }

    private Marked marked(String line) {
        Marked marked = new Marked(line, OptionalInt.empty(), OptionalInt.empty());
        for (int mark = 0; mark < MOST_MARKS; mark++) {
            marked = withoutOne(marked);
        }
        return marked;
    }

    private Marked withoutOne(Marked line) {
        for (String expression : form.prefixes()) {
            Matcher prefix = Pattern.compile(expression).matcher(line.rest());
            if (prefix.lookingAt()) {
                OptionalInt rank = number(prefix, expression, RANK);
                OptionalInt local = number(prefix, expression, LOCAL);
                return new Marked(
                        line.rest().substring(prefix.end()),
                        rank.isPresent() ? rank : line.rank(),
                        local.isPresent() ? local : line.local());
            }
        }
        return line;
    }

    /** The number in a group, if the expression has the group. */
    private static OptionalInt number(Matcher found, String expression, String group) {
        if (!expression.contains("(?<" + group + ">")) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(String.valueOf(found.group(group))));
        } catch (NumberFormatException tooLong) {
            return OptionalInt.empty();
        }
    }
}
