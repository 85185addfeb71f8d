package dev.muster.runtime.report;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.Termination;
import java.util.Locale;
import java.util.OptionalInt;

/** The styles of exit codes: which code a cause gives. */
public enum ExitCodes {

    /** The rank's own code; 128+n for signal n to a rank or to the launcher. */
    STANDARD,

    /** The codes of ModelArts' own boot script: 256-n for a rank killed by signal n, 0 after SIGTERM. */
    MODELARTS,

    /**
     * The standard codes, adapted to Kubeflow's {@code restartPolicy: ExitCode}. Kubeflow restarts a job only from code 128 on, and
     * leaves 138 to the user. So a temporary failure gives 138.
     */
    KUBEFLOW;

    private static final int RETRYABLE = 138;

    /** The style for a value of {@code --exit-codes}. */
    public static ExitCodes named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    private int ofSignal(int number) {
        return this == MODELARTS ? 256 - number : ExitCode.ofSignal(number);
    }

    private int ofInterrupt(int number) {
        if (number == Signals.TIME_LIMIT) {
            return ExitCode.TIME_LIMIT.code();
        }
        return this == MODELARTS && number == SignalNames.TERM ? 0 : ExitCode.ofSignal(number);
    }

    /** The launcher's exit code for a code that no signal made. */
    public int of(int code) {
        return this == KUBEFLOW && code == ExitCode.TEMPORARY.code() ? RETRYABLE : code;
    }

    /** The launcher's exit code after SIGTERM stopped it. */
    public int afterTerm() {
        return ofInterrupt(SignalNames.TERM);
    }

    /** The launcher's exit code. */
    public int of(Cause cause) {
        return of(codeOf(cause));
    }

    private int codeOf(Cause cause) {
        if (cause instanceof Cause.OfProcess ended) {
            return codeOf(ended.termination());
        }
        if (cause instanceof Cause.Interrupted interrupted) {
            return ofInterrupt(interrupted.signal().number());
        }
        if (cause instanceof Cause.Elsewhere elsewhere) {
            return codeOf(elsewhere.end());
        }
        return cause instanceof Cause.Stated stated ? stated.exitCode() : 0;
    }

    private int codeOf(Termination how) {
        OptionalInt signal = how.signal();
        int code = signal.isPresent() ? ofSignal(signal.getAsInt()) : how.exitCode();
        // A service that ends with 0 without a stop has failed, too.
        return code == 0 ? ExitCode.UNAVAILABLE.code() : code;
    }

    /** The same code as if this node had caused the end. */
    private int codeOf(JobEnd end) {
        if (end.signal().isEmpty()) {
            return end.exitCode();
        }
        int number = end.signal().getAsInt();
        return end.kind() == JobEnd.Kind.STOPPED ? ofInterrupt(number) : ofSignal(number);
    }
}
