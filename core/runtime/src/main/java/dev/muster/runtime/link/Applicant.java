package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;

/** A launcher that knows the key and is not taken in yet. What it says meanwhile waits. */
final class Applicant implements Wire.Listener {

    private final Wire wire;
    private final Hello member;
    private final Session session;
    private final List<byte[]> early = new ArrayList<>();
    private long due;

    Applicant(Wire wire, Hello member, Session session, long now) {
        this.wire = wire;
        this.member = member;
        this.session = session;
        this.due = now;
    }

    Wire wire() {
        return wire;
    }

    Hello member() {
        return member;
    }

    Session session() {
        return session;
    }

    /** When the question may have another answer. */
    long due() {
        return due;
    }

    void waitUntil(long time) {
        due = time;
    }

    /** What came with its proof. */
    List<byte[]> early() {
        return early;
    }

    @Override
    public boolean line(byte[] line, long now) {
        early.add(line);
        return true;
    }

    @Override
    public void ended(String why, long now) {
        // Whoever asks next sees that it is closed.
        due = now;
    }
}
