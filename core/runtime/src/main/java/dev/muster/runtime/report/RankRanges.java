package dev.muster.runtime.report;

import dev.muster.runtime.text.Ranges;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** Many processes in a few words: {@code ranks 0-2,4-7 and sshd}. */
final class RankRanges {

    /** Of ranges, and of names. */
    private static final int MOST = 12;

    private RankRanges() {}

    /** Not of none. */
    static String of(Collection<ProcessSpec> processes) {
        BitSet ranks = new BitSet();
        List<String> names = new ArrayList<>();
        for (ProcessSpec process : processes) {
            process.placement().ifPresentOrElse(rank -> ranks.set(rank.rank()), () -> names.add(process.id()));
        }
        List<String> parts = new ArrayList<>();
        if (!ranks.isEmpty()) {
            parts.add(words(ranks));
        }
        parts.addAll(names.subList(0, Math.min(MOST, names.size())));
        if (names.size() > MOST) {
            parts.add((names.size() - MOST) + " others");
        }
        return joined(parts);
    }

    private static String joined(List<String> parts) {
        int last = parts.size() - 1;
        return last < 1
                ? String.join("", parts)
                : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
    }

    /** {@code rank 3}, {@code ranks 0-2,4}. */
    private static String words(BitSet ranks) {
        List<String> ranges = Ranges.of(ranks);
        String shown = String.join(",", ranges.subList(0, Math.min(MOST, ranges.size())));
        return (ranks.cardinality() == 1 ? "rank " : "ranks ") + shown + (ranges.size() > MOST ? ",..." : "");
    }
}
