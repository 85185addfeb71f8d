package dev.muster.runtime.link;

import dev.muster.spi.Launchers;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;

/** Who waits for which processes of other launchers. Times here are on the leader's clock. */
final class Watching {

    /** Members that ask for everything must not fill the memory. */
    private static final int MOST = 1_000_000;

    private final Map<String, Seat> seats;
    private final BiConsumer<Seat, Order> teller;
    private final Map<String, Set<Seat>> byProcess = new HashMap<>();
    private final Map<String, Set<String>> byLauncher = new HashMap<>();
    private int count;

    /** @param teller tells a launcher something */
    Watching(Map<String, Seat> seats, BiConsumer<Seat, Order> teller) {
        this.seats = seats;
        this.teller = teller;
    }

    /** From now on this launcher is told of the process; what happened before is told at once. */
    void watch(Seat watcher, String process, long now) {
        if (count >= MOST
                || !byProcess
                        .computeIfAbsent(process, key -> new LinkedHashSet<>())
                        .add(watcher)) {
            return;
        }
        count++;
        String launcher = Launchers.launcherOf(process);
        byLauncher.computeIfAbsent(launcher, key -> new LinkedHashSet<>()).add(process);
        Seat seat = seats.get(launcher);
        if (seat != null) {
            tellBefore(watcher, process, seat, now);
        }
    }

    private void tellBefore(Seat watcher, String process, Seat seat, long now) {
        String id = process.substring(0, process.length() - seat.name().length() - 1);
        OptionalLong ready = seat.processes().readyAt(id);
        OptionalLong ended = seat.processes().endedAt(id);
        if (ready.isPresent()) {
            teller.accept(watcher, new Order.ProcessIs(process, Heard.State.READY, ready.getAsLong()));
        }
        if (ended.isPresent() || seat.isGone()) {
            teller.accept(watcher, new Order.ProcessIs(process, Heard.State.ENDED, ended.orElse(now)));
        }
    }

    /** A process of this launcher has come so far. */
    void happened(Seat seat, String id, Heard.State state, long when) {
        String process = Launchers.processOf(id, seat.name());
        Set<Seat> watchers = byProcess.get(process);
        if (watchers != null) {
            Order order = new Order.ProcessIs(process, state, when);
            watchers.forEach(watcher -> teller.accept(watcher, order));
        }
    }

    /** A launcher that is gone has no processes any more. */
    void gone(Seat seat, long now) {
        for (String process : byLauncher.getOrDefault(seat.name(), Set.of())) {
            Order order = new Order.ProcessIs(process, Heard.State.ENDED, now);
            byProcess.getOrDefault(process, Set.of()).forEach(watcher -> teller.accept(watcher, order));
        }
    }
}
