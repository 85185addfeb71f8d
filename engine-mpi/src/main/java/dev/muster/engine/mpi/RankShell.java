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
 * The shell that becomes each rank. Where the launcher's program lies differs from host to host, and mpirun starts the same words on all:
 * the shell finds out, and becomes that program, which runs the rank.
 *
 * <p>Whoever starts something for ranks on a host sets {@link #PLACE} in its environment: the private directory of that host's launcher.
 * On node 0 it is {@link #PLACE_HERE}, since horovodrun replaces what other hosts have under the same name. Where neither is set, or the
 * directory is not there, the rank runs without.
 */
final class RankShell {

    /** The private directory of the launcher on the rank's host. */
    static final String PLACE = "MUSTER_RANKS";

    /** The same on node 0. */
    static final String PLACE_HERE = "MUSTER_RANKS_HERE";

    private static final String RUN = "muster_place=${" + PLACE + "-${" + PLACE_HERE + "-}}; unset " + PLACE + " "
            + PLACE_HERE + "; [ ! -r \"$muster_place/rank.sh\" ] || . \"$muster_place/rank.sh\"; exec \"$@\"";

    /** On every machine; often one that drops variables whose names no shell could write. */
    static final String SHELL = "/bin/sh";

    /**
     * Before the name of a variable: its value, for the program that runs the rank. Before a number: name and value of one that no shell
     * could write.
     */
    static final String OWN = "MUSTER_OWN_";

    /** What shells change, or take out of the environment; and what our scripts use. */
    private static final Pattern CHANGED = Pattern.compile(
            "_|FUNCNEST|IFS|LINENO|OLDPWD|OPTIND|PPID|PS[124]|SHLVL|E?UID|BASH_VERSION|muster_[A-Za-z0-9_]*");

    private static final String PROGRAM = "program";
    private static final Pattern WRITABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private RankShell() {}

    /** The names under which variables reach the program that runs the rank, whatever shells and mpirun do with their own. */
    static Map<String, String> carried(JobSpec job) {
        Map<String, String> carried = new TreeMap<>();
        for (String name : job.environment().keySet()) {
            boolean isChanged = CHANGED.matcher(name).matches();
            String kept = isChanged ? OWN + name : name;
            carried.put(name, handsOn(name) ? kept : OWN + carried.size());
        }
        return carried;
    }

    /** What the environment of whoever starts ranks must have for that. */
    static Map<String, Value> variables(JobSpec job) {
        Map<String, Value> variables = new TreeMap<>();
        carried(job).forEach((name, as) -> {
            if (!name.equals(as)) {
                String value = job.environment().getOrDefault(name, "");
                variables.put(as, Value.of(handsOn(name) ? value : name + "=" + value));
            }
        });
        return variables;
    }

    /** Whether every shell hands on a variable of this name. */
    static boolean handsOn(String name) {
        return WRITABLE.matcher(name).matches();
    }

    /** The user's command as it has to be started on every host. */
    static List<String> around(List<String> command) {
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
