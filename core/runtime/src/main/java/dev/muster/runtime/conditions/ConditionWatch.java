package dev.muster.runtime.conditions;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;

/**
 * Watches the conditions of one attempt, and reports once for each that it has come true. A condition that has come true stays true. Each
 * port of the plan has a thread of its own.
 */
public final class ConditionWatch implements AutoCloseable {

    private static final String NOTHING = "nothing makes it true";

    private final ObjLongConsumer<Condition> met;
    private final LongSupplier nanoTime;

    private final Set<Condition> open = new LinkedHashSet<>();
    private boolean hasImmediate;
    private final Set<Condition> openPorts = new HashSet<>();
    private final Set<String> readyIds = new HashSet<>();
    private final Set<String> endedIds = new HashSet<>();
    private final Map<Condition, PortProbe> probes = new HashMap<>();
    private boolean isClosed;

    /**
     * @param conditions all conditions of the plan; equal ones count once
     * @param nanoTime a monotonic clock
     * @param met called once for each condition, with the time at which it came true. It runs on the thread of {@link #start},
     *     {@link #ready} or {@link #ended}, or on a probing thread, and must not block. Calls come in order of time, and at equal times in
     *     the order of {@code conditions}
     */
    public ConditionWatch(Collection<Condition> conditions, LongSupplier nanoTime, ObjLongConsumer<Condition> met) {
        this.nanoTime = nanoTime;
        this.met = met;
        conditions.forEach(this::add);
    }

    /** Stores a condition. Most plans wait for nothing; a flag for that saves the JVM the setup of record comparison. */
    private void add(Condition condition) {
        if (condition.kind() == Condition.Kind.IMMEDIATELY) {
            hasImmediate = true;
        } else {
            open.add(condition);
        }
    }

    /** Begins to watch. Conditions that are true already are reported before this returns. */
    public void start() {
        List<Condition> ports = open.stream()
                .filter(condition -> condition.kind() == Condition.Kind.PORT_OPEN)
                .toList();
        if (hasImmediate) {
            met.accept(Condition.IMMEDIATELY, nanoTime.getAsLong());
        }
        happened(() -> {}, nanoTime.getAsLong());
        ports.forEach(this::probe);
    }

    private synchronized void probe(Condition port) {
        PortProbe probe = new PortProbe(port, () -> happened(() -> openPorts.add(port), nanoTime.getAsLong()));
        probes.put(port, probe);
        probe.start();
    }

    /**
     * A process, of the plan or of another launcher, has become ready.
     *
     * @param when on the clock of this watch
     */
    public void ready(String id, long when) {
        happened(() -> readyIds.add(id), when);
    }

    /**
     * A process, of the plan or of another launcher, has ended in any way.
     *
     * @param when on the clock of this watch
     */
    public void ended(String id, long when) {
        happened(() -> endedIds.add(id), when);
    }

    /** Reports conditions inside the lock, so that the reports of two threads keep their order. */
    private synchronized void happened(Runnable fact, long when) {
        fact.run();
        for (Condition condition : takeNews()) {
            met.accept(condition, when);
        }
    }

    /** Whether a condition has come true. */
    public synchronized boolean isMet(Condition condition) {
        return switch (condition.kind()) {
            case IMMEDIATELY -> true;
            case PORT_OPEN -> openPorts.contains(condition);
            case READY -> readyIds.containsAll(condition.ids());
            case EXITED -> endedIds.containsAll(condition.ids());
        };
    }

    /** Why a condition is not met yet, for the user. */
    public synchronized String reason(Condition condition) {
        return isMet(condition) ? "it holds" : lacking(condition, false);
    }

    /** What a condition still waits for, in short form; for a port with the status in brackets. */
    public synchronized String brief(Condition condition) {
        return lacking(condition, true);
    }

    /** Reports nothing any more. */
    @Override
    public synchronized void close() {
        isClosed = true;
        probes.values().forEach(PortProbe::close);
    }

    private List<Condition> takeNews() {
        List<Condition> news = new ArrayList<>();
        for (Iterator<Condition> each = open.iterator(); each.hasNext() && !isClosed; ) {
            Condition condition = each.next();
            if (isMet(condition)) {
                each.remove();
                news.add(condition);
            }
        }
        return news;
    }

    private static List<String> open(Collection<String> ids, Set<String> done) {
        return ids.stream().filter(id -> !done.contains(id)).toList();
    }

    /** Why a condition has not come true. */
    private String lacking(Condition condition, boolean briefly) {
        return switch (condition.kind()) {
            case IMMEDIATELY -> NOTHING;
            case PORT_OPEN -> probed(condition, briefly);
            case READY -> lacking(open(condition.ids(), readyIds), briefly, " is not ready", " are not ready");
            case EXITED -> lacking(open(condition.ids(), endedIds), briefly, " has not ended", " have not ended");
        };
    }

    private static String lacking(List<String> ids, boolean briefly, String one, String many) {
        return Conditions.names(ids) + (briefly ? "" : ids.size() == 1 ? one : many);
    }

    private String probed(Condition condition, boolean briefly) {
        PortProbe probe = probes.get(condition);
        if (probe == null) {
            return NOTHING;
        }
        return briefly
                ? Printable.escape(condition.host()) + " (" + probe.status().brief() + ")"
                : Conditions.port(condition.host(), condition.port()) + " "
                        + probe.status().words();
    }
}
