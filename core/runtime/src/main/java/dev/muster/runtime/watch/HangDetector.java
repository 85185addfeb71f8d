package dev.muster.runtime.watch;

import dev.muster.runtime.questions.NodeAnswer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** Tells whether a job hangs: none of its ranks gives a sign of life. */
final class HangDetector {

    /** How many times longer than idle ranks those are watched that use the CPU. */
    static final int FOR_BUSY = 3;

    private final long timeout;
    private final Map<String, RankActivity> ranks = new HashMap<>();
    /** Of ranks that use the CPU, while they are watched; empty: nobody has looked yet. */
    private String stacks = "";

    private boolean isTold;

    /** What is to be done now. */
    enum Finding {
        /** Somebody does something, or it is too early to say. */
        ALIVE,
        /** Only where ranks stand can tell: {@link #seen} must be called. */
        DOUBTFUL,
        /** It hangs. */
        HANGS
    }

    HangDetector(Duration timeout) {
        this.timeout = timeout.toNanos();
    }

    /** What all nodes have answered; where one does not, nothing is known. */
    Finding looked(List<NodeAnswer> answers, long now) {
        boolean isKnown = answers.stream()
                .allMatch(answer -> "running".equals(answer.content().get("state")));
        if (!isKnown || !look(answers, now)) {
            return Finding.ALIVE;
        }
        boolean isIdle = now - latest(rank -> rank.idleSince) >= timeout;
        long still = now - latest(rank -> rank.stillSince);
        if (still < timeout) {
            stacks = "";
            isTold = false;
        }
        if (isTold || (!isIdle && still < (FOR_BUSY - 1) * timeout)) {
            return Finding.ALIVE;
        }
        isTold = isIdle;
        return isIdle ? Finding.HANGS : Finding.DOUBTFUL;
    }

    /** Where all stand, once there is doubt: it hangs where that is the same, again and again. */
    Finding seen(String stacksNow, long now) {
        if (!stacks.isEmpty() && !stacks.equals(stacksNow)) {
            ranks.replaceAll((name, rank) -> new RankActivity(Map.of(), now));
            stacks = "";
            return Finding.ALIVE;
        }
        stacks = stacksNow;
        isTold = now - latest(rank -> rank.stillSince) >= FOR_BUSY * timeout;
        return isTold ? Finding.HANGS : Finding.ALIVE;
    }

    /** False: no rank runs. */
    private boolean look(List<NodeAnswer> answers, long now) {
        Map<String, Map<String, Object>> samples = new HashMap<>();
        answers.forEach(answer -> answer.objects(TopHandler.ACTIVITY)
                .forEach(rank -> samples.put(answer.node() + " " + rank.get("id"), rank)));
        ranks.keySet().retainAll(samples.keySet());
        samples.forEach((name, sample) -> ranks.computeIfAbsent(name, any -> new RankActivity(sample, now))
                .looked(sample, now));
        return !ranks.isEmpty();
    }

    /** Since the last sign of any. */
    private long latest(ToLongFunction<RankActivity> since) {
        return ranks.values().stream().mapToLong(since).max().orElseThrow();
    }

    /** Since when one rank gives no sign of life, as samples tell. Times are on the clock of who looks. */
    private static final class RankActivity {

        /** What waiting itself may cost: timers and heartbeats. */
        private static final double WAITING = 0.05;

        private static final double TICKS = 100.0;
        private static final long BYTES = 64 * 1024;
        private static final long FAULTS = 200;

        private Map<String, Object> last;
        private long lookedAt;
        /** Since when it has neither printed, nor moved data, nor used the CPU beyond waiting. */
        private long idleSince;
        /** The same without the CPU: who polls uses that, and does nothing. */
        private long stillSince;

        RankActivity(Map<String, Object> first, long now) {
            last = first;
            lookedAt = now;
            idleSince = now;
            stillSince = now;
        }

        void looked(Map<String, Object> sample, long now) {
            boolean isOther = number(sample, "processes") != number(last, "processes");
            if (isOther || grown(sample, "bytes") > BYTES || grown(sample, "faults") > FAULTS) {
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
}
