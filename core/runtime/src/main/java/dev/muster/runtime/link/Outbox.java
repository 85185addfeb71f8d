package dev.muster.runtime.link;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Which peers are to be sent something; the cost of a question does not grow with the number of peers. */
final class Outbox {

    /** Who was sent nothing for the longest time comes first. */
    private final Map<String, Channel> connected = new LinkedHashMap<>();

    private final Set<String> urgent = new LinkedHashSet<>();

    void connected(String peer, Channel talk) {
        sent(peer, talk);
    }

    void disconnected(String peer) {
        connected.remove(peer);
        urgent.remove(peer);
    }

    /** Something may have to be said to a peer. */
    void touch(String peer, Channel talk) {
        if (talk.mustSend()) {
            urgent.add(peer);
        }
    }

    void sent(String peer, Channel talk) {
        connected.remove(peer);
        connected.put(peer, talk);
        urgent.remove(peer);
        touch(peer, talk);
    }

    Set<String> due(long now) {
        Set<String> due = new LinkedHashSet<>(urgent);
        for (Map.Entry<String, Channel> peer : connected.entrySet()) {
            if (peer.getValue().nextBeat() - now > 0) {
                break;
            }
            due.add(peer.getKey());
        }
        return due;
    }

    /** When {@link #due} has something; empty where nobody is connected. */
    OptionalLong next(long now) {
        if (!urgent.isEmpty()) {
            return OptionalLong.of(now);
        }
        return connected.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(connected.values().iterator().next().nextBeat());
    }
}
