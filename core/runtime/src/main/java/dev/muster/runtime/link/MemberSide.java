package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A member's only connection: to its leader, again and again until there is one. */
final class MemberSide implements Side, Attempt.Caller {

    /** Short: who is started together with its leader comes a moment too early. */
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final long FAR = TimeUnit.SECONDS.toNanos(60);

    /** A beat comes every second. */
    private static final long LONGEST_SILENCE = TimeUnit.SECONDS.toNanos(10);

    private final LinkContext context;
    private final long silence;
    private final Endpoints endpoints;
    private final Queue<InetSocketAddress> untried = new ArrayDeque<>();
    private Round round = new Round(null);
    private @Nullable Peer leader;
    private @Nullable Attempt attempt;
    /**
     * With what says nothing, while there are other places; longer in each round, as a leader may have much to do. It may begin to listen on
     * another port any moment, and a launcher whose rank has failed meanwhile does not stay for long.
     */
    private long patience = Attempt.TO_ANSWER_SOON;

    private boolean areOthers;
    private boolean isAsking;
    private boolean hasToldOfKey;
    private long pause = FIRST_PAUSE;
    /** Whoever is turned away often comes again less often. */
    private long turnedAwayPause = FIRST_PAUSE;

    private long due;

    MemberSide(LinkContext context, long now) {
        this.context = context;
        this.endpoints = new Endpoints(context.launchers().leading().host(), context.settings.ports(), context.errands);
        this.due = now;
        this.silence = Math.min(LONGEST_SILENCE, context.settings.lostAfter().toNanos() / 3);
    }

    @Override
    public void tick(long now) {
        Peer connected = leader;
        if (connected != null) {
            watch(connected, now);
            return;
        }
        if (attempt != null) {
            attempt.tick(now);
        }
        if (attempt != null && now - attempt.deadline() >= 0) {
            attempt.expire(now);
        }
        if (hasKey(now)) {
            goOn(now);
        }
    }

    @Override
    public long due(long now) {
        if (leader != null) {
            return leader.heardAt() + silence;
        }
        if (context.hasFailed()) {
            return now + FAR;
        }
        if (!context.keys.isReady()) {
            return context.keys.due(now + FAR);
        }
        if (attempt != null) {
            return attempt.deadline();
        }
        return isAsking ? endpoints.due() : due;
    }

    @Override
    public @Nullable Peer peer(String name) {
        return leader != null && leader.name().equals(name) ? leader : null;
    }

    @Override
    public Collection<Peer> peers() {
        return leader == null ? List.of() : List.of(leader);
    }

    @Override
    public void failed(Attempt failed, Attempt.Failure failure, String why, long now) {
        attempt = null;
        round.failed(failed.place(), failure, why);
        goOn(now);
    }

    @Override
    public JobKey learned(String secret) {
        context.keys.learn(secret);
        return Objects.requireNonNull(context.keys.key(), "just learned");
    }

    @Override
    public void otherKey(Attempt failed, String words, long now) {
        if ((context.keys.munge() != null || context.keys.mayBeOld()) && context.keys.key() != null) {
            context.keys.forget(now); // of a leader that is not there any more
        } else if (!hasToldOfKey) {
            hasToldOfKey = true;
            context.warn.accept("the leader " + name() + " at " + place(failed.place()) + " " + words);
        }
        failed(failed, Attempt.Failure.REFUSED, "it has another key", now);
    }

    @Override
    public void otherVersion(Attempt failed, Hello other, long now) {
        attempt = null;
        context.fail(
                ExitCode.CONFIGURATION,
                "the leader " + name() + " at " + place(failed.place()) + " speaks version " + other.version()
                        + " of the link, this launcher version " + Hello.VERSION
                        + ". Install the same Muster on all nodes",
                now);
    }

    @Override
    public void reached(Attempt reached, Wire wire, Handshake.Step.Done done, long now) {
        attempt = null;
        Admission admission = context.party.admit(
                name(), done.peer().run(), Optional.of(wire.address().getHostAddress()), now);
        if (!(admission instanceof Admission.Welcome)) {
            String why = admission instanceof Admission.Refusal refusal ? refusal.reason() : "it is not expected";
            wire.close();
            round.failed(reached.place(), Attempt.Failure.REFUSED, why);
            goOn(now);
            return;
        }
        Peer peer = new Peer(name(), wire, done.session(), context.party, this, now);
        leader = peer;
        pause = FIRST_PAUSE;
        endpoints.isGood(reached.place());
        untried.clear();
        round = new Round(reached.place());
        wire.change(peer, Peer.LONGEST_LINE);
        wire.send(Guest.bytes(done.line()), now);
        if (!wire.isClosed()) {
            context.party.connected(name(), done.peer().run(), now);
        }
    }

    @Override
    public void lost(Peer peer, String why, long now) {
        if (leader == peer) {
            leader = null;
            due = now;
            turnedAwayPause = FIRST_PAUSE;
            context.party.disconnected(name(), why, false, now);
        }
    }

    @Override
    public void misled(Peer peer, String why, long now) {
        lost(peer, why, now);
    }

    @Override
    public void refused(Peer peer, Turning turning, long now) {
        long again = turnedAwayPause;
        lost(peer, turning.reason(), now);
        due = now + again;
        turnedAwayPause = longer(again);
        turning.end().ifPresent(end -> context.party.ended(end, now));
    }

    @Override
    public void close() {
        if (attempt != null) {
            attempt.close();
        }
        if (leader != null) {
            leader.wire().close();
        }
    }

    /**
     * After a long break of the network the system takes up to a minute to try an old connection again, and something on the way
     * may have forgotten it: a new one is made before.
     */
    private void watch(Peer connected, long now) {
        if (connected.wire().isStuck() && now - connected.wire().stuckSince() >= LeaderSide.LONGEST_STUCK) {
            connected.wire().close();
            lost(connected, Wire.NOT_READ, now);
        } else if (now - connected.heardAt() >= silence) {
            connected.wire().close();
            lost(connected, "nothing was heard of it", now);
        }
    }

    private boolean hasKey(long now) {
        if (context.keys.look(now)) {
            String wrong = context.keys.wrong();
            if (wrong != null) {
                context.fail(ExitCode.CONFIGURATION, wrong, now);
            } else if (context.keys.key() == null) {
                context.party.disconnected(name(), context.keys.missing(), false, now);
            }
        }
        return context.keys.isReady();
    }

    /** Tries the next place, or begins anew when all have been tried. */
    private void goOn(long now) {
        if (attempt != null || leader != null || context.hasFailed() || !context.keys.isReady() || now - due < 0) {
            return;
        }
        if (untried.isEmpty() && !begin(now)) {
            return;
        }
        Attempt next = new Attempt(context, untried.remove(), this, areOthers ? patience : Long.MAX_VALUE);
        attempt = next;
        if (untried.isEmpty()) {
            isAsking = false;
        }
        next.start(now);
    }

    /** Finds out where the leader may be; false: not yet. */
    private boolean begin(long now) {
        if (!round.isEmpty()) {
            finish(now);
            return false;
        }
        if (!isAsking) {
            isAsking = true;
            endpoints.ask(now);
        }
        if (!endpoints.isAnswered(now)) {
            return false;
        }
        isAsking = false;
        untried.addAll(endpoints.list());
        areOthers = untried.size() > 1;
        if (untried.isEmpty()) {
            round.failed(null, Attempt.Failure.SILENCE, "its name does not resolve");
            finish(now);
            return false;
        }
        return true;
    }

    /** All places have been tried in vain. */
    private void finish(long now) {
        Round finished = round;
        patience = Math.min(FAR, patience + patience / 4);
        round = new Round(endpoints.good());
        due = now + pause;
        pause = longer(pause);
        context.party.disconnected(name(), finished.why(), finished.isAbsent(), now);
    }

    private static long longer(long pause) {
        return Math.min(LONGEST_PAUSE, pause + pause / 2);
    }

    private String name() {
        return context.launchers().leader();
    }

    private static String place(InetSocketAddress place) {
        return place.getAddress().getHostAddress() + ", port " + place.getPort();
    }
}
