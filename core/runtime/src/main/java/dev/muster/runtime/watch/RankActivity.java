package dev.muster.runtime.watch;

import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Since when one rank gives no sign of life, as samples tell. Times are on the clock of who looks. */
final class RankActivity {

    /** What waiting itself may cost: timers and heartbeats. */
    private static final double WAITING = 0.05;

    private static final double TICKS = 100.0;
    private static final long BYTES = 64 * 1024;
    private static final long FAULTS = 200;

    private Map<String, Object> last;
    private long lookedAt;
    private long idleSince;
    private long stillSince;

    RankActivity(Map<String, Object> first, long now) {
        last = first;
        lookedAt = now;
        idleSince = now;
        stillSince = now;
    }

    /** Since when it has neither printed, nor moved data, nor used the CPU beyond waiting. */
    long idleSince() {
        return idleSince;
    }

    /** The same without the CPU: who polls uses that, and does nothing. */
    long stillSince() {
        return stillSince;
    }

    void looked(Map<String, Object> sample, long now) {
        boolean isOther = number(sample, "processes") != number(last, "processes");
        boolean isMoving = grown(sample, "bytes") > BYTES || grown(sample, "faults") > FAULTS;
        if (isOther || isMoving) {
            stillSince = now;
        } else if (sample.get("silentMillis") instanceof Number silent) {
            stillSince = Math.max(stillSince, now - TimeUnit.MILLISECONDS.toNanos(silent.longValue()));
        }
        double seconds = (now - lookedAt) / (double) TimeUnit.SECONDS.toNanos(1);
        boolean isBusy = grown(sample, "ticks") > 1 + WAITING * TICKS * seconds;
        idleSince = isBusy ? now : Math.max(idleSince, stillSince);
        last = sample;
        lookedAt = now;
    }

    private long grown(Map<String, Object> sample, String key) {
        return number(sample, key) - number(last, key);
    }

    private static long number(Map<String, Object> sample, String key) {
        return sample.get(key) instanceof Number number ? number.longValue() : 0;
    }
}
