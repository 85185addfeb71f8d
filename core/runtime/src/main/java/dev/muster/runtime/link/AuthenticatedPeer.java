package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;

/** A launcher that knows the key and is not taken in yet. What it says meanwhile waits. */
final class AuthenticatedPeer implements Connection.Listener {

    final Connection connection;
    final Hello member;
    final Session session;
    /** What came with its proof. */
    final List<byte[]> early = new ArrayList<>();

    /** When the question whether it is taken in may have another answer. */
    long due;

    AuthenticatedPeer(Connection connection, Hello member, Session session) {
        this.connection = connection;
        this.member = member;
        this.session = session;
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
