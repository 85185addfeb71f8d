package dev.muster.engine.mpi;

import dev.muster.spi.Value;
import dev.muster.spi.ValueText;

/** The text of a hostfile that we write: {@code ip slots=n}, or {@code ip:n} for Hydra. */
final class HostLines {

    private HostLines() {}

    /** This machine alone. */
    static String local(Mpi.Kind kind, Slots slots) {
        return "localhost" + room(kind, slots) + "\n";
    }

    /** All hosts in node order, by the addresses at which they answered. */
    static Value of(Mpi.Kind kind, Seat seat, Slots slots) {
        ValueText text = new ValueText();
        for (MpiHost host : seat.hosts()) {
            text.add(new Value.AddressOf(host.address())).add(room(kind, slots) + "\n");
        }
        return text.value();
    }

    private static String room(Mpi.Kind kind, Slots slots) {
        return kind.isOpenMpi() ? " slots=" + slots.number() : ":" + slots.number();
    }
}
