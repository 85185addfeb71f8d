package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds a plan. */
final class PlanBuilder {

    /** The deadline of a hook that talks to other nodes: it must not delay the end of a job for long. */
    static final Duration HOOK_TIMEOUT = Duration.ofSeconds(20);

    private final JobSpec job;
    private final int node;

    /** The builder for all parts that need no method here. */
    final LaunchPlan.Builder builder;

    /**
     * An empty plan.
     *
     * @param node this node's index
     * @param nodes the number of nodes of the job
     */
    PlanBuilder(JobSpec job, int node, int nodes, Outcome outcome) {
        this.job = job;
        this.node = node;
        this.builder = LaunchPlan.builder(outcome).over(nodes);
        // Otherwise it is the caller's directory, which exists.
        if (!job.places().workDirectoryPerTask()) {
            builder.directory(RequiredDirectory.of(job.sharedWorkDirectory(), "working directory of this node"));
        }
    }

    /** Adds the task that hosts the ranks: in a stop the ranks end before it. */
    void task(String id, List<Value> command, Map<String, Value> set, Condition startWhen, HostedRanks ranks) {
        builder.process(ProcessSpec.task(id, launch(id, command, set))
                .withStartWhen(startWhen)
                .withHosted(ranks)
                .withRankLines(FailurePatterns.LINES));
    }

    /**
     * Adds a service that hosts ranks: in a stop the ranks end before it.
     *
     * @param readyWhen the condition that makes it ready
     */
    void service(String id, List<Value> command, Condition readyWhen, HostedRanks ranks) {
        builder.process(ProcessSpec.service(id, launch(id, command, Map.of()))
                .withReadyWhen(readyWhen)
                .withHosted(ranks));
    }

    /** Adds a required prolog. */
    void prolog(String id, List<Value> command, Duration deadline) {
        builder.process(ProcessSpec.hook(id, launch(id, command, Map.of()), ProcessSpec.Phase.PROLOG, deadline)
                .withRequired());
    }

    /** Adds a hook that may fail. */
    void hook(String id, ProcessSpec.Phase phase, List<Value> command) {
        builder.process(ProcessSpec.hook(id, launch(id, command, Map.of()), phase, HOOK_TIMEOUT));
    }

    /** A command that runs a script with the private directory as its first argument. */
    static List<Value> script(GeneratedFile script) {
        return new ArrayList<>(List.of(Value.of("/bin/sh"), script.path(), Value.privateDirectory()));
    }

    /** The path of the log of a process. */
    String log(String id) {
        return job.places().logDirectory() + "/" + logName(id);
    }

    private String logName(String id) {
        return job.id() + "-" + id + "-node-" + node + ".txt";
    }

    private Launch launch(String id, List<Value> command, Map<String, Value> set) {
        EnvironmentChange change = EnvironmentChange.of(set, RankVariables.ofOtherMpi(job));
        return new Launch(command, change, job.sharedWorkDirectory(), logName(id));
    }
}
