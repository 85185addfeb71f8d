package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Launchers;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The leader's connections: all members come to it. */
final class LeaderSide implements Side, Reception.Desk {

    /** How long a member may read nothing of what it is sent. */
    static final long LONGEST_STUCK = TimeUnit.SECONDS.toNanos(10);

    /** How long ports may still be taken by the link of the run before, and how often they are tried. */
    private static final long TO_BE_FREE = TimeUnit.SECONDS.toNanos(10);

    private static final long TRY_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);
    private static final long FAR = TimeUnit.SECONDS.toNanos(60);

    private final LinkContext context;
    /** Whoever was asked about last comes last. */
    private final Set<String> missing = new LinkedHashSet<>();

    private final Map<String, Peer> peers = new HashMap<>();
    private final Map<Wire, Applicant> applicants = new LinkedHashMap<>();
    private final Origins origins;
    private final Strangers strangers = new Strangers();
    private final Set<String> versionsTold = new LinkedHashSet<>();
    private final long openedAt;
    private long watchAt;
    private long openAt;
    private @Nullable Door door;
    private @Nullable Reception reception;

    LeaderSide(LinkContext context, long now) {
        this.context = context;
        this.origins = new Origins(context, now);
        this.watchAt = now;
        this.openedAt = now;
        this.openAt = now;
        for (Launchers.Peer peer : context.launchers().all()) {
            if (!peer.name().equals(context.launchers().own())) {
                missing.add(peer.name());
            }
        }
    }

    @Override
    public void tick(long now) {
        if (door == null) {
            open(now);
        } else {
            door.tick(now);
        }
        if (reception != null) {
            reception.tick(now);
        }
        for (Applicant applicant : List.copyOf(applicants.values())) {
            if (now - applicant.due() >= 0) {
                admit(applicant, now);
            }
        }
        if (now - watchAt >= 0) {
            watchAt = now + PAUSE;
            watch(now);
        }
        strangers.line(now).ifPresent(context.warn);
        origins.tick(missing, now);
    }

    private void watch(long now) {
        for (Peer peer : List.copyOf(peers.values())) {
            if (peer.wire().isStuck() && now - peer.wire().stuckSince() >= LONGEST_STUCK) {
                peer.wire().close();
                lost(peer, Wire.NOT_READ, now);
            }
        }
    }

    @Override
    public long due(long now) {
        long due = now + FAR;
        if (door != null) {
            due = Math.min(due, door.due(due));
        } else {
            due = Math.min(due, openAt - now > 0 ? openAt : context.keys.due(due));
        }
        if (reception != null) {
            due = Math.min(due, reception.due().orElse(due));
        }
        for (Applicant applicant : applicants.values()) {
            due = Math.min(due, applicant.due());
        }
        return Math.min(Math.min(due, origins.due()), strangers.due().orElse(due));
    }

    @Override
    public @Nullable Peer peer(String name) {
        return peers.get(name);
    }

    @Override
    public Collection<Peer> peers() {
        return peers.values();
    }

    @Override
    public void knows(Wire wire, Hello member, Session session, long now) {
        Applicant applicant = new Applicant(wire, member, session, now);
        wire.change(applicant, Peer.LONGEST_LINE);
        wire.read(false);
        applicants.put(wire, applicant);
        admit(applicant, now);
    }

    @Override
    public void speaksOtherVersion(Hello member, String address, long now) {
        if (versionsTold.add(member.launcher())) {
            String reason = "launcher " + member.launcher() + " at " + address + " speaks version " + member.version()
                    + " of the link, this one version " + Hello.VERSION + ". Install the same Muster on all nodes";
            if (context.settings.required()) {
                context.fail(ExitCode.CONFIGURATION, reason, now);
            } else {
                context.warn.accept(reason);
            }
        }
    }

    @Override
    public void isStranger(String address, boolean hasOtherKey, long now) {
        strangers.count(address, hasOtherKey, now);
    }

    @Override
    public void lost(Peer peer, String why, long now) {
        if (peers.remove(peer.name(), peer)) {
            context.party.disconnected(peer.name(), why, false, now);
        }
    }

    @Override
    public void misled(Peer peer, String why, long now) {
        strangers.count(peer.wire().address().getHostAddress(), false, now);
        lost(peer, why, now);
    }

    @Override
    public void refused(Peer peer, Turning turning, long now) {
        lost(peer, "it sent what only a leader says", now);
    }

    @Override
    public void close() {
        strangers.rest().ifPresent(context.warn);
        if (door != null) {
            door.close();
        }
        if (reception != null) {
            reception.close();
        }
        applicants.keySet().forEach(Wire::close);
        peers.values().forEach(peer -> peer.wire().close());
    }

    /** Nobody is listened to before there is a key. */
    private void open(long now) {
        if (context.hasFailed() || now - openAt < 0) {
            return;
        }
        if (context.keys.look(now)) {
            String wrong = context.keys.wrong();
            if (wrong != null) {
                context.fail(ExitCode.CONFIGURATION, wrong, now);
                return;
            }
        }
        JobKey key = context.keys.key();
        if (key != null) {
            open(key, now);
        }
    }

    private void open(JobKey key, long now) {
        Reception entered = new Reception(context, key, this);
        try {
            door = Door.open(context, entered);
            reception = entered;
        } catch (IOException e) {
            if (now - openedAt < toBeFree()) {
                tellOfTheWait(String.valueOf(e.getMessage()));
                openAt = now + TRY_AGAIN;
            } else {
                context.fail(ExitCode.TEMPORARY, String.valueOf(e.getMessage()), now);
            }
        }
    }

    /**
     * What this launcher itself had in the run before is free soon. A port that was given, with none to fall back on, may be that of a
     * launcher that was killed, which still stops its ranks.
     */
    private long toBeFree() {
        LinkSettings settings = context.settings;
        if (settings.run().serial() > 0) {
            return TO_BE_FREE;
        }
        long grace = settings.grace().toNanos();
        return settings.ports().size() > 1 ? 0 : Math.min(settings.patience().toNanos(), TO_BE_FREE + grace);
    }

    private void tellOfTheWait(String why) {
        if (context.settings.run().serial() == 0 && openAt == openedAt) {
            context.warn.accept(why + "; waiting up to " + Durations.format(Duration.ofNanos(toBeFree())) + " for it");
        }
    }

    private void admit(Applicant applicant, long now) {
        if (applicant.wire().isClosed()) {
            applicants.remove(applicant.wire());
            return;
        }
        Hello member = applicant.member();
        Admission admission = context.party.admit(
                member.launcher(),
                member.run(),
                Optional.of(applicant.wire().address().getHostAddress()),
                now);
        if (admission instanceof Admission.Wait) {
            applicant.waitUntil(now + Admission.Wait.PAUSE);
        } else if (admission instanceof Admission.Refusal refusal) {
            applicants.remove(applicant.wire());
            applicant.wire().send(applicant.session().seal(new Turning(refusal.reason(), refusal.end()).line()), now);
            applicant.wire().close();
        } else {
            applicants.remove(applicant.wire());
            welcome(applicant, now);
        }
    }

    private void welcome(Applicant applicant, long now) {
        Hello member = applicant.member();
        Peer peer = new Peer(member.launcher(), applicant.wire(), applicant.session(), context.party, this, now);
        Peer before = peers.put(peer.name(), peer);
        if (before != null) {
            before.wire().close();
        }
        missing.remove(peer.name());
        origins.came(peer.name(), peer.wire().address());
        context.party.connected(peer.name(), member.run(), now);
        peer.wire().change(peer, Peer.LONGEST_LINE);
        peer.wire().read(true);
        for (byte[] line : applicant.early()) {
            if (!peer.line(line, now)) {
                return;
            }
        }
    }
}
