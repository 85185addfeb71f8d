package dev.muster.runtime.link;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where connections wait at the leader until they have proved to know the key: a few seconds, a few bytes, a few places. Who
 * has many places gives one to whoever comes next, so strangers on one host cannot keep members of others out.
 */
final class Reception implements KeyDesk.Waiting {

    static final int PLACES = 256;
    static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    /** There are two lines, 4 KiB, and one before them where munge is used. */
    static final int LONGEST_LINE = 2 * 1024;

    /** Who is told what becomes of guests. */
    interface Desk {

        /** It knows the key. */
        void knows(Wire wire, Hello member, Session session, long now);

        /** It knows the key, but speaks another version of the protocol. */
        void speaksOtherVersion(Hello member, String address, long now);

        /** It is not of this job. */
        void isStranger(String address, boolean hasOtherKey, long now);
    }

    private final LinkContext context;
    private final JobKey key;
    private final Desk desk;
    private final @Nullable KeyDesk keyDesk;
    private boolean hasToldOfMunge;

    /** The oldest first. */
    private final Map<Guest, Wire> guests = new LinkedHashMap<>();

    Reception(LinkContext context, JobKey key, Desk desk) {
        this.context = context;
        this.key = key;
        this.desk = desk;
        Munge munge = context.keys.munge();
        String secret = context.keys.secret();
        this.keyDesk = munge == null || secret == null
                ? null
                : new KeyDesk(munge, secret, new Errands(context.selector::wakeup));
    }

    /** Somebody has connected. */
    void receive(SocketChannel channel, long now) throws IOException {
        String address = channel.socket().getInetAddress().getHostAddress();
        if (guests.size() >= PLACES && !makeRoom(now)) {
            channel.close();
            desk.isStranger(address, false, now);
            return;
        }
        Guest guest = new Guest(this, new LeaderHandshake(context.hello(), key, otherKey()), address, now + PATIENCE);
        try {
            channel.configureBlocking(false);
            guests.put(guest, new Wire(channel, context.selector, context.buffer, LONGEST_LINE, guest));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private Hello.Refusal otherKey() {
        return keyDesk == null ? Hello.Refusal.KEY : Hello.Refusal.CREDENTIAL;
    }

    /** A guest asks for the key; false: it is refused. */
    boolean asked(Guest guest, KeyQuestion question, long now) {
        if (!guests.containsKey(guest)) {
            return false;
        }
        boolean isOfJob = question.member().job().equals(context.hello().job());
        if (isOfJob && keyDesk != null && guest.asksFirst()) {
            keyDesk.ask(guest, question);
            return true;
        }
        refuse(guest, isOfJob, now);
        return false;
    }

    @Override
    public void answered(Guest guest, String line, long now) {
        Wire wire = guests.get(guest);
        if (wire != null) {
            wire.send(Guest.bytes(line), now);
        }
    }

    @Override
    public void turnedAway(Guest guest, String why, long now) {
        if (!hasToldOfMunge && guests.containsKey(guest)) {
            hasToldOfMunge = true;
            context.warn.accept("a launcher at " + guest.address() + " cannot be given the key of the job's link: "
                    + why + ". Give --link-secret, the same on all nodes");
        }
        refuse(guest, true, now);
    }

    private void refuse(Guest guest, boolean isOfJob, long now) {
        forget(guest);
        Wire wire = guests.remove(guest);
        if (wire != null) {
            Hello.Refusal refusal = isOfJob ? Hello.Refusal.KEY : Hello.Refusal.JOB;
            Handshake.Why why = isOfJob ? Handshake.Why.OTHER_KEY : Handshake.Why.OTHER_JOB;
            turnAway(
                    wire,
                    guest.address(),
                    new Handshake.Step.Failed(Hello.refusal(refusal), why, Optional.empty()),
                    now);
        }
    }

    /** A guest's line has led to this; false: its connection is not its own any more. */
    boolean heard(Guest guest, Handshake.Step step, long now) {
        Wire wire = guests.get(guest);
        if (wire == null) {
            return false;
        }
        if (step instanceof Handshake.Step.Answer answer) {
            wire.send(Guest.bytes(answer.line()), now);
            return true;
        }
        forget(guest);
        guests.remove(guest);
        if (step instanceof Handshake.Step.Done done) {
            desk.knows(wire, done.peer(), done.session(), now);
            return true;
        }
        turnAway(wire, guest.address(), (Handshake.Step.Failed) step, now);
        return false;
    }

    /** A guest's connection has ended. */
    void gone(Guest guest, long now) {
        forget(guest);
        if (guests.remove(guest) != null) {
            count(guest, now);
        }
    }

    /** Sends those away who have said nothing for too long. */
    void tick(long now) {
        if (keyDesk != null) {
            keyDesk.tick(this, now);
        }
        for (Guest guest = oldest(); guest != null && now - guest.deadline() >= 0; guest = oldest()) {
            dismiss(guest, now);
        }
    }

    /** When {@link #tick} has something to do. */
    OptionalLong due() {
        Guest oldest = oldest();
        return oldest == null ? OptionalLong.empty() : OptionalLong.of(oldest.deadline());
    }

    /** Somebody who can be spared goes. */
    boolean makeRoom(long now) {
        Map<String, List<Guest>> byAddress = new HashMap<>();
        for (Guest guest : guests.keySet()) {
            if (guest.givesWay()) {
                byAddress
                        .computeIfAbsent(guest.address(), address -> new ArrayList<>())
                        .add(guest);
            }
        }
        List<Guest> most = List.of();
        for (List<Guest> ofOne : byAddress.values()) {
            most = ofOne.size() > most.size() ? ofOne : most;
        }
        if (most.isEmpty()) {
            return false;
        }
        dismiss(most.get(0), now);
        return true;
    }

    void close() {
        if (keyDesk != null) {
            keyDesk.close();
        }
        guests.values().forEach(Wire::close);
        guests.clear();
    }

    private void turnAway(Wire wire, String address, Handshake.Step.Failed failed, long now) {
        if (!failed.line().isEmpty()) {
            wire.send(Guest.bytes(failed.line()), now);
        }
        wire.close();
        if (failed.why() == Handshake.Why.OTHER_VERSION && failed.peer().isPresent()) {
            desk.speaksOtherVersion(failed.peer().get(), address, now);
        } else {
            desk.isStranger(address, failed.why() == Handshake.Why.OTHER_KEY, now);
        }
    }

    private void forget(Guest guest) {
        if (keyDesk != null) {
            keyDesk.forget(guest);
        }
    }

    private void dismiss(Guest guest, long now) {
        forget(guest);
        Wire wire = guests.remove(guest);
        if (wire != null) {
            wire.close();
            count(guest, now);
        }
    }

    /** A member that tried again meanwhile is no stranger. */
    private void count(Guest guest, long now) {
        if (guest.givesWay()) {
            desk.isStranger(guest.address(), false, now);
        }
    }

    private @Nullable Guest oldest() {
        return guests.isEmpty() ? null : guests.keySet().iterator().next();
    }
}
