package dev.muster.runtime.link;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A connection at the leader whose other end has not proved anything yet. */
final class PendingConnection implements Connection.Listener {

    private final Acceptor acceptor;
    final Connection connection;
    final long deadline;
    private Handshake handshake;
    private @Nullable Hello member;
    /** The key in the credential that has come with its first line. */
    private @Nullable CompletableFuture<JobKey> opening;

    private byte[] first = {};

    PendingConnection(Acceptor acceptor, Connection connection, long deadline) {
        this.acceptor = acceptor;
        this.connection = connection;
        this.deadline = deadline;
        this.handshake = acceptor.handshake(acceptor.job);
    }

    /** Whether it gives way to others: it has not shown that it has heard of the key. */
    boolean givesWay() {
        return member == null;
    }

    /** Goes on once its credential is open. */
    void tick(long now) {
        CompletableFuture<JobKey> done = opening;
        if (done == null || !done.isDone()) {
            return;
        }
        opening = null;
        Optional<JobKey> key = done.handle((opened, problem) -> {
                    if (problem != null) {
                        acceptor.cannotOpen(String.valueOf(problem.getMessage()));
                    }
                    return Optional.ofNullable(opened);
                })
                .join();
        if (key.isPresent()) {
            handshake = acceptor.handshake(key.get());
            goOn(handshake.answer(first, true), now);
        } else {
            goOn(Handshake.refuseKey(), now);
        }
    }

    @Override
    public boolean line(byte[] line, long now) {
        if (member != null) {
            return goOn(handshake.proved(line, member), now);
        }
        Optional<String> credential = Hello.credential(line);
        Optional<Hello> hello = Hello.read(line);
        if (credential.isPresent() && hello.isPresent() && first.length == 0 && acceptor.takes(hello.get())) {
            first = line;
            opening = acceptor.open(connection, credential.get(), hello.get());
            return true;
        }
        return goOn(handshake.answer(line, acceptor.hasMunge()), now);
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
    public void ended(String why, long now) {
        acceptor.dismiss(this, now);
    }
}
