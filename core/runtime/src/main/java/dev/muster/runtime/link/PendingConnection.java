package dev.muster.runtime.link;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A connection at the leader whose other end has not proved anything yet. */
final class PendingConnection implements Connection.Listener {

    private final Acceptor acceptor;
    private final Handshake handshake;
    final Connection connection;
    final long deadline;
    private @Nullable Hello member;
    /** The key, sealed for it; null: it has not asked. Nobody is answered twice. */
    private @Nullable CompletableFuture<String> sealed;

    private boolean isAnswered;

    PendingConnection(Acceptor acceptor, Handshake handshake, Connection connection, long deadline) {
        this.acceptor = acceptor;
        this.handshake = handshake;
        this.connection = connection;
        this.deadline = deadline;
    }

    /** Whether it gives way to others: it has not shown that it has heard of the key. */
    boolean givesWay() {
        return member == null;
    }

    /** Sends it the sealed key, once there is one. */
    void answer(long now) {
        CompletableFuture<String> done = sealed;
        if (done != null && done.isDone() && !isAnswered) {
            isAnswered = true;
            String credential = done.exceptionally(problem -> {
                        acceptor.cannotSeal(String.valueOf(problem.getMessage()));
                        return "";
                    })
                    .join();
            connection.send(
                    credential.isEmpty() ? Hello.bare(Hello.REFUSED, "key") : Hello.bare(Hello.CREDENTIAL, credential),
                    now);
        }
    }

    @Override
    public boolean line(byte[] line, long now) {
        if (member != null) {
            return goOn(handshake.proved(line, member), now);
        }
        Optional<Hello> asks = Hello.field(line, Hello.CREDENTIAL).isEmpty() ? Optional.empty() : Hello.read(line);
        if (sealed == null && asks.isPresent()) {
            sealed = acceptor.seal(this, asks.get());
            if (sealed != null) {
                return true;
            }
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
