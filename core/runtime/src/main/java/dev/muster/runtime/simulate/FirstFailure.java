package dev.muster.runtime.simulate;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.SignalNames;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node that failed first: one that failed itself before one that heard of it. Its launcher need not be the first to end: it has ranks to stop, while launchers elsewhere that
 * lost their peer, or were told that the job is over, may be gone at once.
 */
final class FirstFailure {

    private static final int TERMINATED = ExitCode.ofSignal(SignalNames.TERM);

    private @Nullable Instant when;
    private boolean isOwn;
    private int exitCode;
    private String reason = "";

    /**
     * Takes this failure for the first one until there is one that came earlier.
     *
     * @param known when it became known
     * @param why in a sentence
     * @param own whether the node failed itself, and was not told of another one's failure
     */
    void consider(Instant known, int code, String why, boolean own) {
        if (when == null || (own && !isOwn) || (own == isOwn && known.isBefore(when))) {
            when = known;
            isOwn = own;
            exitCode = code;
            reason = why;
        }
    }

    /**
     * Whether there is a failure, and it came earlier than the end of a launcher that could not say why. That launcher has died before
     * its node ended: what was started elsewhere from there, as by mpirun, had its SIGTERM meanwhile, and is no cause.
     *
     * @param silentEnd empty: there was none
     */
    boolean isKnownBefore(Optional<Instant> silentEnd) {
        return when != null && (silentEnd.isEmpty() || (exitCode != TERMINATED && when.isBefore(silentEnd.get())));
    }

    int exitCode() {
        return exitCode;
    }

    /** Empty while there is no failure. */
    String reason() {
        return reason;
    }
}
