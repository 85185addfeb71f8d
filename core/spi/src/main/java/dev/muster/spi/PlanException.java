package dev.muster.spi;

/**
 * No plan is possible. The message tells what is wrong, where the value came from and what to do.
 *
 * @since 0.1
 */
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

    public PlanException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
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
        String where = pointer.isEmpty() ? file : file + ", " + pointer;
        return new PlanException(Kind.DATA, where + ": " + problem + ". " + fix);
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
