package dev.muster.spi;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The shell under which a process that {@linkplain HostedRanks hosts ranks} may run each of them. It leaves the rank's notes, and keeps
 * its failure from that process while others of its ranks run here: it would end these in a time of its own. So the launcher alone
 * decides how long they have.
 *
 * <p>Its scripts are for any POSIX shell. Each hands on all variables that the shell itself does.
 *
 * @since 0.2
 */
public final class RankShell {

    /** On every machine; often one that drops variables whose names no shell could write. */
    private static final List<String> USUAL = List.of("/bin/sh");

    /** What a script of any shell may begin with: what differs between shells. */
    public static final Value DIFFERENCES = resource("shell");

    /** What a script may begin with, behind that, which starts programs of the user's: gives them the environment that it has got. */
    public static final Value RESTORING = resource("restore");

    private static final String KEEPS_ALL = "bash";

    /** What has to be known for {@link #of}. */
    public static final Input INPUT = new Input.Program(KEEPS_ALL, KEEPS_ALL, List.of("/bin", "/usr/bin"));

    private static final Pattern WRITABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private RankShell() {}

    /** Its words: the usual one, unless that would drop a variable of the job. */
    public static List<String> of(PlanRequest request) {
        // -p: it does not take functions out of the environment.
        return unwritable(request).isEmpty()
                ? USUAL
                : bash(request).map(path -> List.of(path, "-p")).orElse(USUAL);
    }

    /**
     * The warning that this shell may drop variables of the job, if it may.
     *
     * @param quote how the engine shows a name that may hold anything
     */
    public static Optional<Note> warning(PlanRequest request, UnaryOperator<String> quote) {
        List<String> dropped = bash(request).isPresent() ? List.of() : unwritable(request);
        return dropped.isEmpty()
                ? Optional.empty()
                : Optional.of(Note.warning("there is no bash, and other shells may drop these variables: "
                        + String.join(", ", dropped.stream().map(quote).toList())));
    }

    /** Whether every shell hands on a variable of this name. */
    public static boolean handsOn(String name) {
        return WRITABLE.matcher(name).matches();
    }

    private static Optional<String> bash(PlanRequest request) {
        return request.input(KEEPS_ALL, InputValue.Program.class).map(InputValue.Program::path);
    }

    private static List<String> unwritable(PlanRequest request) {
        return request.job().environment().keySet().stream()
                .filter(name -> !handsOn(name))
                .toList();
    }

    /**
     * The script, whose arguments are those that its beginning leaves: the command of the rank.
     *
     * @param beginning sets {@code muster_place}, the run's private directory on the rank's node, and {@code muster_rank}, and defines
     *     two functions: {@code make_ready} is called before the rank begins, and {@code is_decided} is true where the
     *     process that hosts the rank need not hear of its failure any more, once no other rank of the node runs
     */
    public static FileToWrite script(Value beginning) {
        Value text = Value.joined(Value.joined(DIFFERENCES, RESTORING), Value.joined(beginning, resource("rank")));
        return new FileToWrite("rank", Optional.empty(), "rank.sh", text);
    }

    private static Value resource(String name) {
        return new Value.Resource("/dev/muster/spi/" + name + ".sh");
    }
}
