package dev.muster.runtime.watch;

import dev.muster.runtime.questions.NodeAnswer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
                .allMatch(answer -> Boolean.TRUE.equals(answer.content().get("open")));
        if (!isKnown || !look(answers, now)) {
            return Finding.ALIVE;
        }
        boolean isIdle = now - latest(RankActivity::idleSince) >= timeout;
        long still = now - latest(RankActivity::stillSince);
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
        isTold = now - latest(RankActivity::stillSince) >= FOR_BUSY * timeout;
        return isTold ? Finding.HANGS : Finding.ALIVE;
    }

    /** False: no rank runs. */
    private boolean look(List<NodeAnswer> answers, long now) {
        Map<String, Map<String, Object>> samples = new HashMap<>();
        answers.forEach(answer ->
                answer.objects("ranks").forEach(rank -> samples.put(answer.node() + " " + rank.get("id"), rank)));
        Set<String> names = samples.keySet();
        ranks.keySet().retainAll(names);
        samples.forEach((name, sample) -> {
            RankActivity known = ranks.get(name);
            if (known == null) {
                ranks.put(name, new RankActivity(sample, now));
            } else {
                known.looked(sample, now);
            }
        });
        return !ranks.isEmpty();
    }

    /** Since the last sign of any. */
    private long latest(ToLongFunction<RankActivity> since) {
        return ranks.values().stream().mapToLong(since).max().orElseThrow();
    }
}
