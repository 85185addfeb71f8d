package dev.muster.runtime.link;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Lets launchers take their seats, and finds out who of two is alive. */
final class Doorkeeper {

    /** How long the launcher that has the seat may take to answer. */
    static final long ANSWER = TimeUnit.SECONDS.toNanos(2);
    /** Nobody has asked for so long: who did is gone. */
    private static final long ASKED = TimeUnit.SECONDS.toNanos(1);

    private static final String LATER = "the job that this node meets at its leader is ending";

    private final Table table;
    private final Endings endings;
    private final Map<Seat, Doubt> doubts = new HashMap<>();

    /** Whether the one who has a seat is still alive. */
    private record Doubt(long since, long askedAt) {}

    Doorkeeper(Table table, Endings endings) {
        this.table = table;
        this.endings = endings;
    }

    Admission admit(String name, String run, Optional<String> host, long now) {
        Optional<Seat> found = table.seat(name);
        if (found.isEmpty()) {
            return refuse(Ends.unfit(name, host, unknown()), now);
        }
        Seat seat = found.get();
        if (seat == table.own()) {
            // It leads, too, and has looked whether it is the only one.
            return endings.isEnding() ? later() : refuse(twice(seat, host), now);
        }
        if (seat.run().isEmpty() || seat.run().get().equals(run)) {
            return welcome(seat, host);
        }
        if (seat.isGone() || seat.isReleased() || endings.isEnding()) {
            return later();
        }
        return seat.isConnected() ? doubt(seat, host, now) : succeed(seat, host, now);
    }

    private static Admission later() {
        return new Admission.Refusal(LATER, Optional.empty());
    }

    private Admission welcome(Seat seat, Optional<String> host) {
        doubts.remove(seat);
        seat.comesFrom(host);
        return new Admission.Welcome();
    }

    private Admission refuse(JobEnd end, long now) {
        endings.end(end, now);
        return new Admission.Refusal(end.reason(), Optional.of(end));
    }

    private String unknown() {
        return table.own().where() + ", which leads, knows " + table.all().size()
                + " nodes, and none of this name; give all nodes the same hosts and number of nodes";
    }

    private static JobEnd twice(Seat seat, Optional<String> host) {
        String reason = "there are two launchers of this name, on "
                + seat.comesFrom().or(seat::host).orElse("an unknown host") + " and on "
                + host.orElse("an unknown host")
                + "; give every node an index of its own";
        return Ends.unfit(seat.name(), seat.host(), reason);
    }

    private Admission doubt(Seat seat, Optional<String> host, long now) {
        Conversation talk = seat.talk().orElseThrow();
        Doubt doubt = doubts.get(seat);
        if (doubt == null || now - doubt.askedAt() > ASKED) {
            talk.ask();
            table.outbox().touch(seat.name(), talk);
            doubt = new Doubt(now, now);
        }
        doubts.put(seat, new Doubt(doubt.since(), now));
        if (talk.answeredUpTo() - doubt.since() >= 0) {
            return refuse(twice(seat, host), now);
        }
        return now - doubt.since() < ANSWER ? new Admission.Wait() : succeed(seat, host, now);
    }

    /** The run that has the seat is dead, and the next one is here. */
    private Admission succeed(Seat seat, Optional<String> host, long now) {
        if (seat.plan().isEmpty()) {
            // It had begun nothing.
            return welcome(seat, host);
        }
        endings.lose(seat, "its launcher was started again while the job was running", now, now);
        return later();
    }
}
