package dev.muster.spi;

import java.util.Optional;

/**
 * No plan is possible. The message tells what is wrong, where the value came from and what to do.
 *
 * @since 0.1
 */
@Stability(stable = true)
public final class PlanException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What kind of mistake it is; decides the launcher's exit code. */
    public enum Kind {
        /** Wrong options: exit code 64. */
        USAGE,
        /** Wrong content of an input such as a rank table: exit code 65. */
        DATA,
        /** A component is missing: exit code 69. */
        UNAVAILABLE,
        /** Wrong or missing environment variables or settings: exit code 78. */
        CONFIGURATION
    }

    private final Kind kind;
    private final String absence;

    public PlanException(Kind kind, String message) {
        this(kind, message, "");
    }

    private PlanException(Kind kind, String message, String absence) {
        super(message);
        this.kind = kind;
        this.absence = absence;
    }

    public Kind kind() {
        return kind;
    }

    /**
     * In which words an input leaves out this node, where that is what is wrong: the rest of a sentence. A job that may have several
     * runs awaits such an input, since it may be written anew when nodes are replaced.
     */
    public Optional<String> absence() {
        return absence.isEmpty() ? Optional.empty() : Optional.of(absence);
    }

    /**
     * A JSON file that is right, but for nodes among which this one is not: see {@link #absence}. The parameters are those of {@link
     * #data}.
     */
    public static PlanException absent(String file, String pointer, String problem, String fix) {
        return new PlanException(Kind.DATA, message(file, pointer, problem, fix), problem);
    }

    /**
     * Wrong data in a JSON file.
     *
     * @param file the file's path
     * @param pointer JSON pointer to the value, for example {@code /server_list/0/server_id}; empty for the whole file
     * @param problem what is wrong, with the value
     * @param fix what to do
     */
    public static PlanException data(String file, String pointer, String problem, String fix) {
        return new PlanException(Kind.DATA, message(file, pointer, problem, fix));
    }

    /** Environment and settings do not fit the job. */
    public static PlanException configuration(String message) {
        return new PlanException(Kind.CONFIGURATION, message);
    }

    /** A program, a key or an account is missing on this machine. */
    public static PlanException unavailable(String message) {
        return new PlanException(Kind.UNAVAILABLE, message);
    }

    private static String message(String file, String pointer, String problem, String fix) {
        String where = pointer.isEmpty() ? file : file + ", " + pointer;
        return where + ": " + problem + ". " + fix;
    }

    /**
     * A wrong value: a mistake of usage when it came from the command line, else one of configuration.
     *
     * @param value what was given, with its origin
     * @param message what is wrong with it and what to do
     */
    public static PlanException ofValue(OptionValue value, String message) {
        boolean isFlag = value.origin().startsWith("-");
        return new PlanException(isFlag ? Kind.USAGE : Kind.CONFIGURATION, message);
    }
}
