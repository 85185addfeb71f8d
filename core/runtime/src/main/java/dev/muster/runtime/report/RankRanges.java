package dev.muster.runtime.report;

import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Many processes in a few words: {@code ranks 0-2,4-7 and sshd}. */
final class RankRanges {

    /** Of ranges, and of names. */
    private static final int MOST = 12;

    private RankRanges() {}

    /** Not of none. */
    static String of(Collection<ProcessSpec> processes) {
        TreeSet<Integer> ranks = new TreeSet<>();
        List<String> names = new ArrayList<>();
        for (ProcessSpec process : processes) {
            process.placement().ifPresentOrElse(rank -> ranks.add(rank.rank()), () -> names.add(process.id()));
        }
        List<String> parts = new ArrayList<>();
        ranges(ranks).ifPresent(parts::add);
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
    private static Optional<String> ranges(SortedSet<Integer> ranks) {
        if (ranks.isEmpty()) {
            return Optional.empty();
        }
        List<String> ranges = new ArrayList<>();
        int first = ranks.first();
        int last = first;
        for (int rank : ranks) {
            if (rank > last + 1) {
                ranges.add(range(first, last));
                first = rank;
            }
            last = rank;
        }
        ranges.add(range(first, last));
        String shown = String.join(",", ranges.subList(0, Math.min(MOST, ranges.size())));
        String rest = ranges.size() > MOST ? ",..." : "";
        return Optional.of((ranks.size() == 1 ? "rank " : "ranks ") + shown + rest);
    }

    private static String range(int first, int last) {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
