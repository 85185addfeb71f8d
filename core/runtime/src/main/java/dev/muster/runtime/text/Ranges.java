package dev.muster.runtime.text;

import java.util.BitSet;
import java.util.List;

/** Numbers in few words, such as {@code 0-3} and {@code 8}. */
public final class Ranges {

    private Ranges() {}

    /** Each range of neighbours. */
    public static List<String> of(BitSet numbers) {
        return numbers.stream()
                .filter(number -> number == 0 || !numbers.get(number - 1))
                .mapToObj(first -> range(first, numbers.nextClearBit(first) - 1))
                .toList();
    }

    private static String range(int first, int last) {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
