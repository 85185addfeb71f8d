package dev.muster.runtime.link;

import dev.muster.runtime.ports.ClientSocket;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A member's attempt to reach its leader at one address and port. */
final class Attempt implements Selectable, Wire.Listener {

    private static final long TO_CONNECT = TimeUnit.SECONDS.toNanos(2);
    private static final long TO_ANSWER = TimeUnit.SECONDS.toNanos(3);
    /** For what takes connections and says nothing, while there are other places. */
    static final long TO_ANSWER_SOON = TimeUnit.MILLISECONDS.toNanos(500);

    /** How an attempt failed. */
    enum Failure {
        /** Something there shows that the leader is not. */
        NOBODY,
        /** The network, or the host, gives no answer. */
        SILENCE,
        /** It is there, but does not let this launcher in. */
        REFUSED
    }

    /** Who is told what becomes of it; it is over then. */
    interface Caller {

        void failed(Attempt attempt, Failure failure, String why, long now);

        /** @param words for users */
        void otherKey(Attempt attempt, String words, long now);

        /** The leader has given the key. */
        JobKey learned(String secret);

        void otherVersion(Attempt attempt, Hello leader, long now);

        void reached(Attempt attempt, Wire wire, Handshake.Step.Done done, long now);
    }

    private final LinkContext context;
    private final InetSocketAddress place;
    private final Hello own;
    private final @Nullable KeyAsking asking;
    private @Nullable MemberHandshake handshake;
    private final Caller caller;
    private final long patience;
    private @Nullable SocketChannel channel;
    private @Nullable Wire wire;
    private long deadline;

    /** @param patience how long an answer may take at most, in nanoseconds */
    Attempt(LinkContext context, InetSocketAddress place, Caller caller, long patience) {
        this(context, place, context.keys.key(), caller, patience);
    }

    /** @param key what the leader there must know, too; null: that one is to give it, to who has munge */
    Attempt(LinkContext context, InetSocketAddress place, @Nullable JobKey key, Caller caller, long patience) {
        this.context = context;
        this.place = place;
        this.own = context.hello();
        Munge munge = context.keys.munge();
        this.asking = key != null || munge == null ? null : new KeyAsking(munge, context.errands, own);
        this.handshake = key == null ? null : handshake(key);
        this.caller = caller;
        this.patience = patience;
    }

    InetSocketAddress place() {
        return place;
    }

    long deadline() {
        return deadline;
    }

    void start(long now) {
        deadline = now + TO_CONNECT;
        try {
            SocketChannel opened = ClientSocket.open();
            channel = opened;
            opened.configureBlocking(false);
            boolean isDone = opened.connect(place);
            opened.register(context.selector, SelectionKey.OP_CONNECT, this);
            if (isDone) {
                connected(opened, now);
            }
        } catch (IOException e) {
            fail(e, now);
        }
    }

    @Override
    public void ready(long now) {
        SocketChannel connecting = channel;
        try {
            if (connecting != null && wire == null && connecting.finishConnect()) {
                connected(connecting, now);
            }
        } catch (IOException e) {
            fail(e, now);
        }
    }

    /** It has taken too long. */
    void expire(long now) {
        fail(Failure.SILENCE, "no answer", now);
    }

    @Override
    public boolean line(byte[] line, long now) {
        if (handshake == null && asking != null && asking.answered(line)) {
            deadline = now + TO_ANSWER;
            return true;
        }
        Handshake.Step step = handshake == null ? unanswered(line) : handshake.step(line);
        Wire current = wire;
        if (step instanceof Handshake.Step.Done done && current != null) {
            caller.reached(this, current, done, now);
            return true;
        }
        close();
        notLetIn((Handshake.Step.Failed) step, now);
        return false;
    }

    private void notLetIn(Handshake.Step.Failed failed, long now) {
        switch (failed.why()) {
            case OTHER_JOB ->
                caller.failed(this, Failure.NOBODY, "another job answers on port " + place.getPort(), now);
            case NONSENSE ->
                caller.failed(this, Failure.NOBODY, "something else answers on port " + place.getPort(), now);
            case OTHER_KEY -> caller.otherKey(this, otherKey(), now);
            case WANTS_CREDENTIAL ->
                caller.otherKey(
                        this,
                        "wants a credential of munge, which is not used here: munge and unmunge must work on all nodes,"
                                + " or give --link-secret, the same on all nodes",
                        now);
            case OTHER_VERSION -> caller.otherVersion(this, failed.peer().orElseThrow(), now);
        }
    }

    private String otherKey() {
        return asking == null
                ? "has another key: --link-secret must be the same on all nodes"
                : "does not take this launcher's credential of munge: munge must work on all nodes, or"
                        + " give --link-secret, the same on all nodes";
    }

    @Override
    public void ended(String why, long now) {
        // It may have been full of strangers, or about to end.
        caller.failed(this, Failure.SILENCE, why, now);
    }

    void close() {
        if (wire != null) {
            wire.close();
        }
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // It led nowhere: there is nothing to lose.
        }
    }

    private void connected(SocketChannel opened, long now) throws IOException {
        if (ClientSocket.hasMetItself(opened)) {
            fail(Failure.NOBODY, "connection refused", now);
            return;
        }
        deadline = now + Math.min(patience, TO_ANSWER);
        Wire made = new Wire(opened, context.selector, context.buffer, Reception.LONGEST_LINE, this);
        wire = made;
        if (handshake != null) {
            made.send(Guest.bytes(handshake.opening()), now);
        } else if (asking != null) {
            deadline = now + Reception.PATIENCE;
            asking.start();
        }
    }

    private MemberHandshake handshake(JobKey key) {
        return new MemberHandshake(own, context.launchers().leader(), key);
    }

    private static Handshake.Step unanswered(byte[] line) {
        return Hello.readRefusal(line)
                .map(MemberHandshake::refused)
                .orElseGet(() -> new Handshake.Step.Failed("", Handshake.Why.NONSENSE, Optional.empty()));
    }

    /** Goes on with what munge has answered. */
    void tick(long now) {
        Wire current = wire;
        Optional<KeyAsking.Step> step = asking == null || current == null ? Optional.empty() : asking.step();
        if (current == null || step.isEmpty()) {
            return;
        }
        if (step.get() instanceof KeyAsking.Step.Send question) {
            deadline = now + Math.min(patience, Reception.PATIENCE);
            current.send(Guest.bytes(question.line()), now);
        } else if (step.get() instanceof KeyAsking.Step.Secret secret) {
            MemberHandshake made = handshake(caller.learned(secret.text()));
            handshake = made;
            deadline = now + TO_ANSWER;
            current.send(Guest.bytes(made.opening()), now);
        } else {
            fail(Failure.REFUSED, ((KeyAsking.Step.Failed) step.get()).why(), now);
        }
    }

    private void fail(IOException problem, long now) {
        if (problem instanceof ConnectException) {
            fail(Failure.NOBODY, "connection refused", now);
        } else {
            fail(Failure.SILENCE, Wire.words(problem), now);
        }
    }

    private void fail(Failure failure, String why, long now) {
        close();
        caller.failed(this, failure, why, now);
    }
}
