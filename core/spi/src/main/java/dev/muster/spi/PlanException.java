package dev.muster.spi;

import java.util.Optional;

/**
 * A refusal: no plan is possible. The message tells what is wrong, where the value came from and what to do.
 *
 * @since 0.1
 */
@Stability(stable = true)
public final class PlanException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The kind of mistake. It decides the launcher's exit code. */
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
     * Why an input does not list this node, as the end of a sentence; empty: another problem. With {@code --restarts} the runtime waits
     * for a new version of such an input, because the platform may rewrite it when it replaces nodes.
     */
    public Optional<String> absence() {
        return absence.isEmpty() ? Optional.empty() : Optional.of(absence);
    }

    /**
     * A correct JSON file that does not list this node: see {@link #absence}. The parameters are those of {@link
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
