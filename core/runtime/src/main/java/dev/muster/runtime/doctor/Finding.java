package dev.muster.runtime.doctor;

import dev.muster.runtime.text.TextResource;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was found of one subject.
 *
 * @param subject a word or a variable, for the first column
 * @param found the value, and where it came from
 * @param advice what to do: a sentence without a full stop; empty where nothing is to be done, or {@code found} says it.
 *     Where all is well: what to do if nodes of a job differ in it
 */
record Finding(Level level, String subject, String found, String advice) {

    /** How bad it is: nothing to do; the job may be slow, or hang; the job would fail. */
    enum Level {
        OK,
        WARNING,
        WRONG
    }

    /** All that there can be, by their keys. */
    private static final Map<String, Finding> TABLE = rows("findings.txt")
            .collect(Collectors.toMap(row -> row[0], row -> new Finding(level(row[1]), row[2], row[3], row[4])));

    /** The cells of a table. */
    static Stream<String[]> rows(String table) {
        return TextResource.lines(Finding.class, table).stream().map(line -> line.split(" \\| ?", -1));
    }

    /**
     * A row of {@code findings.txt}.
     *
     * @param values that its texts have places for
     */
    static Finding of(String key, Object... values) {
        Finding row = Objects.requireNonNull(TABLE.get(key), key);
        String subject = String.format(Locale.ROOT, row.subject, values);
        String found = String.format(Locale.ROOT, row.found, values);
        return new Finding(row.level, subject, found, String.format(Locale.ROOT, row.advice, values));
    }

    /** What a table calls it. */
    static Level level(String word) {
        return Level.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
