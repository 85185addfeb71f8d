package dev.muster.runtime.link;

import dev.muster.spi.LauncherNodes;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** All launchers of a job as their leader sees them, and how it tells them something. */
final class Membership {

    private final Map<String, MemberState> members = new LinkedHashMap<>();
    private final MemberState own;
    /** Who is to be sent something before the next beat. */
    private final Set<MemberState> unsent = new LinkedHashSet<>();

    private long beatAt;
    private final LinkEventQueue events = new LinkEventQueue();

    Membership(LauncherNodes launchers, long now) {
        beatAt = now;
        for (LauncherNodes.Peer peer : launchers.all()) {
            members.put(peer.name(), new MemberState(peer, peer.name().equals(launchers.own())));
        }
        own = Objects.requireNonNull(members.get(launchers.own()));
    }

    /** In node order, the leader's own included. */
    Collection<MemberState> all() {
        return members.values();
    }

    Optional<MemberState> member(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /** The leader's. */
    MemberState own() {
        return own;
    }

    /** What the leader's own part hears. */
    LinkEventQueue events() {
        return events;
    }

    /** Something may have to be said to a launcher. */
    void mustSend(MemberState member) {
        if (member.channel().filter(Channel::mustSend).isPresent()) {
            unsent.add(member);
        }
    }

    /** It was sent what there was for it, or cannot be sent anything. */
    void sent(MemberState member) {
        unsent.remove(member);
        mustSend(member);
    }

    /** Who is to be sent something by now: all, when a beat is due. */
    Set<String> toSend(long now) {
        if (now - beatAt >= 0) {
            beatAt = now + Channel.BEAT;
            members.values().stream().filter(MemberState::isConnected).forEach(unsent::add);
        }
        return unsent.stream().map(MemberState::name).collect(Collectors.toSet());
    }

    /** When there is something to send. */
    long nextSend(long now) {
        return unsent.isEmpty() ? beatAt : now;
    }

    /** Nobody hears it who has never come, or has left. */
    void tell(MemberState member, LinkEvent event) {
        if (member == own) {
            events.hear(event);
        } else {
            send(member, Messages.write(event));
        }
    }

    void tellAll(LinkEvent event) {
        events.hear(event);
        sendAll(Messages.write(event));
    }

    /** Concerns members only. */
    void tellAll(LeaderMessage order) {
        sendAll(Messages.write(order));
    }

    private void sendAll(Map<String, Object> message) {
        members.values().forEach(member -> send(member, message));
    }

    private void send(MemberState member, Map<String, Object> message) {
        member.channel().filter(channel -> !member.hasLeft()).ifPresent(channel -> {
            channel.tell(message);
            mustSend(member);
        });
    }
}
