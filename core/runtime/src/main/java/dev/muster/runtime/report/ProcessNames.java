package dev.muster.runtime.report;

import dev.muster.runtime.text.Durations;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import java.util.stream.Collectors;

/** How messages call processes: a task with a rank by its rank, anything else by its id. */
public final class ProcessNames {

    private static final int LISTED = 16;

    private ProcessNames() {}

    /** For example {@code rank 3}, {@code sshd}. */
    public static String of(ProcessSpec process) {
        return process.placement().map(placement -> "rank " + placement.rank()).orElse(process.id());
    }

    /** What a process is, in a word. */
    public static String kind(ProcessSpec process) {
        if (process instanceof ProcessSpec.Task) {
            return "task";
        }
        return process instanceof ProcessSpec.Service ? "service" : "step";
    }

    /** Why the launcher killed a step. */
    public static String overdue(ProcessSpec.Hook hook) {
        return "took longer than " + Durations.format(hook.deadline());
    }

    /** For example {@code 8 ranks}, {@code 1 process}. */
    public static String count(List<ProcessSpec> processes) {
        boolean ranks = !processes.isEmpty()
                && processes.stream().allMatch(process -> process.placement().isPresent());
        String one = ranks ? "rank" : "process";
        String many = ranks ? "ranks" : "processes";
        return processes.size() + " " + (processes.size() == 1 ? one : many);
    }

    /** The names, at most sixteen of them. */
    public static String list(List<ProcessSpec> processes) {
        String names = processes.stream().limit(LISTED).map(ProcessNames::of).collect(Collectors.joining(", "));
        return processes.size() > LISTED ? names + ", ..." : names;
    }
}
