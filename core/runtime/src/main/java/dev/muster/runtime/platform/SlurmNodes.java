package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The nodes of a Slurm step, or of the whole job where this is no step, in the order in which Slurm numbers them. */
final class SlurmNodes {

    /** Ids that Slurm gives to what is no step of srun's: the batch script, an interactive shell and the like. */
    private static final Pattern NO_STEP = Pattern.compile("429496729[0-5]");

    private static final int MOST_SHOWN = 80;

    private final EvidenceReader evidence;

    SlurmNodes(EvidenceReader evidence) {
        this.evidence = evidence;
    }

    boolean isInStep() {
        Optional<String> step = evidence.value(Slurm.STEP_ID);
        return step.isPresent() && !NO_STEP.matcher(step.get()).matches();
    }

    /** The variable, or the kind of variable, that names all hosts. */
    String listOfAll() {
        return isInStep()
                ? Slurm.STEP_NODELIST
                : components() > 0 ? Slurm.HET_NODELIST.get(0) + "*" : Slurm.JOB_NODELIST;
    }

    /** The hosts in the order in which Slurm numbers them: component by component, each in the order of its list. */
    List<String> names() {
        if (!isInStep()) {
            List<String> all = components(Optional.empty());
            return all.isEmpty() ? list(Slurm.JOB_NODELIST, Slurm.JOB_NUM_NODES) : all;
        }
        List<String> sorted = list(Slurm.STEP_NODELIST, Slurm.STEP_NUM_NODES);
        List<String> ordered = components(Optional.of(new HashSet<>(sorted)));
        return ordered.size() == sorted.size() ? ordered : sorted;
    }

    /** Of how many components the job is that is heterogeneous; 0: it is none. Both names of the variable say the same. */
    int components() {
        return evidence.firstSet(Slurm.HET_SIZE)
                .map(variable -> evidence.wholeNumber(variable, 1, OptionTable.MOST_NODES))
                .orElse(0);
    }

    /** The hosts of the components that lie wholly within a step. */
    private List<String> components(Optional<Set<String>> step) {
        List<String> names = new ArrayList<>();
        int size = components();
        for (int component = 0; component < size; component++) {
            int number = component;
            List<String> variables =
                    Slurm.HET_NODELIST.stream().map(prefix -> prefix + number).toList();
            Optional<String> variable = evidence.firstSet(variables);
            List<String> hosts = variable.isPresent() ? list(variable.get()) : List.of();
            if (step.isEmpty() || step.get().containsAll(hosts)) {
                names.addAll(hosts);
            }
        }
        return names;
    }

    private List<String> list(String variable, String countVariable) {
        List<String> names = list(variable);
        if (evidence.isSet(countVariable) && evidence.wholeNumber(countVariable, 1, Slurm.MOST) != names.size()) {
            throw MusterException.configuration(countVariable + "=" + evidence.wholeNumber(countVariable, 1, Slurm.MOST)
                    + ", but " + variable + " names " + names.size() + " hosts: "
                    + shortened(evidence.value(variable).orElse("")));
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
                throw new Hostlist.Invalid("names a host twice");
            }
            return names;
        } catch (Hostlist.Invalid invalid) {
            throw MusterException.configuration(
                    variable + "=" + Printable.quote(shortened(text)) + " " + invalid.getMessage());
        }
    }

    static String shortened(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }
}
