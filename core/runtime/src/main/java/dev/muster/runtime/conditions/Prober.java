package dev.muster.runtime.conditions;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.Reasons;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Looks after ports, files, the clock and answers of commands on one thread of its own, until all have come true. */
final class Prober implements Runnable {

    private final LongSupplier nanoTime;
    private final Consumer<List<Condition>> met;
    private final Selector selector;
    private final HostNames names = new HostNames();
    private final Map<Condition, Probe> probes = new LinkedHashMap<>();
    private final Map<String, Sighting> sightings = new HashMap<>();
    private final Map<List<Object>, Question> questions = new HashMap<>();
    private final Inquirer inquirer;
    private volatile boolean isSilent;
    private volatile boolean isClosed;

    /**
     * @param conditions those that need a probe, each after those that it waits for
     * @param start from when times count
     * @param met called on the probing thread with what has come true at the same moment; each condition comes once
     */
    Prober(
            Collection<Condition> conditions,
            Inquirer inquirer,
            long start,
            LongSupplier nanoTime,
            Consumer<List<Condition>> met) {
        this.inquirer = inquirer;
        this.nanoTime = nanoTime;
        this.met = met;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new MusterException(
                    ExitCode.INTERNAL, "cannot watch ports, files and the clock: " + Reasons.of(e), e);
        }
        for (Condition condition : conditions) {
            probes.put(condition, probe(condition, start));
        }
    }

    void start() {
        Thread thread = new Thread(this, "conditions");
        thread.setDaemon(true);
        thread.start();
    }

    /** Why a condition is not met; any thread may ask. */
    @Nullable String reason(Condition condition) {
        Probe probe = probes.get(condition);
        return probe == null ? null : probe.reason();
    }

    /** Why a condition is not met, in a few words; any thread may ask. */
    @Nullable String brief(Condition condition) {
        Probe probe = probes.get(condition);
        return probe == null ? null : probe.brief();
    }

    /** Where hosts were seen with an open port, by the names that conditions give them; any thread may ask. */
    Map<String, String> addresses() {
        Map<String, String> addresses = new HashMap<>();
        for (Probe probe : probes.values()) {
            if (probe instanceof PortProbe port && port.address() != null) {
                addresses.put(port.host(), port.address());
            }
        }
        return addresses;
    }

    /** Runs no commands any more. */
    void stopAsking() {
        isSilent = true;
        selector.wakeup();
    }

    /** Ends the thread soon. */
    void close() {
        isClosed = true;
        selector.wakeup();
    }

    @Override
    public void run() {
        List<Probe> open = new ArrayList<>(probes.values());
        try (selector) {
            while (!isClosed && !open.isEmpty()) {
                step(open);
                if (!open.isEmpty()) {
                    select(open);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("watching ports, files and the clock failed", e);
        } finally {
            open.forEach(Probe::close);
            names.close();
        }
    }

    private void step(List<Probe> open) {
        if (isSilent) {
            questions.values().forEach(Question::close);
            questions.clear();
        }
        long now = nanoTime.getAsLong();
        List<Condition> news = new ArrayList<>();
        for (Iterator<Probe> each = open.iterator(); each.hasNext(); ) {
            Probe probe = each.next();
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
    private void select(List<Probe> open) throws IOException {
        long now = nanoTime.getAsLong();
        long nearest = Long.MAX_VALUE;
        for (Probe probe : open) {
            nearest = Math.min(nearest, probe.isWoken() ? 0 : probe.due() - now);
        }
        if (nearest > 0) {
            selector.select(TimeUnit.NANOSECONDS.toMillis(nearest) + 1);
        }
        for (SelectionKey key : selector.selectedKeys()) {
            Probe probe = (Probe) key.attachment();
            probe.step(nanoTime.getAsLong());
        }
        selector.selectedKeys().clear();
    }

    private Probe probe(Condition condition, long start) {
        if (condition instanceof Condition.PortOpen port) {
            return PortProbe.of(port, selector, names, sighting(port.host(), port.port()), start);
        }
        if (condition instanceof Condition.PortClosed port) {
            return PortProbe.of(port, selector, names, sighting(port.host(), port.port()), start);
        }
        if (condition instanceof Condition.Elapsed elapsed) {
            return new ElapsedProbe(elapsed, start);
        }
        if (condition instanceof Condition.CommandEnds question) {
            return new CommandProbe(question, question(question, start));
        }
        if (condition instanceof Condition.PrivateFileReady file) {
            String name = "private file " + Printable.escape(file.name());
            return new FileProbe(file, inquirer.privateFile(file.name()), name, start);
        }
        Condition.FileReady file = (Condition.FileReady) condition;
        return new FileProbe(file, Path.of(file.path()), "file " + Printable.escape(file.path()), start);
    }

    private Question question(Condition.CommandEnds condition, long start) {
        Probe port = condition.after().map(probes::get).orElse(null);
        return questions.computeIfAbsent(
                List.of(condition.command(), condition.host(), condition.after()),
                command -> new Question(condition, port, inquirer, selector::wakeup, start));
    }

    private Sighting sighting(String host, int port) {
        return sightings.computeIfAbsent(port + " " + host, ignored -> new Sighting());
    }
}
