package dev.muster.runtime.report;

import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.List;

/** Which other processes have failed: those that may as well have been the first, and those that came later. */
final class AlsoFailed {

    /** Each of them has a line of its own. */
    private static final int NAMED = 3;

    private AlsoFailed() {}

    static List<String> lines(Verdict verdict) {
        List<ProcessReport> failed = verdict.processes().stream()
                .filter(process -> process.failed() && !OthersText.isCause(verdict, process))
                .toList();
        List<String> lines = new ArrayList<>();
        boolean areMany = failed.size() > NAMED + 1;
        for (ProcessReport process : areMany ? failed.subList(0, NAMED) : failed) {
            String same = isAtTheSameTime(process, verdict) ? "at the same time: " : "";
            lines.add(same + VerdictText.name(process.spec(), process.pid()) + " failed too: "
                    + process.termination().map(Termination::describe).orElse("not started"));
        }
        if (areMany) {
            List<ProcessSpec> rest = failed.subList(NAMED, failed.size()).stream()
                    .map(ProcessReport::spec)
                    .toList();
            lines.add(rest.size() + " more failed too: " + RankRanges.of(rest));
        }
        return lines;
    }

    /** Whether it may as well have been the first. */
    private static boolean isAtTheSameTime(ProcessReport process, Verdict verdict) {
        return verdict.cause() instanceof Cause.OfProcess first
                && process.pid() > 0
                && verdict.processes().stream()
                        .filter(report ->
                                report.spec().id().equals(first.process().id()))
                        .anyMatch(report -> report.age().minus(process.age()).compareTo(Verdict.SAME_TIME) < 0);
    }
}
