package dev.muster.runtime.link;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A connection at the leader whose other end has not proved anything yet. */
final class PendingConnection implements Connection.Listener {

    private final Acceptor acceptor;
    private final Handshake handshake;
    final String address;
    final long deadline;
    private @Nullable Hello member;
    /** The key, sealed for it; null: it has not asked. Nobody is answered twice. */
    private @Nullable CompletableFuture<String> sealed;

    private boolean isAnswered;

    PendingConnection(Acceptor acceptor, Handshake handshake, String address, long deadline) {
        this.acceptor = acceptor;
        this.handshake = handshake;
        this.address = address;
        this.deadline = deadline;
    }

    /** Whether it gives way to others: it has not shown that it has heard of the key. */
    boolean givesWay() {
        return member == null;
    }

    /**
     * Sends it the sealed key, once there is one.
     *
     * @param failed is told why there is none
     */
    void answer(Connection connection, Consumer<String> failed, long now) {
        CompletableFuture<String> done = sealed;
        if (done != null && done.isDone() && !isAnswered) {
            isAnswered = true;
            String credential = done.exceptionally(problem -> {
                        failed.accept(String.valueOf(problem.getMessage()));
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
            return acceptor.heard(this, handshake.proved(line, member), now);
        }
        Optional<Hello> asks = Hello.field(line, Hello.CREDENTIAL).isEmpty() ? Optional.empty() : Hello.read(line);
        if (sealed == null && asks.isPresent()) {
            sealed = acceptor.seal(this, asks.get());
            if (sealed != null) {
                return true;
            }
        }
        Handshake.Step step = handshake.answer(line, acceptor.hasMunge());
        member = step instanceof Handshake.Step.Answer answer ? answer.peer() : null;
        return acceptor.heard(this, step, now);
    }

    @Override
    public void ended(String why, long now) {
        acceptor.dismiss(this, now);
    }
}
