package dev.muster.runtime.output;

/**
 * When the last process that could print into an output has ended or closed it, compared with the ends of other outputs. The kernel
 * keeps what happens at outputs in its order until somebody asks, however late that is on a busy machine.
 *
 * @param lastHeard place in the order of all outputs' events of the last one that brought bytes and may hide the end; the same
 *     as {@code end} where nothing hides it
 * @param end place of the event that was the end
 */
public record EndOfOutput(long lastHeard, long end) {

    /** Whether this one certainly came before the other: neither bytes nor an end of that one had come yet. */
    public boolean isSurelyBefore(EndOfOutput other) {
        return lastHeard == end && end < other.lastHeard;
    }
}
