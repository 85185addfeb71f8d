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

/** A plan that is being put together. */
final class PlanBuilder {

    /** A step that talks to other nodes must not keep a job that is being deleted. */
    static final Duration STEP = Duration.ofSeconds(20);

    private final JobSpec job;
    private final int node;

    /** All that needs no word of its own. */
    final LaunchPlan.Builder parts;

    /**
     * A plan without anything in it.
     *
     * @param node this node's index
     * @param nodes how many the job has
     */
    PlanBuilder(JobSpec job, int node, int nodes, Outcome outcome) {
        this.job = job;
        this.node = node;
        this.parts = LaunchPlan.builder(outcome).over(nodes);
        // The caller's own directory is there.
        if (!job.places().workDirectoryPerTask()) {
            parts.directory(RequiredDirectory.of(job.sharedWorkDirectory(), "working directory of this node"));
        }
    }

    /** What runs the ranks: when the launcher is told to stop, they end before it does. */
    void task(String id, List<Value> command, Map<String, Value> set, Condition startWhen, HostedRanks ranks) {
        parts.process(ProcessSpec.task(id, launch(id, command, set))
                .withStartWhen(startWhen)
                .withHosted(ranks)
                .withRankLines(FailurePatterns.LINES));
    }

    /**
     * What ranks are started through; they end before it does.
     *
     * @param readyWhen it serves
     */
    void server(String id, List<Value> command, Condition readyWhen, HostedRanks ranks) {
        parts.process(ProcessSpec.service(id, launch(id, command, Map.of()))
                .withReadyWhen(readyWhen)
                .withHosted(ranks));
    }

    /** What must be done before anything else. */
    void prepare(String id, List<Value> command, Duration deadline) {
        parts.process(ProcessSpec.hook(id, launch(id, command, Map.of()), ProcessSpec.Phase.PROLOG, deadline)
                .withRequired());
    }

    /** What is done as far as possible. */
    void step(String id, ProcessSpec.Phase phase, List<Value> command) {
        parts.process(ProcessSpec.hook(id, launch(id, command, Map.of()), phase, STEP));
    }

    /** A command that runs a script with the private directory as its first argument. */
    static List<Value> script(GeneratedFile script) {
        return new ArrayList<>(List.of(Value.of("/bin/sh"), script.path(), Value.privateDirectory()));
    }

    /** Where the output of a process goes. */
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
