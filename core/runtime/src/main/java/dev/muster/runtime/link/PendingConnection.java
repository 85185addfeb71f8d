package dev.muster.runtime.link;

import org.jspecify.annotations.Nullable;

/** A connection at the leader whose other end has not proved anything yet. */
final class PendingConnection implements Connection.Listener {

    private final Acceptor acceptor;
    final Connection connection;
    final long deadline;
    private final Handshake handshake;
    private @Nullable Hello member;

    PendingConnection(Acceptor acceptor, Connection connection, Handshake handshake, long deadline) {
        this.acceptor = acceptor;
        this.connection = connection;
        this.deadline = deadline;
        this.handshake = handshake;
    }

    /** Whether it gives way to others: it has not named this job. */
    boolean givesWay() {
        return member == null;
    }

    @Override
    public boolean line(byte[] line, long now) {
        return goOn(member == null ? handshake.answer(line) : handshake.proved(line, member), now);
    }

    private boolean goOn(Handshake.Step step, long now) {
        if (step instanceof Handshake.Step.Answer answer) {
            member = answer.peer();
            connection.send(answer.line(), now);
            return true;
        }
        if (step instanceof Handshake.Step.Done done) {
            acceptor.proved(this, done, now);
            return true;
        }
        Handshake.Step.Failed failed = (Handshake.Step.Failed) step;
        if (!failed.line().isEmpty()) {
            connection.send(failed.line(), now);
        }
        acceptor.rejected(this, failed, now);
        return false;
    }

    @Override
    public void ended(String why, Disconnection how, long now) {
        acceptor.dismiss(this, now);
    }
}
