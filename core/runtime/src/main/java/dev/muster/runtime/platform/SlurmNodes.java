package dev.muster.runtime.platform;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The nodes of a Slurm step, or of the whole job where this is no step, in the order in which Slurm numbers them. */
record SlurmNodes(EvidenceReader evidence) {

    /** Ids that Slurm gives to what srun did not start: the batch script, an interactive shell and the like. */
    private static final Pattern NO_STEP = Pattern.compile("429496729[0-5]");

    static final int MOST_SHOWN = 80;

    /** Pairs of variables that have the same value in a task of a step. */
    private static final List<List<String>> SAME_IN_A_STEP = List.of(
            List.of(Slurm.STEP_NUM_NODES, "SLURM_NNODES"),
            List.of("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"),
            List.of("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"));

    private static final String CGROUP = "/proc/self/cgroup";
    private static final Pattern IN_CGROUP = Pattern.compile("/job_([0-9]+)/step_([a-z0-9]+)");

    boolean isInStep() {
        Optional<String> step = evidence.value(Slurm.STEP_ID);
        return step.isPresent() && !NO_STEP.matcher(step.get()).matches() && !isOfAnotherStep(step.get());
    }

    /** For messages: that the step's variables come from another step; empty: there are none, or they are right. */
    String otherStep() {
        return evidence.isSet(Slurm.STEP_ID) && !isInStep()
                ? "; " + Slurm.STEP_ID + " and the like are what another step has left"
                        + differing().map(both -> " (" + both + ")").orElse("")
                : "";
    }

    /** sbatch passes the environment on. In a script that a task submitted, the variables describe that task's step. */
    private boolean isOfAnotherStep(String step) {
        Matcher cgroup = IN_CGROUP.matcher(evidence.source().text(CGROUP).orElse(""));
        if (cgroup.find() && evidence.value("SLURM_JOB_ID").equals(Optional.of(cgroup.group(1)))) {
            return !cgroup.group(2).equals(step);
        }
        return differing().isPresent()
                || (evidence.isSet(Slurm.JOB_NODELIST)
                        && evidence.isSet(Slurm.STEP_NODELIST)
                        && !new HashSet<>(list(Slurm.JOB_NODELIST)).containsAll(list(Slurm.STEP_NODELIST)));
    }

    /** A pair of variables that differ here, but are equal in every step. */
    private Optional<String> differing() {
        return SAME_IN_A_STEP.stream()
                .filter(pair -> pair.stream().allMatch(evidence::isSet)
                        && !evidence.value(pair.get(0)).equals(evidence.value(pair.get(1))))
                .map(pair -> pair.stream()
                        .map(name -> name + "="
                                + Printable.escape(evidence.value(name).orElseThrow()))
                        .collect(Collectors.joining(", ")))
                .findFirst();
    }

    /** The variable that names all hosts. */
    String listOfAll() {
        return isInStep() ? Slurm.STEP_NODELIST : Slurm.JOB_NODELIST;
    }

    /** The hosts in the order of that list. */
    List<String> names() {
        return isInStep()
                ? list(Slurm.STEP_NODELIST, Slurm.STEP_NUM_NODES)
                : list(Slurm.JOB_NODELIST, Slurm.JOB_NUM_NODES);
    }

    private List<String> list(String variable, String countVariable) {
        List<String> names = list(variable);
        if (evidence.isSet(countVariable) && evidence.wholeNumber(countVariable, 1, Slurm.MOST) != names.size()) {
            throw MusterException.configuration(countVariable + "=" + evidence.wholeNumber(countVariable, 1, Slurm.MOST)
                    + ", but " + variable + " names " + names.size() + " hosts: "
                    + Shortened.begun(MOST_SHOWN, evidence.value(variable).orElse("")));
        }
        return names;
    }

    private List<String> list(String variable) {
        String text = evidence.value(variable)
                .orElseThrow(() -> MusterException.configuration(variable
                        + " is not set, though a variable of Slurm's is: nobody names the hosts of the job. Give --hosts"
                        + " A,B,... and --node-index I, or --platform none"));
        try {
            List<String> names = Hostlist.parse(text);
            if (names.size() != new HashSet<>(names).size()) {
                throw new IllegalArgumentException("names a host twice");
            }
            return names;
        } catch (IllegalArgumentException invalid) {
            // The step's place, and with it the job's id, depends on this list.
            throw MusterException.configuration(variable + "="
                    + Printable.quote(Shortened.begun(MOST_SHOWN, text)) + " " + invalid.getMessage()
                    + ". Correct it, or give --hosts A,B,..., --node-index I and --job-id ID");
        }
    }
}
