package dev.muster.runtime.errors;

/**
 * The launcher cannot go on. The message is for the user: what happened, to what, where the value came from, what to do. The user sees it
 * unchanged; with {@link ExitCode#INTERNAL} also the stack trace.
 */
public final class MusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    public MusterException(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public MusterException(ExitCode exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    public static MusterException usage(String message) {
        return new MusterException(ExitCode.USAGE, message);
    }

    public static MusterException configuration(String message) {
        return new MusterException(ExitCode.CONFIGURATION, message);
    }
}
