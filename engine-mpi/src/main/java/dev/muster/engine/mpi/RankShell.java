package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The shell that starts each rank. mpirun starts the same command on all hosts, but the path of the launcher's program differs. The shell
 * finds the path and becomes that program, which runs the rank.
 *
 * <p>The variable {@link #PLACE} tells the shell the private directory of the host's launcher: agent.sh sets it. On node 0 start.sh sets
 * {@link #PLACE_HERE} instead, since horovodrun replaces variables of other hosts that have the same name. If neither is set, or the
 * directory is missing, the rank runs without the launcher's program.
 */
final class RankShell {

    /** The variable with the private directory of the launcher on the rank's host. */
    static final String PLACE = "MUSTER_RANKS";

    /** The same variable on node 0. */
    static final String PLACE_HERE = "MUSTER_RANKS_HERE";

    private static final String RUN = "muster_place=${" + PLACE + "-${" + PLACE_HERE + "-}}; unset " + PLACE + " "
            + PLACE_HERE + "; [ ! -r \"$muster_place/rank.sh\" ] || . \"$muster_place/rank.sh\"; exec \"$@\"";

    /** Every machine has it. It is often a shell that drops variables whose names are not valid in a shell. */
    static final String SHELL = "/bin/sh";

    /**
     * The prefix of variables for the program that runs the rank. Before a name: the value of that variable. Before a number: name and
     * value of a variable whose name is not valid in a shell.
     */
    static final String PREFIX = "MUSTER_OWN_";

    /** Variables that shells change or remove, and variables of our scripts. */
    private static final Pattern CHANGED = Pattern.compile(
            "_|FUNCNEST|IFS|LINENO|OLDPWD|OPTIND|PPID|PS[124]|SHLVL|E?UID|BASH_VERSION|muster_[A-Za-z0-9_]*");

    private static final String PROGRAM = "program";
    private static final Pattern WRITABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private RankShell() {}

    /** The names under which variables reach the program that runs the rank, so that shells and mpirun cannot change them. */
    static Map<String, String> transportNames(JobSpec job) {
        Map<String, String> names = new TreeMap<>();
        for (String name : job.environment().keySet()) {
            boolean isChanged = CHANGED.matcher(name).matches();
            String kept = isChanged ? PREFIX + name : name;
            names.put(name, isValidName(name) ? kept : PREFIX + names.size());
        }
        return names;
    }

    /** The variables that the environment of mpirun, or of a login, needs for that. */
    static Map<String, Value> variables(JobSpec job) {
        Map<String, Value> variables = new TreeMap<>();
        transportNames(job).forEach((name, as) -> {
            if (!name.equals(as)) {
                String value = job.environment().getOrDefault(name, "");
                variables.put(as, Value.of(isValidName(name) ? value : name + "=" + value));
            }
        });
        return variables;
    }

    /** Whether every shell passes on a variable of this name. */
    static boolean isValidName(String name) {
        return WRITABLE.matcher(name).matches();
    }

    /** The user's command inside this shell, as mpirun starts it on every host. */
    static List<String> wrap(List<String> command) {
        List<String> words = new ArrayList<>(List.of(SHELL, "-c", RUN, "rank"));
        words.addAll(command);
        return words;
    }

    /** The files that a node with ranks must have. */
    static List<GeneratedFile> files() {
        Value path = Value.joined(Value.supervisor(), Value.of("\n"));
        return List.of(Scripts.RANK, new GeneratedFile(PROGRAM, Optional.empty(), PROGRAM, path));
    }
}
