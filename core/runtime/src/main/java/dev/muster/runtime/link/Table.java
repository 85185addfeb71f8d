package dev.muster.runtime.link;

import dev.muster.spi.Launchers;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** All launchers of a job as their leader sees them, and how it tells them something. */
final class Table {

    private final Map<String, Seat> seats = new LinkedHashMap<>();
    private final Seat own;
    private final Outbox outbox = new Outbox();
    private final Ear ear = new Ear();

    Table(Launchers launchers) {
        for (Launchers.Peer peer : launchers.all()) {
            seats.put(peer.name(), new Seat(peer, peer.name().equals(launchers.own())));
        }
        own = Objects.requireNonNull(seats.get(launchers.own()));
    }

    Map<String, Seat> byName() {
        return seats;
    }

    /** In node order, the leader's own included. */
    Collection<Seat> all() {
        return seats.values();
    }

    Optional<Seat> seat(String name) {
        return Optional.ofNullable(seats.get(name));
    }

    /** The leader's. */
    Seat own() {
        return own;
    }

    Ear ear() {
        return ear;
    }

    Outbox outbox() {
        return outbox;
    }

    /** Nobody hears it who has never come, or has left. */
    void tell(Seat seat, Order order) {
        if (seat == own) {
            hear(order);
        } else {
            tell(seat, OrderFacts.write(order));
        }
    }

    void tellAll(Order order) {
        Fact fact = OrderFacts.write(order);
        for (Seat seat : seats.values()) {
            if (seat == own) {
                hear(order);
            } else {
                tell(seat, fact);
            }
        }
    }

    private void tell(Seat seat, Fact fact) {
        seat.talk().filter(talk -> !seat.hasLeft()).ifPresent(talk -> {
            talk.tell(fact);
            outbox.touch(seat.name(), talk);
        });
    }

    /** What concerns members only, the leader does not hear. */
    private void hear(Order order) {
        if (order instanceof Order.Stop stop) {
            ear.stop(new Heard.Stop(stop.end(), stop.isDoubtful(), stop.nanoTime()));
        } else if (order instanceof Order.ProcessIs process) {
            ear.processIs(process.process(), process.state(), process.nanoTime());
        } else if (order instanceof Order.Complete complete) {
            ear.complete(complete);
        }
    }
}
