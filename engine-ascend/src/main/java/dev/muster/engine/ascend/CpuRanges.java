package dev.muster.engine.ascend;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Equal shares of the CPUs that a node may use, one for each of its ranks. */
record CpuRanges(List<String> lists) {

    private static final int HIGHEST_CPU = 65535;

    CpuRanges {
        lists = List.copyOf(lists);
    }

    /**
     * @param allowed as the kernel writes it: {@code 0-3,8}
     * @return no ranges when there are fewer CPUs than ranks, or when the list is none
     */
    static CpuRanges of(String allowed, int ranks) {
        List<Integer> cpus = parse(allowed);
        List<String> lists = new ArrayList<>();
        for (int i = 0; i < ranks && cpus.size() >= ranks; i++) {
            lists.add(Messages.ranges(cpus.subList(bound(i, cpus, ranks), bound(i + 1, cpus, ranks))));
        }
        return new CpuRanges(lists);
    }

    private static int bound(int part, List<Integer> cpus, int parts) {
        return (int) ((long) part * cpus.size() / parts);
    }

    /** Ascending; empty when the text is no such list. */
    private static List<Integer> parse(String allowed) {
        TreeSet<Integer> cpus = new TreeSet<>();
        for (String range : allowed.strip().split(",", -1)) {
            int dash = range.indexOf('-');
            int first = WholeNumber.parse(dash < 0 ? range : range.substring(0, dash), HIGHEST_CPU);
            int last = dash < 0 ? first : WholeNumber.parse(range.substring(dash + 1), HIGHEST_CPU);
            if (first == WholeNumber.NONE || last < first) {
                return List.of();
            }
            for (int cpu = first; cpu <= last; cpu++) {
                cpus.add(cpu);
            }
        }
        return List.copyOf(cpus);
    }
}
