package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.RequiredPort;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A plan that is being put together. */
final class PlanBuilder {

    /** A step that talks to other nodes must not keep a job that is being deleted. */
    static final Duration STEP = Duration.ofSeconds(20);

    private final JobSpec job;
    private final int node;
    private final List<GeneratedFile> files = new ArrayList<>();
    private final List<RequiredPort> ports = new ArrayList<>();
    private final List<ProcessSpec> processes = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();
    private final SortedMap<String, String> equal = new TreeMap<>();
    private Optional<LauncherNodes> launchers = Optional.empty();

    /**
     * A plan without anything in it.
     *
     * @param node this node's index
     */
    PlanBuilder(JobSpec job, int node) {
        this.job = job;
        this.node = node;
    }

    void note(Note note) {
        notes.add(note);
    }

    /** A file that is there once, however often it is wanted. */
    PlanBuilder file(GeneratedFile file) {
        if (!files.contains(file)) {
            files.add(file);
        }
        return this;
    }

    void port(RequiredPort port) {
        ports.add(port);
    }

    /** Who else takes part; without them the job cannot do. */
    void launchers(LauncherNodes ofJob) {
        launchers = Optional.of(ofJob);
    }

    /** What must be the same on all nodes. */
    void equal(String what, String here) {
        equal.put(what, here);
    }

    /** What runs the ranks: when the launcher is told to stop, they end before it does. */
    void task(String id, List<Value> command, Map<String, Value> set, Condition startWhen, HostedRanks ranks) {
        processes.add(ProcessSpec.task(id, launch(id, command, set))
                .withStartWhen(startWhen)
                .withHosted(ranks)
                .withRankLines(FailurePatterns.LINES));
    }

    /**
     * What ranks are started through; they end before it does. It stays while a failed job starts again in place.
     *
     * @param keptFiles with these files
     * @param readyWhen it serves
     */
    void server(String id, List<Value> command, Collection<String> keptFiles, Condition readyWhen, HostedRanks ranks) {
        processes.add(ProcessSpec.service(id, launch(id, command, Map.of()))
                .withKeptFiles(keptFiles)
                .withReadyWhen(readyWhen)
                .withHosted(ranks));
    }

    /** What must be done before anything else. */
    void prepare(String id, List<Value> command, Duration deadline) {
        processes.add(ProcessSpec.hook(id, launch(id, command, Map.of()), ProcessSpec.Phase.PROLOG, deadline)
                .withRequired());
    }

    /** What is done as far as possible. */
    void step(String id, ProcessSpec.Phase phase, List<Value> command) {
        processes.add(ProcessSpec.hook(id, launch(id, command, Map.of()), phase, STEP));
    }

    /** A command that runs a script with the private directory as its first argument. */
    static List<Value> script(GeneratedFile script) {
        return new ArrayList<>(List.of(Value.of("/bin/sh"), script.path(), Value.privateDirectory()));
    }

    /** @param nodes how many hosts the job has */
    LaunchPlan plan(int nodes, Outcome outcome) {
        LaunchPlan.Builder plan = LaunchPlan.builder(outcome)
                .directories(directories())
                .files(files)
                .ports(ports)
                .processes(processes)
                .notes(notes)
                .over(nodes);
        launchers.ifPresent(plan::launchers);
        equal.forEach(plan::equal);
        return plan.build();
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

    /** The caller's own directory is there. */
    private List<RequiredDirectory> directories() {
        return job.places().workDirectoryPerTask()
                ? List.of()
                : List.of(RequiredDirectory.of(job.sharedWorkDirectory(), "working directory of this node"));
    }
}
