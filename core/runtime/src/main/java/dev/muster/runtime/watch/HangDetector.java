package dev.muster.runtime.watch;

import dev.muster.runtime.questions.NodeAnswer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** Decides whether a job hangs: no rank shows a sign of life. */
final class HangDetector {

    /** Ranks that use the CPU are watched this many times longer than idle ranks. */
    static final int FOR_BUSY = 3;

    private final long timeout;
    private final Map<String, RankActivity> ranks = new HashMap<>();
    /** The last stacks of all ranks, while ranks only use the CPU; empty: not read yet. */
    private String stacks = "";

    private boolean isTold;

    /** What to do now. */
    enum Finding {
        /** A rank makes progress, or it is too early to decide. */
        ALIVE,
        /** Only the stacks can tell: the caller must call {@link #seen}. */
        DOUBTFUL,
        /** It hangs. */
        HANGS
    }

    HangDetector(Duration timeout) {
        this.timeout = timeout.toNanos();
    }

    /** Takes the answers of all nodes. If one does not answer, nothing can be decided. */
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

    /** Takes the stacks of all ranks, after {@link Finding#DOUBTFUL}. The job hangs if they stay the same for long enough. */
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

    /** False if no rank runs. */
    private boolean look(List<NodeAnswer> answers, long now) {
        Map<String, Map<String, Object>> samples = new HashMap<>();
        answers.forEach(answer -> answer.objects(TopHandler.ACTIVITY)
                .forEach(rank -> samples.put(answer.node() + " " + rank.get("id"), rank)));
        ranks.keySet().retainAll(samples.keySet());
        samples.forEach((name, sample) -> ranks.computeIfAbsent(name, any -> new RankActivity(sample, now))
                .looked(sample, now));
        return !ranks.isEmpty();
    }

    /** The time of the last sign of life of any rank. */
    private long latest(ToLongFunction<RankActivity> since) {
        return ranks.values().stream().mapToLong(since).max().orElseThrow();
    }

    /** The signs of life of one rank, by samples. Times are on this launcher's clock. */
    private static final class RankActivity {

        /** The CPU share that a wait may use: timers and heartbeats. */
        private static final double WAITING = 0.05;

        private static final double TICKS = 100.0;
        private static final long BYTES = 64 * 1024;
        private static final long FAULTS = 200;

        private Map<String, Object> last;
        private long lookedAt;
        /** The last time when it printed, moved data, or used more CPU than a wait does. */
        private long idleSince;
        /** The same without the CPU: a rank that only polls uses CPU, too. */
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
