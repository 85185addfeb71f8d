package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.DirectoryToMake;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.FileToWrite;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PortToUse;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.StopMethod;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A plan that is being put together. */
final class Parts {

    /** A step that talks to other nodes must not keep a job that is being deleted. */
    private static final Duration STEP = Duration.ofSeconds(20);

    private final JobSpec job;
    private final int node;
    private final List<FileToWrite> files = new ArrayList<>();
    private final List<PortToUse> ports = new ArrayList<>();
    private final List<ProcessSpec> processes = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();

    /**
     * A plan without anything in it.
     *
     * @param node this node's index
     */
    Parts(JobSpec job, int node) {
        this.job = job;
        this.node = node;
    }

    JobSpec job() {
        return job;
    }

    void note(Note note) {
        notes.add(note);
    }

    void files(List<FileToWrite> more) {
        files.addAll(more);
    }

    void port(PortToUse port) {
        ports.add(port);
    }

    void task(String id, List<Value> command, Map<String, Value> set, Condition startWhen, StopMethod stop) {
        processes.add(new ProcessSpec.Task(id, launch(id, command, set), Optional.empty(), startWhen, stop));
    }

    void service(String id, List<Value> command, StopMethod stop) {
        processes.add(new ProcessSpec.Service(
                id, launch(id, command, Map.of()), Condition.IMMEDIATELY, Condition.NEVER, stop));
    }

    void step(String id, ProcessSpec.Phase phase, boolean required, List<Value> command) {
        step(id, phase, required, command, Condition.IMMEDIATELY, STEP);
    }

    /**
     * A step that waits for something.
     *
     * @param deadline for the wait and the step
     */
    void step(
            String id,
            ProcessSpec.Phase phase,
            boolean required,
            List<Value> command,
            Condition startWhen,
            Duration deadline) {
        processes.add(new ProcessSpec.Step(
                id, launch(id, command, Map.of()), phase, startWhen, deadline, required, StopMethod.DEFAULT));
    }

    /** @param seat tells how many hosts the job has */
    LaunchPlan plan(Seat seat, Outcome outcome) {
        return new LaunchPlan(Optional.empty(), directories(), files, ports, processes, outcome, notes)
                .over(seat.hosts().size());
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
    private List<DirectoryToMake> directories() {
        return job.places().workDirectoryPerTask()
                ? List.of()
                : List.of(new DirectoryToMake(job.sharedWorkDirectory(), "working directory of this node", true));
    }
}
