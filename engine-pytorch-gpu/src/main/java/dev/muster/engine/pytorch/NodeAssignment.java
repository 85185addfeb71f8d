package dev.muster.engine.pytorch;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What all three ways to start the processes of a node have in common.
 *
 * @param address where the processes meet: a name or an IP address, as it is
 * @param masterPort at which they meet
 */
record NodeAssignment(PlanRequest request, Position position, Cards cards, String address, MasterPort masterPort) {

    static NodeAssignment of(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        Position position = Position.of(job, request.node());
        String address = MasterAddress.of(job, request.node(), position);
        return new NodeAssignment(request, position, Cards.of(request), address, MasterPort.of(job, position));
    }

    JobSpec job() {
        return request.job();
    }

    Value port() {
        return masterPort.value();
    }

    /** {@code tcp://ADDRESS:PORT}. */
    Value url() {
        String host = address.contains(":") ? "[" + address + "]" : address;
        return new ValueText().add("tcp://" + host + ":").add(port()).value();
    }

    /**
     * A process of this node. All of a node work in one directory, as torchrun's children do.
     *
     * @param set the variables that only this way to start needs
     * @param logName the log file's name without job id and ending
     */
    ProcessSpec task(
            String id, List<Value> command, Map<String, Value> set, String logName, Optional<RankInfo> placement) {
        Map<String, Value> variables = new TreeMap<>(set);
        cards.visible().ifPresent(ids -> variables.put(Cards.VISIBLE, Value.of(ids)));
        cards.threads(request).ifPresent(number -> variables.put(Cards.THREADS, Value.of(number)));
        Launch launch = new Launch(
                command,
                Variables.change(job(), variables),
                job().sharedWorkDirectory(),
                job().id() + "-" + logName + ".txt");
        ProcessSpec.Task task = ProcessSpec.task(id, launch);
        // Without a rank it is a torchrun.
        return placement
                .map(task::withPlacement)
                .orElseGet(() -> task.withRankLines(FailurePatterns.LINES).withHosted(Torchrun.ranks(cards.count())));
    }

    /** @param notes what only this way to start has to tell */
    LaunchPlan plan(List<ProcessSpec> tasks, List<Note> notes) {
        LaunchPlan.Builder plan = LaunchPlan.builder(Outcome.ALL_TASKS)
                .directories(directories(job()))
                .processes(tasks)
                .notes(notes())
                .notes(notes)
                .over(position.count());
        if (position.isFirst()) {
            masterPort.toUse().ifPresent(plan::port);
        }
        if (!position.isAlone()) {
            requireEqual(plan);
        }
        return plan.build();
    }

    /** Processes that look for each other at different ports, or in different ways, wait until their library gives up. */
    private void requireEqual(LaunchPlan.Builder plan) {
        Mode mode = Mode.of(job());
        plan.equal(
                        MasterPort.OPTION.name(),
                        Integer.toString(masterPort.number().orElseThrow()))
                .equal(Mode.OPTION.name(), mode.word());
        // Those of torchrun find out for themselves how many cards other nodes have.
        if (mode != Mode.TORCHRUN) {
            plan.equal("cards", Integer.toString(cards.count()));
        }
    }

    /** The caller's own directory is there. */
    static List<RequiredDirectory> directories(JobSpec job) {
        return job.places().workDirectoryPerTask()
                ? List.of()
                : List.of(RequiredDirectory.of(job.sharedWorkDirectory(), "working directory of this node"));
    }

    private List<Note> notes() {
        List<Note> notes = new ArrayList<>();
        List<String> ignored = Variables.ofAnotherLauncher(job());
        if (!ignored.isEmpty() && request.node().count().isEmpty()) {
            notes.add(Note.warning("ignored: " + String.join(", ", ignored) + ". This is taken for a job of one node; "
                    + "--nodes, --node-index and --master-addr say otherwise"));
        }
        if (!position.isAlone()) {
            notes.add(Note.info("node " + position.index() + " of " + position.count() + " meets the others at "
                    + address + ", port " + masterPort.number().orElseThrow() + " (" + masterPort.origin() + ")"));
        }
        cards.threads(request).ifPresent(number -> notes.add(cards.note(number, request)));
        return notes;
    }
}
