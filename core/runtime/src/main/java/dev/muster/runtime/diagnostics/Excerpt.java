package dev.muster.runtime.diagnostics;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** Takes out of many lines those that matter, with a line in place of what is left out. */
final class Excerpt {

    private final List<String> lines;
    private final int most;
    private final BitSet taken = new BitSet();

    private Excerpt(List<String> lines, int most) {
        this.lines = lines;
        this.most = most;
    }

    /**
     * At most so many lines.
     *
     * @param order which lines are wanted most; those that are not in it are wanted least, the last first
     */
    static List<String> of(List<String> lines, int most, List<Integer> order) {
        Excerpt excerpt = new Excerpt(lines, most);
        order.forEach(excerpt::take);
        for (int index = lines.size() - 1; index >= 0; index--) {
            excerpt.take(index);
        }
        return excerpt.rendered();
    }

    private void take(int index) {
        if (index < 0 || index >= lines.size() || taken.get(index)) {
            return;
        }
        taken.set(index);
        if (rendered().size() > most) {
            taken.clear(index);
        }
    }

    private List<String> rendered() {
        List<String> shown = new ArrayList<>();
        int index = 0;
        while (index < lines.size()) {
            int next = taken.nextSetBit(index);
            int end = next < 0 ? lines.size() : next;
            if (end - index == 1) {
                // A line in its place would be no shorter.
                shown.add(lines.get(index));
            } else if (end > index) {
                shown.add("... " + (end - index) + " lines");
            }
            if (next >= 0) {
                shown.add(lines.get(next));
            }
            index = end + 1;
        }
        return shown;
    }

    /** The numbers from the last one down to the first. */
    static List<Integer> down(int last, int first) {
        return IntStream.iterate(last, number -> number >= first, number -> number - 1)
                .boxed()
                .toList();
    }
}
