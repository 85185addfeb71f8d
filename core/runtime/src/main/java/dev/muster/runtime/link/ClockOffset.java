package dev.muster.runtime.link;

import java.util.concurrent.TimeUnit;

/**
 * How far a peer's clock is ahead of ours, from the times of sending and arrival that batches carry. The truth lies within half
 * the round trip of the guess, whatever the network does; so the sample with the shortest round trip is kept, and trusted less
 * with time, since clocks drift.
 */
final class ClockOffset {

    /** Between two quartz clocks; nanoseconds in which they may part by one. */
    private static final long DRIFT = 10_000;
    /** Where nothing was measured. */
    static final long UNKNOWN = TimeUnit.SECONDS.toNanos(1);

    /** The first round trips of a launcher that has just been started are slow, and so say little. */
    private static final int ENOUGH = 3;

    private int samples;
    private boolean isMeasured;
    private long ahead;
    private long halfTrip;
    private long measuredAt;

    /**
     * A batch of ours went there and one of theirs came back.
     *
     * @param sentHere when ours left, on our clock
     * @param heldFor nanoseconds between its arrival and their sending
     * @param sentThere when theirs left, on their clock
     * @param now when it came, on our clock
     */
    void sample(long sentHere, long heldFor, long sentThere, long now) {
        long trip = now - sentHere - heldFor;
        if (heldFor < 0 || trip < 0) {
            return;
        }
        samples++;
        if (!isMeasured || trip / 2 <= uncertainty(now)) {
            isMeasured = true;
            ahead = sentThere - (now - trip / 2);
            halfTrip = trip / 2;
            measuredAt = now;
        }
    }

    /** Whether nothing much better can be expected soon. */
    boolean isKnown() {
        return samples >= ENOUGH;
    }

    /** A time on the peer's clock, on ours; never later than now, when we know of it. */
    long here(long there, long now) {
        long here = there - ahead;
        return isMeasured && here - now <= 0 ? here : now;
    }

    /** How far {@link #here} may be wrong. */
    long uncertainty(long now) {
        return isMeasured ? halfTrip + (now - measuredAt) / DRIFT : UNKNOWN;
    }
}
