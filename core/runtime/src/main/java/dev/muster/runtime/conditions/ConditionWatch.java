package dev.muster.runtime.conditions;

import dev.muster.spi.Condition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Watches the conditions of one run and says, once for each, that it has come true. What has come true stays true. Ports,
 * files and the clock are looked after by a thread of its own, which exists only where a plan names any.
 */
public final class ConditionWatch implements AutoCloseable {

    private final ObjLongConsumer<Condition> met;
    private final LongSupplier nanoTime;
    private final Inquirer inquirer;

    private final Set<Condition> open;
    private final Facts facts;
    private @Nullable Prober prober;
    private boolean isClosed;

    /**
     * @param conditions all that the plan names; equal ones count once
     * @param inquirer what only the run of the plan can tell
     * @param nanoTime a clock that only goes forward
     * @param met called once for each of the conditions, with the time when it came true, on the thread of {@link #start},
     *     {@link #ready} or {@link #ended} or on the probing thread; of those that come true at the same moment in the order of
     *     {@code conditions}; must not block
     */
    public ConditionWatch(
            Collection<Condition> conditions,
            Inquirer inquirer,
            LongSupplier nanoTime,
            ObjLongConsumer<Condition> met) {
        this.inquirer = inquirer;
        this.open = new LinkedHashSet<>(conditions);
        this.facts = new Facts(conditions);
        this.nanoTime = nanoTime;
        this.met = met;
    }

    /** Begins to watch; elapsed time counts from now. What is true already is said before this returns. */
    public void start() {
        long now = nanoTime.getAsLong();
        Set<Condition> leaves = new LinkedHashSet<>();
        for (Condition condition : open) {
            collectProbed(condition, leaves);
        }
        List<Condition> atOnce =
                leaves.stream().filter(ConditionWatch::isOverAtOnce).toList();
        atOnce.forEach(leaves::remove);
        met(atOnce, now);
        if (!leaves.isEmpty()) {
            Prober started = new Prober(leaves, inquirer, now, nanoTime, news -> met(news, nanoTime.getAsLong()));
            synchronized (this) {
                prober = started;
            }
            started.start();
        }
    }

    /**
     * A process, of the plan or of another launcher, has become ready.
     *
     * @param when on the clock of this watch
     */
    public void ready(String id, long when) {
        happened(() -> facts.ready(id), when);
    }

    /**
     * A process, of the plan or of another launcher, has ended, however.
     *
     * @param when on the clock of this watch
     */
    public void ended(String id, long when) {
        happened(() -> facts.ended(id), when);
    }

    private void happened(Runnable fact, long when) {
        List<Condition> news;
        synchronized (this) {
            fact.run();
            news = takeNews();
        }
        say(news, when);
    }

    /** Whether a condition, watched or a part of one that is, has come true. */
    public synchronized boolean isMet(Condition condition) {
        return facts.isMet(condition);
    }

    /** Why a condition is not met yet, in words for the user; what is missing first, where it has parts. */
    public synchronized String reason(Condition condition) {
        if (facts.isMet(condition)) {
            return "it holds";
        }
        if (condition instanceof Condition.Exited exited) {
            return open(exited.ids(), facts::hasEnded, " has not ended", " have not ended");
        }
        if (condition instanceof Condition.Ready ready) {
            return open(ready.ids(), facts::isReady, " is not ready", " are not ready");
        }
        if (condition instanceof Condition.AllOf all) {
            Condition missing = facts.firstOpen(all.parts());
            return missing == null ? "it holds" : reason(missing);
        }
        if (condition instanceof Condition.AnyOf any) {
            return String.join(", and ", any.parts().stream().map(this::reason).toList());
        }
        if (condition instanceof Condition.Before order) {
            return facts.isTooLate(order)
                    ? "it is too late for it: " + Conditions.describe(order.other())
                    : reason(order.first());
        }
        String reason = prober == null ? null : prober.reason(condition);
        return reason == null ? "nothing makes it true" : reason;
    }

    /**
     * What is missing of a condition: for each part that has not come true, what it is about and in brackets why. Of
     * several parts that are about the same, the first.
     */
    public synchronized List<String> missing(Condition condition) {
        Map<Object, String> missing = new LinkedHashMap<>();
        collectMissing(condition, missing);
        return List.copyOf(missing.values());
    }

    /** Where hosts were seen with an open port, by the names that conditions give them. */
    public synchronized Map<String, String> addresses() {
        return prober == null ? Map.of() : prober.addresses();
    }

    /** Runs no commands any more; conditions that wait for what one says do not come true. */
    public synchronized void stopAsking() {
        if (prober != null) {
            prober.stopAsking();
        }
    }

    /** Says nothing any more. */
    @Override
    public synchronized void close() {
        isClosed = true;
        if (prober != null) {
            prober.close();
        }
    }

    private void met(List<Condition> leaves, long when) {
        List<Condition> news;
        synchronized (this) {
            facts.met(leaves);
            news = takeNews();
        }
        say(news, when);
    }

    private List<Condition> takeNews() {
        List<Condition> news = new ArrayList<>();
        for (Iterator<Condition> each = open.iterator(); each.hasNext() && !isClosed; ) {
            Condition condition = each.next();
            if (facts.isMet(condition)) {
                each.remove();
                news.add(condition);
            }
        }
        return news;
    }

    private void say(List<Condition> news, long when) {
        for (Condition condition : news) {
            met.accept(condition, when);
        }
    }

    private static String open(Collection<String> ids, Predicate<String> isDone, String one, String many) {
        List<String> open = new ArrayList<>();
        for (String id : ids) {
            if (!isDone.test(id)) {
                open.add(id);
            }
        }
        return Conditions.processes(open) + (open.size() == 1 ? one : many);
    }

    private void collectMissing(Condition condition, Map<Object, String> missing) {
        if (facts.isMet(condition)) {
            return;
        }
        List<Condition> parts =
                condition instanceof Condition.Before order ? List.of(order.first()) : Conditions.parts(condition);
        parts.forEach(part -> collectMissing(part, missing));
        if (parts.isEmpty()) {
            String brief = prober == null ? null : prober.brief(condition);
            missing.putIfAbsent(Conditions.subjects(List.of(condition)), brief == null ? reason(condition) : brief);
        }
    }

    private static boolean isOverAtOnce(Condition condition) {
        return condition instanceof Condition.Elapsed elapsed && elapsed.time().compareTo(Duration.ZERO) <= 0;
    }

    private static void collectProbed(Condition condition, Set<Condition> leaves) {
        Conditions.parts(condition).forEach(part -> collectProbed(part, leaves));
        if (condition instanceof Condition.CommandEnds question) {
            question.after().ifPresent(leaves::add);
            leaves.add(question);
        }
        if (condition instanceof Condition.PortOpen
                || condition instanceof Condition.PortClosed
                || condition instanceof Condition.FileReady
                || condition instanceof Condition.PrivateFileReady
                || condition instanceof Condition.Elapsed) {
            leaves.add(condition);
        }
    }
}
