package dev.muster.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * How a process is stopped: a signal to its process group, a grace period, then KILL.
 *
 * @param signal name without SIG, for example {@code TERM}
 * @param grace empty: the job's own grace period ({@code --grace})
 * @since 0.1
 */
public record StopMethod(String signal, Optional<Duration> grace) {

    /** TERM and the job's grace period. */
    public static final StopMethod DEFAULT = new StopMethod("TERM", Optional.empty());
}
