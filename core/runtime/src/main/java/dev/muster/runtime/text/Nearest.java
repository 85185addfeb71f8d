package dev.muster.runtime.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the name that the user probably meant. */
public final class Nearest {

    private Nearest() {}

    /** The known names, nearest first; equally near ones in alphabetical order. */
    public static List<String> order(String given, Collection<String> known) {
        return known.stream()
                .sorted(Comparator.comparingInt((String name) -> distance(given, name))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** The nearest name, if it is close enough for a typing error; else the longest name that the text begins with. */
    static Optional<String> of(String given, Collection<String> known) {
        int most = Math.max(2, given.length() / 3);
        // First a cheap test: the distance is at least the difference of lengths. To compute it costs their product.
        List<String> asLong = known.stream()
                .filter(name -> Math.abs(name.length() - given.length()) <= most)
                .toList();
        return order(given, asLong).stream()
                .limit(1)
                .filter(name -> distance(given, name) <= most)
                .findFirst()
                .or(() -> known.stream().filter(given::startsWith).max(Comparator.comparingInt(String::length)));
    }

    /** {@code " (did you mean NAME?)"}, or nothing. */
    public static String suggestion(String given, Collection<String> known) {
        return of(given, known).map(name -> " (did you mean " + name + "?)").orElse("");
    }

    private static int distance(String left, String right) {
        int[] previous = new int[right.length() + 1];
        for (int column = 0; column <= right.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= left.length(); row++) {
            int[] current = new int[right.length() + 1];
            current[0] = row;
            for (int column = 1; column <= right.length(); column++) {
                int substitution = previous[column - 1] + (left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(substitution, 1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[right.length()];
    }
}
