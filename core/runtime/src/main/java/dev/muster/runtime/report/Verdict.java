package dev.muster.runtime.report;

import dev.muster.runtime.diagnostics.FailedRank;
import dev.muster.runtime.memory.MemoryKills;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the run of a plan ended.
 *
 * @param planName what the plan calls this node's part of the job, where the node's index does not tell
 * @param cause what ended it; the first failure in time
 * @param processes in the order of the plan
 * @param duration from the first start to the end of the last process
 * @param age how long ago the cause became known
 * @param job what is known of the other nodes
 * @param evidence what more is known of the process whose failure it was, where it was one that this node knows
 * @param memory what the kernel's memory killer did meanwhile; empty: nothing was to run
 * @param remark what users should know of it beside the cause; empty: nothing
 */
public record Verdict(
        Optional<String> planName,
        Cause cause,
        List<ProcessReport> processes,
        Duration duration,
        Duration age,
        JobReport job,
        Optional<Evidence> evidence,
        Optional<MemoryKills> memory,
        String remark) {

    /** Of two ends that are closer, nobody can say for sure which came first. */
    public static final Duration SAME_TIME = Duration.ofMillis(20);

    public Verdict {
        processes = List.copyOf(processes);
    }

    /** A verdict without evidence. */
    public Verdict(
            Optional<String> planName,
            Cause cause,
            List<ProcessReport> processes,
            Duration duration,
            Duration age,
            JobReport job) {
        this(planName, cause, processes, duration, age, job, Optional.empty(), Optional.empty(), "");
    }

    /** Which rank of the failed process failed first, where it started several and says so. */
    Optional<FailedRank> culprit() {
        return evidence.flatMap(Evidence::culprit);
    }

    /** The same verdict with more known about the cause. */
    public Verdict because(Cause known) {
        return new Verdict(planName, known, processes, duration, age, job, evidence, memory, remark);
    }

    /** The same verdict with what more is known of the failed process. */
    public Verdict with(Evidence known) {
        return new Verdict(planName, cause, processes, duration, age, job, Optional.of(known), memory, remark);
    }

    /** The same verdict with what the kernel did. */
    public Verdict with(MemoryKills kills) {
        return new Verdict(planName, cause, processes, duration, age, job, evidence, Optional.of(kills), remark);
    }

    /** The same verdict some time later. */
    public Verdict after(Duration more) {
        List<ProcessReport> older =
                processes.stream().map(process -> process.after(more)).toList();
        return new Verdict(planName, cause, older, duration, age.plus(more), job.after(more), evidence, memory, remark);
    }

    /** The same verdict with something to be said beside it. */
    public Verdict remarked(String words) {
        return new Verdict(planName, cause, processes, duration, age, job, evidence, memory, words);
    }

    /**
     * What ended the job when nothing of it ran any more, because it was to start again: the processes are those of the last run.
     *
     * @param later how long after this verdict
     * @param known what is known of the other nodes
     */
    public Verdict endedBetweenRuns(Cause between, Duration later, JobReport known) {
        List<ProcessReport> older = processes.stream()
                .map(process -> process.after(later).ofEarlierRun())
                .toList();
        return new Verdict(planName, between, older, duration, Duration.ZERO, known, Optional.empty(), memory, "");
    }
}
