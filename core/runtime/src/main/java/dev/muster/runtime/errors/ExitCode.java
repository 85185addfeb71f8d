package dev.muster.runtime.errors;

import dev.muster.spi.PlanException;

/**
 * The launcher's own exit codes, after BSD's sysexits and the shell. A rank's own code passes unchanged. A rank killed by signal n gives
 * 128+n.
 */
public enum ExitCode {
    USAGE(64, "wrong options or arguments"),
    DATA(65, "wrong input data, such as a rank table"),
    UNAVAILABLE(69, "an engine or a component is not available"),
    INTERNAL(70, "an error in Muster itself"),
    TEMPORARY(75, "a wait ran out (rank table, peers); trying again may help"),
    CONFIGURATION(78, "wrong or missing variables, settings, directories"),
    TIME_LIMIT(124, "the time of --time-limit was over"),
    NOT_EXECUTABLE(126, "the command cannot be executed"),
    NOT_FOUND(127, "the command was not found");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    /** The text for the help, without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** The exit code after signal {@code number} stopped the launcher or a rank. */
    public static int ofSignal(int number) {
        return 128 + number;
    }

    /** The code for an exception that ends the launcher. If the system gives no thread, a new try may help. */
    public static ExitCode of(Throwable thrown) {
        if (thrown instanceof MusterException refused) {
            return refused.exitCode();
        }
        return NoThread.isIn(thrown) ? TEMPORARY : INTERNAL;
    }

    /** The code for an engine's refusal. The names are equal. */
    public static ExitCode of(PlanException.Kind kind) {
        return valueOf(kind.name());
    }
}
