package dev.muster.runtime.report;

import dev.muster.runtime.diagnostics.FailedRank;
import dev.muster.runtime.memory.MemoryKills;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the run of a plan ended.
 *
 * @param planName the plan's name for this node's part of the job, if the node's index does not tell
 * @param cause what ended the job; the first failure in time
 * @param processes in the order of the plan
 * @param duration from the first start to the end of the last process
 * @param age how long ago the cause became known
 * @param job what is known of the other nodes
 * @param evidence details of the failed process, if this node knows it
 * @param memory what the kernel's memory killer did; empty: no process was to run
 * @param remark what users should know beside the cause; may be empty
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

    /** If two processes end within this time, their order is unknown. */
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

    /** The first failed rank, if the failed process started several ranks and reports it. */
    Optional<FailedRank> culprit() {
        return evidence.flatMap(Evidence::culprit);
    }

    /** The same verdict with more known about the cause. */
    public Verdict because(Cause known) {
        return new Verdict(planName, known, processes, duration, age, job, evidence, memory, remark);
    }

    /** The same verdict with details of the failed process. */
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

    /** The same verdict with a remark. */
    public Verdict remarked(String words) {
        return new Verdict(planName, cause, processes, duration, age, job, evidence, memory, words);
    }

    /**
     * The verdict of a job that ended between two runs. No process ran then, so the processes are those of the last run.
     *
     * @param later the time from this verdict to the end
     * @param known what is known of the other nodes
     */
    public Verdict endedBetweenRuns(Cause between, Duration later, JobReport known) {
        List<ProcessReport> older = processes.stream()
                .map(process -> process.after(later).ofEarlierRun())
                .toList();
        return new Verdict(planName, between, older, duration, Duration.ZERO, known, Optional.empty(), memory, "");
    }
}
