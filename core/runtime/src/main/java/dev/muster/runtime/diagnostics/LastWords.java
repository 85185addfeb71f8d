package dev.muster.runtime.diagnostics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What tells why a process failed, out of what it printed last: the last block in which its runtime says so, and what came after
 * it; else the last lines. Plain text, without empty lines.
 */
public final class LastWords {

    /** Of a block and what follows it. */
    public static final int MOST_OF_BLOCK = 12;

    /** When there is no block. */
    static final int MOST_LINES = 10;

    /** Of one line. */
    private static final int LONGEST = 300;

    /** Whoever has printed more lines after it, and did not end as an exception ends a program, has survived it. */
    private static final int STILL_THE_END = 3;

    private static final int FOLLOWING = 2;

    private LastWords() {}

    /**
     * The lines.
     *
     * @param output what was printed last
     * @param mask takes secrets out of a text
     * @param isUncaught whether the process ended with the code that an uncaught exception gives
     */
    public static List<String> of(String output, UnaryOperator<String> mask, boolean isUncaught) {
        List<String> lines = lines(output, mask);
        List<String> telling = ClosingLines.withoutTools(lines);
        boolean isTheEnd = isUncaught || isTheEnd(telling);
        List<String> found = ClosingLines.withoutProgress(telling);
        return chosen(lines, found, isTheEnd ? Blocks.last(found) : Optional.empty());
    }

    /** Whether an output ends with a block that tells of a failure which is no consequence of another process's. */
    public static boolean tellOfOwnFailure(String output) {
        List<String> lines = ClosingLines.withoutTools(lines(output, text -> text));
        return isTheEnd(lines)
                && Blocks.last(lines)
                        .filter(found -> !SecondaryFailure.isTold(found.lines()))
                        .isPresent();
    }

    private static boolean isTheEnd(List<String> lines) {
        return Blocks.last(lines)
                .filter(found -> said(lines, found.end()).size() <= STILL_THE_END)
                .isPresent();
    }

    /** The lines of an output that several processes share, and of which it is not known whose a line is. */
    public static List<String> ofSeveral(SharedOutput output, UnaryOperator<String> mask) {
        List<String> before = lines(output.beforeTheEnd(), mask);
        // A rank's words may come late.
        List<String> lines = Blocks.lastOfSeveral(before).isPresent() ? before : lines(output.ofRanks(), mask);
        List<String> found = ClosingLines.withoutProgress(ClosingLines.withoutTools(lines));
        return chosen(lines, found, Blocks.lastOfSeveral(found));
    }

    private static List<String> lines(String output, UnaryOperator<String> mask) {
        return PlainLines.of(mask.apply(PlainLines.withoutColours(output)));
    }

    /** @param block of the second lines */
    private static List<String> chosen(List<String> lines, List<String> found, Optional<Block> block) {
        List<String> words = block.map(told -> around(told, said(found, told.end())))
                .orElseGet(() -> last(ClosingLines.before(said(lines, 0))));
        return words.stream().map(LastWords::shortened).toList();
    }

    private static List<String> said(List<String> lines, int from) {
        return lines.subList(from, lines.size()).stream()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private static List<String> last(List<String> said) {
        return said.subList(Math.max(0, said.size() - MOST_LINES), said.size());
    }

    private static List<String> around(Block block, List<String> following) {
        List<String> all = new ArrayList<>(block.lines());
        all.addAll(following);
        int size = block.lines().size();
        List<Integer> order = new ArrayList<>();
        for (int key : block.key()) {
            order.add(key);
            order.add(key + 1);
        }
        order.add(size - 1);
        if (!following.isEmpty()) {
            order.addAll(Excerpt.range(all.size() - 1, Math.max(size, all.size() - FOLLOWING)));
        }
        order.addAll(List.of(0, 1, 2));
        order.addAll(
                Excerpt.range(block.key().isEmpty() ? size - 1 : block.key().get(0), 0));
        return Excerpt.of(all, MOST_OF_BLOCK, order);
    }

    private static String shortened(String line) {
        if (line.length() <= LONGEST) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return line.substring(0, end) + "... (" + line.length() + " characters)";
    }
}
