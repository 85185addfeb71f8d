package dev.muster.runtime.conditions;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.threads.Daemon;
import dev.muster.spi.Condition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Looks after ports on one thread of its own, until all have come true. */
final class Prober implements Runnable {

    private final LongSupplier nanoTime;
    private final Consumer<List<Condition>> met;
    private final Selector selector;
    private final HostNames names = new HostNames();
    private final Map<Condition, PortProbe> probes = new LinkedHashMap<>();
    private volatile boolean isClosed;

    /**
     * @param conditions those that are {@link #isProbed}
     * @param met called on the probing thread with what has come true at the same moment; each condition comes once
     */
    Prober(Collection<Condition> conditions, LongSupplier nanoTime, Consumer<List<Condition>> met) {
        this.nanoTime = nanoTime;
        this.met = met;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new MusterException(ExitCode.INTERNAL, "cannot watch ports: " + IoReasons.of(e), e);
        }
        for (Condition condition : conditions) {
            probes.put(condition, new PortProbe(condition, selector, names, nanoTime.getAsLong()));
        }
    }

    void start() {
        Daemon.start("conditions", this);
    }

    /** Why a condition is not met; any thread may ask. */
    @Nullable String reason(Condition condition) {
        PortProbe probe = probes.get(condition);
        return probe == null ? null : probe.reason();
    }

    /** Why a condition is not met, in a few words; any thread may ask. */
    @Nullable String brief(Condition condition) {
        PortProbe probe = probes.get(condition);
        return probe == null ? null : probe.brief();
    }

    /** Ends the thread soon. */
    void close() {
        isClosed = true;
        selector.wakeup();
    }

    @Override
    public void run() {
        List<PortProbe> open = new ArrayList<>(probes.values());
        try (selector) {
            while (!isClosed && !open.isEmpty()) {
                step(open);
                if (!open.isEmpty()) {
                    select(open);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("watching ports failed", e);
        } finally {
            open.forEach(PortProbe::close);
            names.close();
        }
    }

    private void step(List<PortProbe> open) {
        long now = nanoTime.getAsLong();
        List<Condition> news = new ArrayList<>();
        for (Iterator<PortProbe> each = open.iterator(); each.hasNext(); ) {
            PortProbe probe = each.next();
            if (probe.isWoken() || now - probe.due() >= 0) {
                probe.step(now);
            }
            if (probe.isMet()) {
                each.remove();
                news.add(probe.condition());
            }
        }
        if (!news.isEmpty()) {
            met.accept(news);
        }
    }

    /** Sleeps until a probe is due, a connection has an answer or somebody wakes the selector. */
    private void select(List<PortProbe> open) throws IOException {
        long now = nanoTime.getAsLong();
        long nearest = Long.MAX_VALUE;
        for (PortProbe probe : open) {
            nearest = Math.min(nearest, probe.isWoken() ? 0 : probe.due() - now);
        }
        if (nearest > 0) {
            selector.select(TimeUnit.NANOSECONDS.toMillis(nearest) + 1);
        }
        for (SelectionKey key : selector.selectedKeys()) {
            PortProbe probe = (PortProbe) key.attachment();
            probe.step(nanoTime.getAsLong());
        }
        selector.selectedKeys().clear();
    }

    /** Whether anybody has to look after a condition here. */
    static boolean isProbed(Condition condition) {
        return condition.kind() == Condition.Kind.PORT_OPEN;
    }
}
