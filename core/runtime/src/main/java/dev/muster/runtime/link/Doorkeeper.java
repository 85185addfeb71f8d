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

    private static final String WAITS = "its leader waits for the node that had this place before, or for others";
    private static final String TAKEN = "another launcher of this node is there, and answers";
    private static final String LATER = "the job that this node meets at its leader is ending";

    private final LinkSettings settings;
    private final Table table;
    private final Endings endings;
    private final Gathering gathering;
    private final Map<Seat, Doubt> doubts = new HashMap<>();

    /** Whether the one who has a seat is still alive. */
    private record Doubt(long since, long askedAt) {}

    Doorkeeper(LinkSettings settings, Table table, Endings endings, Gathering gathering) {
        this.settings = settings;
        this.table = table;
        this.endings = endings;
        this.gathering = gathering;
    }

    Admission admit(String name, String run, Optional<String> host, long now) {
        Optional<Seat> found = table.seat(name);
        if (found.isEmpty()) {
            return refuse(Ends.unfit(name, host, unknown()), now);
        }
        Seat seat = found.get();
        if (settings.run().gathers() || RunName.read(run).limit() > 0) {
            Optional<Admission> ofRuns = ofRuns(seat, RunName.read(run), host, now);
            if (ofRuns.isPresent()) {
                return ofRuns.get();
            }
        }
        if (seat == table.own()) {
            // It leads, too, and has looked whether it is the only one.
            return endings.isEnding() ? later() : refuseTwins(seat, host, now);
        }
        if (seat.run().isEmpty() || seat.run().get().equals(run)) {
            return welcome(seat, host);
        }
        if (!gathering.isOver() && !seat.isConnected()) {
            return welcome(seat, host);
        }
        if (seat.isGone() || seat.isReleased() || endings.isEnding()) {
            return later();
        }
        return seat.isConnected() ? doubt(seat, host, now) : succeed(seat, host, now);
    }

    /** What is different where the job may restart in place; empty: nothing. */
    private Optional<Admission> ofRuns(Seat seat, RunName guest, Optional<String> host, long now) {
        LinkRun own = settings.run();
        if (guest.limit() != own.limit()) {
            return Optional.of(refuse(Ends.unfit(seat.name(), seat.host(), otherLimit(guest)), now));
        }
        if (seat == table.own()) {
            boolean isSure = guest.number() > 1 || own.number() > 1 || gathering.isOver();
            return isSure ? Optional.of(otherLeader(guest, host, now)) : Optional.empty();
        }
        if (gathering.isRetired(guest)) {
            JobEnd end = Ends.replaced(seat.name(), host, seat.comesFrom());
            return Optional.of(new Admission.Refusal(end.reason(), Optional.of(end)));
        }
        boolean isLater = guest.number() > 1 || gathering.number() > 1;
        if (!gathering.isOver()) {
            RunName ours = RunName.of(own, settings.launchers());
            return isLater && !guest.names().equals(ours.names())
                    ? Optional.of(new Admission.Refusal("it knows other nodes of this job", Optional.empty()))
                    : beforeTheRun(seat, guest, isLater, host);
        }
        return duringTheRun(seat, guest, now);
    }

    private String otherLimit(RunName guest) {
        return "restarts: " + guest.limit() + " here and " + settings.run().limit() + " on "
                + table.own().where() + "; must be the same on all nodes";
    }

    /** Nobody whom the platform has started anew is taken for a second launcher of one index. */
    private Admission otherLeader(RunName guest, Optional<String> host, long now) {
        if (guest.isFresh() && !gathering.isOver()) {
            return new Admission.Refusal(WAITS, Optional.empty());
        }
        if (guest.isFresh() || endings.isEnding()) {
            return later();
        }
        if (guest.number() > settings.run().number() && !gathering.isOver()) {
            // This one was taken for lost, and the guest has led the job since.
            endings.withdraw(Ends.replaced(table.own().name(), table.own().host(), host), now);
            return later();
        }
        JobEnd end = Ends.replaced(table.own().name(), table.own().host(), Optional.empty());
        return new Admission.Refusal(end.reason(), Optional.of(end));
    }

    private Optional<Admission> beforeTheRun(Seat seat, RunName guest, boolean isLater, Optional<String> host) {
        Optional<RunName> there = gathering.at(seat);
        boolean isSame =
                there.map(RunName::launcher).filter(guest.launcher()::equals).isPresent();
        if (there.isEmpty() || isSame || !seat.isConnected() || (isLater && guest.isFresh())) {
            return Optional.of(welcome(seat, host));
        }
        return isLater ? Optional.of(new Admission.Refusal(WAITS, Optional.empty())) : Optional.empty();
    }

    private Optional<Admission> duringTheRun(Seat seat, RunName guest, long now) {
        Optional<RunName> there = gathering.at(seat);
        boolean isSame =
                there.map(RunName::launcher).filter(guest.launcher()::equals).isPresent();
        if (isSame && guest.serial() > there.orElseThrow().serial()) {
            if (seat.isLive() && !seat.isReleased() && !endings.isEnding()) {
                endings.lose(seat, "its launcher has given this run up", now, now);
            }
            return Optional.of(later());
        }
        return Optional.empty();
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
        endings.refuse(end, now);
        return new Admission.Refusal(end.reason(), Optional.of(end));
    }

    private Admission refuseTwins(Seat seat, Optional<String> host, long now) {
        JobEnd end = twice(seat, host);
        endings.refuseTwins(end, now);
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
            // Later the platform may have started one for a launcher that it took for lost.
            return gathering.number() > 1
                    ? new Admission.Refusal(TAKEN, Optional.empty())
                    : refuseTwins(seat, host, now);
        }
        return now - doubt.since() < ANSWER ? new Admission.Wait() : succeed(seat, host, now);
    }

    /** The run that has the seat is dead, and the next one is here. */
    private Admission succeed(Seat seat, Optional<String> host, long now) {
        if (seat.plan().isEmpty() || !gathering.isOver()) {
            // It had begun nothing.
            return welcome(seat, host);
        }
        endings.lose(seat, Ends.STARTED_AGAIN, now, now);
        return later();
    }
}
