package dev.muster.engine.tensorflow;

import dev.muster.spi.Condition;
import dev.muster.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * When the processes of this node end. TensorFlow itself notices nothing: a ps serves for ever, and whoever loses another
 * process waits for it in silence. So this node watches the ports of the processes that other nodes run.
 */
final class Life {

    /** How long a port must refuse connections before its process counts as ended. */
    private static final Duration REFUSED = Duration.ofSeconds(5);

    private static final int SUCCESS = 0;
    /** As {@code EX_TEMPFAIL}: trying again may help. */
    private static final int TRY_AGAIN = 75;

    private final Cluster cluster;
    private final Seat seat;
    private final Kind kind;
    private final Duration lostAfter;
    private final Duration inputTimeout;

    Life(Cluster cluster, Seat seat, Wishes wishes, Duration inputTimeout) {
        this.cluster = cluster;
        this.seat = seat;
        this.kind = wishes.kind();
        this.lostAfter = wishes.lostAfter();
        this.inputTimeout = inputTimeout;
    }

    /** Whether a process decides how the job ends; the others serve it. */
    boolean decides(Member member) {
        return member.role() == cluster.chief().orElse(Role.WORKER) && kind.isDecidedBy(member.index());
    }

    /** All processes that decide the job have ended, on this node and on the others; never where none of them is known. */
    Condition jobHasEnded() {
        List<Condition> parts = deciders().stream().map(this::ended).toList();
        if (parts.isEmpty()) {
            return Condition.NEVER;
        }
        return parts.size() == 1 ? parts.get(0) : new Condition.AllOf(parts);
    }

    /** The processes of the job that decide how it ends, as far as they are known here. */
    List<Member> deciders() {
        return cluster.members().stream().filter(this::decides).toList();
    }

    Outcome outcome() {
        Optional<Member> own = seat.members().stream().filter(this::decides).findFirst();
        boolean isAlone = cluster.workers().size() == 1 && !seat.isRole();
        if (own.isPresent() && (isAlone || kind == Kind.WORKERS)) {
            return Outcome.ALL_TASKS;
        }
        List<Outcome.Case> cases = new ArrayList<>();
        if (own.isPresent() && (seat.isRole() || kind == Kind.CHIEF)) {
            cases.add(new Outcome.Case(exited(List.of(own.get())), SUCCESS, hasEnded(own.get())));
        } else {
            if (!deciders().isEmpty()) {
                cases.add(new Outcome.Case(jobHasEnded(), SUCCESS, whoHasEnded()));
            }
            cases.add(new Outcome.Case(exited(seat.members()), SUCCESS, nothingRuns()));
            addNeverOpened(cases);
        }
        if (own.isPresent()) {
            addLost(cases, own.get());
        }
        return new Outcome.FirstOf(cases);
    }

    private void addNeverOpened(List<Outcome.Case> cases) {
        for (Member member : deciders()) {
            if (!seat.runs(member)) {
                Endpoint at = cluster.at(member);
                Condition open = new Condition.PortOpen(at.host(), at.port().getAsInt());
                Condition never = new Condition.Before(new Condition.Elapsed(inputTimeout), open);
                cases.add(new Outcome.Case(never, TRY_AGAIN, neverOpened(member)));
            }
        }
    }

    /** Whoever serves this node's worker and is gone while it runs: the worker would wait for ever. */
    private void addLost(List<Outcome.Case> cases, Member own) {
        for (Member server : cluster.members()) {
            if (serves(server) && !seat.runs(server)) {
                Condition lost = new Condition.Before(closed(server, lostAfter), exited(List.of(own)));
                cases.add(new Outcome.Case(lost, TRY_AGAIN, isLost(server, own)));
            }
        }
    }

    /** Beside ps, workers who do not decide serve the chief; without ps they train as it does, and may end before it. */
    private boolean serves(Member member) {
        boolean isHelper = member.role() == Role.WORKER && !decides(member);
        return member.role() == Role.PS || (isHelper && !cluster.ps().isEmpty());
    }

    private Condition ended(Member member) {
        return seat.runs(member) ? exited(List.of(member)) : closed(member, REFUSED);
    }

    private Condition closed(Member member, Duration refused) {
        Endpoint at = cluster.at(member);
        return new Condition.PortClosed(at.host(), at.port().getAsInt(), refused, Optional.of(lostAfter));
    }

    private static Condition exited(List<Member> members) {
        TreeSet<String> ids = new TreeSet<>();
        members.forEach(member -> ids.add(member.id()));
        return new Condition.Exited(ids);
    }

    private String whoHasEnded() {
        return kind == Kind.CHIEF ? "the chief (" + label(deciders().get(0)) + ") has ended" : "all workers have ended";
    }

    private String hasEnded(Member own) {
        return (kind == Kind.CHIEF ? "the chief (" + own.id() + ")" : own.id()) + " has ended";
    }

    private String nothingRuns() {
        return seat.members().size() == 1
                ? seat.members().get(0).id() + " ended by itself"
                : "all processes of this node ended by themselves";
    }

    private String neverOpened(Member member) {
        return label(member) + " did not open its port within " + Messages.duration(inputTimeout)
                + " (--input-timeout). See on its node why it does not run, or give it more time with --input-timeout";
    }

    private String isLost(Member server, Member own) {
        return label(server) + " is lost: its port was open and has been closed for " + Messages.duration(lostAfter)
                + " (-o " + Wishes.LOST_AFTER + ") while " + own.id() + " still ran. See on its node why it ended";
    }

    /** {@code ps-0 at host:port}. */
    private String label(Member member) {
        return member.id() + " at " + cluster.at(member).label();
    }
}
