package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The time before a run, in a job that may restart in place: launchers come, go and are replaced, which ends nothing, until all are
 * there and ready. Then the run begins. Other jobs never gather.
 */
final class Gathering {

    private final LinkRun own;
    private final Table table;
    /** Who has the seats of the others. */
    private final Map<String, RunName> names = new HashMap<>();

    private final Set<String> retired;
    private Optional<Order> told = Optional.empty();
    private boolean isOver;
    private int number;
    private int used;
    private long since;

    Gathering(LinkRun own, Table table, long now) {
        this.own = own;
        this.table = table;
        number = own.number();
        used = own.used();
        retired = new HashSet<>(own.retired());
        isOver = !own.gathers();
        since = now;
    }

    /** Whether the run has begun, or there was nothing to gather for. */
    boolean isOver() {
        return isOver;
    }

    /** The number of the run, so far as launchers have come that know it. */
    int number() {
        return number;
    }

    /** Since when somebody is missed, or has read something else than others. */
    long since() {
        return since;
    }

    /** Whether another one has the place of a launcher by now. */
    boolean isRetired(RunName guest) {
        return retired.contains(guest.launcher());
    }

    /** Who has a seat. */
    Optional<RunName> at(Seat seat) {
        return Optional.ofNullable(names.get(seat.name()));
    }

    /** A launcher has taken a seat. */
    void took(Seat seat, RunName run) {
        at(seat).map(RunName::launcher)
                .or(() -> Optional.ofNullable(own.before().get(seat.name())))
                .filter(launcher -> !launcher.equals(run.launcher()))
                .ifPresent(retired::add);
        names.put(seat.name(), run);
        number = Math.max(number, run.number());
        used = Math.max(used, run.used());
        told = Optional.empty();
    }

    /** Tells all who is here, once they are. */
    void look(long now) {
        if (isOver) {
            return;
        }
        if (!table.all().stream().allMatch(Seat::isPresent)) {
            told = Optional.empty();
            return;
        }
        if (!table.all().stream().allMatch(seat -> seat.digest().isPresent())) {
            since = now;
        }
        Order complete = new Order.Complete(number, used, replaced());
        if (!told.equals(Optional.of(complete))) {
            told = Optional.of(complete);
            table.tellAll(complete);
        }
    }

    /** Those that were not there in the run before, where there was one. */
    private List<String> replaced() {
        List<String> replaced = new ArrayList<>();
        for (Seat seat : table.all()) {
            boolean isFresh = at(seat).map(RunName::number).orElse(own.number()) == 1;
            if (number > 1 && isFresh) {
                replaced.add(seat.name());
            }
        }
        return replaced;
    }

    /** Whether all launchers are ready, and have read the same. */
    boolean isReady() {
        return !isOver
                && table.own().digest().isPresent()
                && table.all().stream()
                        .allMatch(seat -> seat.isPresent()
                                && seat.digest().equals(table.own().digest()));
    }

    /** A launcher that is ready and has read something else than the leader. */
    Optional<Seat> differing() {
        return table.own().digest().isEmpty()
                ? Optional.empty()
                : table.all().stream()
                        .filter(seat -> seat.digest().isPresent()
                                && !seat.digest().equals(table.own().digest()))
                        .findFirst();
    }

    /** The run begins. */
    void begin() {
        isOver = true;
        table.tellAll(new Order.Begin(number, used));
        Map<String, String> launchers = new HashMap<>();
        names.forEach((name, run) -> launchers.put(name, run.launcher()));
        launchers.put(table.own().name(), own.launcher());
        table.ear().begin(new Heard.Begin(number, used, launchers, retired));
    }
}
