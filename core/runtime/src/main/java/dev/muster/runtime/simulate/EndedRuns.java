package dev.muster.runtime.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the runs of a simulated job ended that others followed: on the node where that began. */
final class EndedRuns {

    private final Map<Integer, String> ends = new TreeMap<>();
    private int last = 1;

    /** Adds what a node knows. */
    void add(String title, NodeResult node) {
        for (NodeResult.Attempt run : node.attempts()) {
            last = Math.max(last, run.attempt());
            String end = "run " + run.attempt() + " ended with " + run.exitCode() + ": ";
            if (run.isElsewhere() || run.exitCode() == 0) {
                // It may have ended so everywhere, when a launcher was lost.
                ends.putIfAbsent(run.attempt(), end + run.reason());
            } else {
                ends.put(run.attempt(), end + title + ": " + run.reason());
            }
        }
    }

    /** The number of the last run. */
    int last() {
        return last;
    }

    /** What is to be said beside the end of the job. */
    String remark() {
        return last > 1 ? "after " + last + " runs" : "";
    }

    /** A line for each but the last; none where there was only one run. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        ends.forEach((number, end) -> {
            if (number < last) {
                lines.add(end);
            }
        });
        if (!lines.isEmpty()) {
            lines.add("run " + last + " was the last:");
        }
        return lines;
    }
}
