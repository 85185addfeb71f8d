package dev.muster.runtime.report;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.Termination;
import java.util.Locale;
import java.util.OptionalInt;

/** Which exit code a cause gives. */
public enum ExitCodes {

    /** A rank's own code; 128+n for signal n, of a rank or of the launcher. */
    STANDARD,

    /** What ModelArts' own boot script gives: 256-n for a rank killed by signal n, 0 after SIGTERM. */
    MODELARTS,

    /**
     * As the standard, for Kubeflow's {@code restartPolicy: ExitCode}: that starts a job again from 128 on only, and leaves 138
     * to the user. So what may go well the next time becomes that.
     */
    KUBEFLOW;

    private static final int RETRYABLE = 138;

    /** By the value of {@code --exit-codes}. */
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

    /** What the launcher ends with instead of a code that no signal made, its own or a rank's. */
    public int of(int code) {
        return this == KUBEFLOW && code == ExitCode.TEMPORARY.code() ? RETRYABLE : code;
    }

    /** What the launcher ends with when SIGTERM has stopped it. */
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
        // A service that ends with 0 before it was told to has failed all the same.
        return code == 0 ? ExitCode.UNAVAILABLE.code() : code;
    }

    /** As if it had happened here. */
    private int codeOf(JobEnd end) {
        if (end.signal().isEmpty()) {
            return end.exitCode();
        }
        int number = end.signal().getAsInt();
        return end.kind() == JobEnd.Kind.STOPPED ? ofInterrupt(number) : ofSignal(number);
    }
}
