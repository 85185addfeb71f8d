package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.report.Cause;

/** What a signal to the launcher means for the job. */
public final class Interruption {

    private static final String KILLED = "its launcher was killed (the supervisor of bin/muster is gone)";

    private Interruption() {}

    /** @param signal its name without SIG; SIGKILL comes to no launcher, but to its process that gets the signals */
    public static Cause by(String signal, int number) {
        return signal.equals(Signals.KILLED) ? killed() : new Cause.Interrupted(signal, number);
    }

    /** The supervisor was killed. */
    static Cause killed() {
        return new Cause.Decided(ExitCode.TEMPORARY.code(), KILLED);
    }

    /** Whether it is the end of a launcher that was killed: for the others it is lost, whatever it could still say. */
    public static boolean isOfKilled(Cause cause) {
        return cause instanceof Cause.Decided decided && decided.reason().equals(KILLED);
    }
}
