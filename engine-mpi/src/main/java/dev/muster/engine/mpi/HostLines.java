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

    /** For the scripts: where ssh finds each host, its name, and how many ranks it takes. */
    static Value places(MpiJob job, boolean byName) {
        ValueText text = new ValueText();
        for (int i = 0; i < job.seat().hosts().size(); i++) {
            MpiHost host = job.seat().hosts().get(i);
            text.add(byName ? Value.of(host.name()) : new Value.AddressOf(host.address()))
                    .add(" " + host.name() + " " + job.slotsOf(i) + "\n");
        }
        return text.value();
    }

    private static String room(Mpi.Kind kind, Slots slots) {
        return kind.isOpenMpi() ? " slots=" + slots.number() : ":" + slots.number();
    }
}
