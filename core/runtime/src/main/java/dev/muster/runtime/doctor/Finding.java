package dev.muster.runtime.doctor;

import dev.muster.runtime.text.TextResource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What was found of one subject.
 *
 * @param subject a word or a variable, for the first column
 * @param found the value, and where it came from
 * @param advice what to do: a sentence without a full stop; empty where nothing is to be done, or {@code found} says it
 */
record Finding(Level level, String subject, String found, String advice) {

    /** How bad it is: nothing to do; the job may be slow, or hang; the job would fail. */
    enum Level {
        OK,
        WARNING,
        WRONG;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Level of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /** All that there can be, by their keys. */
    private static final Map<String, Finding> TABLE = table();

    private static Map<String, Finding> table() {
        Map<String, Finding> table = new HashMap<>();
        for (String line : TextResource.lines(Finding.class, "findings.txt")) {
            String[] cells = line.split(" \\| ?", -1);
            String advice = cells.length > 4 ? cells[4] : "";
            table.put(cells[0], new Finding(Level.of(cells[1]), cells[2], cells[3], advice));
        }
        return table;
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

    /** For people. */
    String text() {
        return advice.isEmpty() ? found : found + ". " + advice;
    }
}
