package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Note;
import dev.muster.spi.PlanRequest;
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
    private static final List<String> USUAL = List.of("/bin/sh");

    private static final String KEEPS_ALL = "bash";

    /** What has to be known for {@link #of}. */
    static final Input INPUT = new Input.Program(KEEPS_ALL, KEEPS_ALL, List.of("/bin", "/usr/bin"));

    /** Before the name of a variable: its value, for the program that runs the rank. */
    static final String OWN = "MUSTER_OWN_";

    /** What shells change, or take out of the environment; and what our scripts use. */
    private static final Pattern CHANGED = Pattern.compile(
            "_|FUNCNEST|IFS|LINENO|OLDPWD|OPTIND|PPID|PS[124]|SHLVL|E?UID|BASH_VERSION|muster_[A-Za-z0-9_]*");

    private static final String PROGRAM = "program";
    private static final Pattern WRITABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private RankShell() {}

    /** Its words: the usual one, unless that would drop a variable of the job. */
    static List<String> of(PlanRequest request) {
        // -p: it does not take functions out of the environment.
        return unwritable(request.job()).isEmpty()
                ? USUAL
                : bash(request).map(path -> List.of(path, "-p")).orElse(USUAL);
    }

    /** The warning that this shell may drop variables of the job, if it may. */
    static Optional<Note> warning(PlanRequest request) {
        List<String> dropped = bash(request).isPresent() ? List.of() : unwritable(request.job());
        return dropped.isEmpty()
                ? Optional.empty()
                : Optional.of(Note.warning("there is no bash, and other shells may drop these variables: "
                        + String.join(
                                ", ", dropped.stream().map(Messages::quote).toList())));
    }

    /** The name under which a variable reaches the program that runs the rank, whatever shells do with its own. */
    static String carried(String name) {
        return CHANGED.matcher(name).matches() ? OWN + name : name;
    }

    /** What the environment of whoever starts ranks must have for that. */
    static Map<String, Value> carried(JobSpec job) {
        Map<String, Value> carried = new TreeMap<>();
        job.environment().forEach((name, value) -> carried.put(carried(name), Value.of(value)));
        carried.keySet().removeAll(job.environment().keySet());
        return carried;
    }

    /** Whether every shell hands on a variable of this name. */
    static boolean handsOn(String name) {
        return WRITABLE.matcher(name).matches();
    }

    /** The user's command as it has to be started on every host. */
    static List<String> around(List<String> shell, List<String> command) {
        List<String> words = new ArrayList<>(shell);
        words.addAll(List.of("-c", RUN, "rank"));
        words.addAll(command);
        return words;
    }

    /** The files that a node with ranks must have. */
    static List<GeneratedFile> files() {
        Value path = Value.joined(Value.supervisor(), Value.of("\n"));
        return List.of(Scripts.RANK, new GeneratedFile(PROGRAM, Optional.empty(), PROGRAM, path));
    }

    private static Optional<String> bash(PlanRequest request) {
        return request.input(KEEPS_ALL, InputValue.Program.class).map(InputValue.Program::path);
    }

    private static List<String> unwritable(JobSpec job) {
        return job.environment().keySet().stream()
                .filter(name -> !handsOn(name))
                .toList();
    }
}
