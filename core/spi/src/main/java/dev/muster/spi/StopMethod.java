package dev.muster.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How a process is stopped: a signal to its process group, a grace period, then KILL.
 *
 * @param signal name without SIG, for example {@code TERM}
 * @param grace empty: the job's own grace period ({@code --grace})
 * @param first who gets the signal before the process itself
 * @since 0.1
 */
public record StopMethod(String signal, Optional<Duration> grace, Optional<Forerunners> first) {

    /** TERM and the job's grace period. */
    public static final StopMethod DEFAULT = new StopMethod("TERM", Optional.empty());

    /** The process group itself. */
    public StopMethod(String signal, Optional<Duration> grace) {
        this(signal, grace, Optional.empty());
    }

    /**
     * Processes of the run that get the signal and the grace period while the process that looks after them goes on: the ranks
     * under an mpirun or an sshd. The process itself gets its signal when none of them is left and {@code afterwards} holds, or
     * when the grace period is over; until KILL it then has what is left of the period, but five seconds, or a shorter grace
     * period, at least. On a stop (see {@link ProcessSpec.Phase#ON_STOP}) forerunners get the signal at once, whenever their
     * process is going to be stopped. What they start themselves after the signal does not get it.
     *
     * <p>What they leave behind when all of them on the node have ended gets the signal too, and KILL after the grace period:
     * their process may wait for it.
     *
     * @param variables whoever carries the run's {@linkplain Value.RunMarker marker} and has one of these in its environment is
     *     meant
     * @param afterwards what else the process waits for
     */
    public record Forerunners(SortedSet<String> variables, Condition afterwards) {

        public Forerunners {
            variables = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(variables));
        }
    }
}
