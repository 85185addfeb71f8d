package dev.muster.runtime.conditions;

import dev.muster.spi.Condition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches the conditions of one run and says, once for each, that it has come true. What has come true stays true. Ports and
 * files are looked after by a thread of its own, which exists only where a plan names any.
 */
public final class ConditionWatch implements AutoCloseable {

    private final Consumer<Condition> met;
    private final LongSupplier nanoTime;

    private final Set<Condition> open;
    private final Set<Condition> trueLeaves = new HashSet<>();
    private final Set<String> endedIds = new HashSet<>();
    private @Nullable Prober prober;
    private boolean isClosed;

    /**
     * @param conditions all that the plan names; equal ones count once
     * @param nanoTime a clock that only goes forward
     * @param met called once for each of the conditions, on the thread of {@link #start} or {@link #ended} or on the probing
     *     thread; must not block
     */
    public ConditionWatch(Collection<Condition> conditions, LongSupplier nanoTime, Consumer<Condition> met) {
        this.open = new LinkedHashSet<>(conditions);
        this.nanoTime = nanoTime;
        this.met = met;
    }

    /** Begins to watch. What is true already is said before this returns. */
    public void start() {
        Set<Condition> leaves = new LinkedHashSet<>();
        for (Condition condition : open) {
            collectProbed(condition, leaves);
        }
        report();
        if (!leaves.isEmpty()) {
            Prober started = new Prober(leaves, nanoTime, this::probed);
            synchronized (this) {
                prober = started;
            }
            started.start();
        }
    }

    /** A process of the plan has ended, however. */
    public void ended(String id) {
        synchronized (this) {
            endedIds.add(id);
        }
        report();
    }

    /** Whether a condition, watched or a part of one that is, has come true. */
    public synchronized boolean isMet(Condition condition) {
        if (condition instanceof Condition.Exited exited) {
            return endedIds.containsAll(exited.ids());
        }
        if (condition instanceof Condition.AllOf all) {
            return firstOpen(all.parts()) == null;
        }
        if (condition instanceof Condition.AnyOf any) {
            for (Condition part : any.parts()) {
                if (isMet(part)) {
                    return true;
                }
            }
            return false;
        }
        return condition instanceof Condition.Immediately || trueLeaves.contains(condition);
    }

    /** Why a condition is not met yet, in words for the user; what is missing first, where it has parts. */
    public synchronized String reason(Condition condition) {
        if (isMet(condition)) {
            return "it holds";
        }
        if (condition instanceof Condition.Exited exited) {
            return stillRunning(exited);
        }
        if (condition instanceof Condition.AllOf all) {
            Condition missing = firstOpen(all.parts());
            return missing == null ? "it holds" : reason(missing);
        }
        if (condition instanceof Condition.AnyOf any) {
            List<String> reasons = new ArrayList<>();
            for (Condition part : any.parts()) {
                reasons.add(reason(part));
            }
            return String.join(", and ", reasons);
        }
        String reason = prober == null ? null : prober.reason(condition);
        return reason == null ? "nothing makes it true" : reason;
    }

    /** Says nothing any more. */
    @Override
    public synchronized void close() {
        isClosed = true;
        if (prober != null) {
            prober.close();
        }
    }

    private void probed(Condition leaf) {
        synchronized (this) {
            trueLeaves.add(leaf);
        }
        report();
    }

    private void report() {
        List<Condition> news = new ArrayList<>();
        synchronized (this) {
            for (Iterator<Condition> each = open.iterator(); each.hasNext() && !isClosed; ) {
                Condition condition = each.next();
                if (isMet(condition)) {
                    each.remove();
                    news.add(condition);
                }
            }
        }
        for (Condition condition : news) {
            met.accept(condition);
        }
    }

    private @Nullable Condition firstOpen(List<Condition> parts) {
        for (Condition part : parts) {
            if (!isMet(part)) {
                return part;
            }
        }
        return null;
    }

    private String stillRunning(Condition.Exited exited) {
        List<String> running = new ArrayList<>();
        for (String id : exited.ids()) {
            if (!endedIds.contains(id)) {
                running.add(id);
            }
        }
        return Conditions.list(running) + (running.size() == 1 ? " has not ended" : " have not ended");
    }

    private static void collectProbed(Condition condition, Set<Condition> leaves) {
        if (condition instanceof Condition.AllOf all) {
            all.parts().forEach(part -> collectProbed(part, leaves));
        } else if (condition instanceof Condition.AnyOf any) {
            any.parts().forEach(part -> collectProbed(part, leaves));
        } else if (condition instanceof Condition.PortOpen
                || condition instanceof Condition.PortClosed
                || condition instanceof Condition.FileReady) {
            leaves.add(condition);
        }
    }
}
