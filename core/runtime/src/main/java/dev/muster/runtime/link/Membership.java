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

/** The leader's view of all launchers of a job. It also sends them messages. */
final class Membership {

    private final Map<String, MemberState> members = new LinkedHashMap<>();
    private final MemberState own;
    /** Members with messages to send before the next beat. */
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

    /** In node order, the leader included. */
    Collection<MemberState> all() {
        return members.values();
    }

    Optional<MemberState> member(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /** The leader itself. */
    MemberState own() {
        return own;
    }

    /** The events for the leader's own part. */
    LinkEventQueue events() {
        return events;
    }

    /** Queues a member if it has unsent messages. */
    void queueUnsent(MemberState member) {
        if (member.channel().filter(Channel::mustSend).isPresent()) {
            unsent.add(member);
        }
    }

    /** A batch was sent to the member, or the member is disconnected. */
    void onSent(MemberState member) {
        unsent.remove(member);
        queueUnsent(member);
    }

    /** The members to send a batch to now: all of them if a beat is due. */
    Set<String> toSend(long now) {
        if (now - beatAt >= 0) {
            beatAt = now + Channel.BEAT;
            members.values().stream().filter(MemberState::isConnected).forEach(unsent::add);
        }
        return unsent.stream().map(MemberState::name).collect(Collectors.toSet());
    }

    /** When the next batch is due. */
    long nextSend(long now) {
        return unsent.isEmpty() ? beatAt : now;
    }

    /** Launchers that have never come or have left do not get it. */
    void tell(MemberState member, LinkEvent event) {
        if (member == own) {
            events.add(event);
        } else {
            send(member, Messages.write(event));
        }
    }

    void tellAll(LinkEvent event) {
        events.add(event);
        sendAll(Messages.write(event));
    }

    /** Goes to members only. */
    void tellAll(LeaderMessage order) {
        sendAll(Messages.write(order));
    }

    private void sendAll(Map<String, Object> message) {
        members.values().forEach(member -> send(member, message));
    }

    private void send(MemberState member, Map<String, Object> message) {
        member.channel().filter(channel -> !member.hasLeft()).ifPresent(channel -> {
            channel.add(message);
            queueUnsent(member);
        });
    }
}
