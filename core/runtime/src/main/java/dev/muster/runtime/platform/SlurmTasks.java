package dev.muster.runtime.platform;

import java.util.List;
import java.util.Optional;

/** The tasks of a Slurm step: one launcher on each of its nodes, and no more. */
final class SlurmTasks {

    /** How many there are: outside of a step the last two may be what a script has asked for. */
    private static final List<String> COUNTS = List.of("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS");

    /** Which of the step's tasks this is, and which of its node's. In a script both are 0. */
    static final String TASK = "SLURM_PROCID";

    static final String LOCAL_TASK = "SLURM_LOCALID";

    private final Evidence evidence;
    private final SlurmNodes nodes;

    SlurmTasks(Evidence evidence, SlurmNodes nodes) {
        this.evidence = evidence;
        this.nodes = nodes;
    }

    /** What is not the first task of all is none of a script, even where nobody tells of a step. */
    Optional<String> refusalInScript() {
        boolean isAsked = !evidence.isSet(Slurm.STEP_ID) && !evidence.isOfARank();
        for (String variable : List.of(Slurm.NODE_ID, TASK, LOCAL_TASK)) {
            if (isAsked && evidence.isSet(variable) && evidence.wholeNumber(variable, 0, Slurm.MOST) > 0) {
                return Optional.of(variable + "=" + evidence.wholeNumber(variable, 0, Slurm.MOST)
                        + " says that this is one of several tasks, but " + Slurm.STEP_ID
                        + " is not set, and no step tells of the others. Start it by srun, with its variables, or give"
                        + " --nodes N --node-index I --hosts A,B,...; --nodes 1 boots this node alone");
            }
        }
        return Optional.empty();
    }

    /** Every launcher starts all processes of its node. */
    Optional<String> refusalInStep() {
        int count = nodes.names().size();
        Optional<String> variable = evidence.firstSet(COUNTS);
        if (variable.isEmpty()) {
            return refusalOfTask(count);
        }
        int tasks = evidence.wholeNumber(variable.get(), 1, Slurm.MOST);
        return tasks == count
                ? refusalOfTask(count)
                : Optional.of(variable.get() + "=" + tasks + ", but " + step(count)
                        + ": every node's launcher starts all processes of its node, so there is one"
                        + " task on each. Write " + srun(count));
    }

    /** Whoever is told no number of tasks may still be one too many. */
    private Optional<String> refusalOfTask(int count) {
        int task = evidence.isSet(TASK) && !evidence.isOfARank() ? evidence.wholeNumber(TASK, 0, Slurm.MOST) : 0;
        return task < count
                ? Optional.empty()
                : Optional.of(TASK + "=" + task + ", but " + step(count) + ": with one task on each these are 0.."
                        + (count - 1) + ". Write " + srun(count));
    }

    private static String step(int count) {
        return "the step has " + count + " node" + (count == 1 ? "" : "s") + " (" + Slurm.STEP_NODELIST + ")";
    }

    /** Words that hold whatever the job has asked for. */
    String srun(int count) {
        int components = nodes.components();
        String where = components > 0 ? "--het-group=0-" + (components - 1) : "--nodes=" + count + " --ntasks=" + count;
        return "srun " + where + " --ntasks-per-node=1 muster ...";
    }
}
