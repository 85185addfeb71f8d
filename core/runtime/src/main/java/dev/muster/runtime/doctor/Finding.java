package dev.muster.runtime.doctor;

import dev.muster.runtime.text.TextResource;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The finding about one subject.
 *
 * @param subject a word or a variable, for the first column
 * @param found the value, and where it came from
 * @param advice what to do, without a full stop; empty if nothing, or if {@code found} says it. For {@code OK}: what to do if nodes of a
 *     job differ
 */
record Finding(Level level, String subject, String found, String advice) {

    /** The severity: nothing to do; the job may be slow, or hang; the job would fail. */
    enum Level {
        OK,
        WARNING,
        WRONG
    }

    /** All possible findings, by key. */
    private static final Map<String, Finding> TABLE = rows("findings.txt")
            .collect(Collectors.toMap(row -> row[0], row -> new Finding(level(row[1]), row[2], row[3], row[4])));

    /** The rows of a table, as cells. */
    static Stream<String[]> rows(String table) {
        return TextResource.lines(Finding.class, table).stream().map(line -> line.split(" \\| ?", -1));
    }

    /**
     * A row of {@code findings.txt}.
     *
     * @param values for the placeholders in its texts
     */
    static Finding of(String key, Object... values) {
        Finding row = Objects.requireNonNull(TABLE.get(key), key);
        String subject = String.format(Locale.ROOT, row.subject, values);
        String found = String.format(Locale.ROOT, row.found, values);
        return new Finding(row.level, subject, found, String.format(Locale.ROOT, row.advice, values));
    }

    /** The level for a word of a table. */
    static Level level(String word) {
        return Level.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
