package dev.muster.runtime.conditions;

import dev.muster.runtime.ports.ClientSocket;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Condition;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connects to a port, again and again, without ever blocking. A connection is closed as soon as it is made. Used by the probing
 * thread alone, where nothing else is said.
 */
final class PortProbe {

    /** How long an attempt may take; the system itself would try for two minutes. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

    private final Condition condition;
    private final String host;
    private final int port;
    private final Backoff backoff = new Backoff();
    private final Selector selector;
    private final HostNames names;

    private long due;
    private @Nullable CompletableFuture<InetAddress> lookup;
    private @Nullable SocketChannel channel;
    private volatile String reason;
    private volatile String brief = "not tried yet";
    private boolean isMet;

    PortProbe(Condition condition, Selector selector, HostNames names, long now) {
        this.condition = condition;
        this.host = condition.host();
        this.port = condition.port();
        this.selector = selector;
        this.names = names;
        this.due = now;
        this.reason = sentence("has not been tried yet");
    }

    /** Which condition this looks after. */
    Condition condition() {
        return condition;
    }

    /** Nanoseconds on the watch's clock; the next step is not due before. */
    long due() {
        return due;
    }

    /** Whether something has happened that makes the next step due at once. */
    boolean isWoken() {
        return lookup != null && lookup.isDone();
    }

    /** Takes the next step; never blocks. */
    void step(long now) {
        if (lookup != null) {
            continueLookup(lookup, now);
        } else if (channel != null) {
            continueConnection(channel, now);
        } else {
            lookup = names.find(host, selector::wakeup);
            due = now + PATIENCE;
        }
    }

    boolean isMet() {
        return isMet;
    }

    /** Why it is not met, as a sentence without a full stop. Any thread may ask. */
    String reason() {
        return reason;
    }

    /** The same in a few words, for lists. Any thread may ask. */
    String brief() {
        return Printable.escape(host) + " (" + brief + ")";
    }

    /** Gives back what it holds. */
    void close() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // Nothing was sent and nothing is expected: there is nothing to lose.
            }
            channel = null;
        }
    }

    private void continueLookup(CompletableFuture<InetAddress> current, long now) {
        if (!current.isDone()) {
            note(Answer.UNRESOLVED);
            due = now + PATIENCE;
            return;
        }
        lookup = null;
        if (current.isCompletedExceptionally()) {
            answer(Answer.UNKNOWN_HOST, now);
        } else {
            connect(new InetSocketAddress(current.join(), port), now);
        }
    }

    private void connect(InetSocketAddress address, long now) {
        try {
            SocketChannel opened = ClientSocket.open();
            channel = opened;
            opened.configureBlocking(false);
            due = now + PATIENCE;
            if (opened.connect(address)) {
                answer(meaning(opened), now);
            } else {
                opened.register(selector, SelectionKey.OP_CONNECT, this);
            }
        } catch (IOException e) {
            answer(meaning(e), now);
        }
    }

    private void continueConnection(SocketChannel current, long now) {
        try {
            if (current.finishConnect()) {
                answer(meaning(current), now);
            } else if (now - due >= 0) {
                answer(Answer.SILENT, now);
            }
        } catch (IOException e) {
            answer(meaning(e), now);
        }
    }

    private void answer(Answer answer, long now) {
        close();
        note(answer);
        due = now + backoff.next();
    }

    private void note(Answer answer) {
        isMet |= answer == Answer.OPEN;
        brief = answer.brief();
        reason = sentence(answer.words());
    }

    private String sentence(String finding) {
        return Conditions.port(host, port) + " " + finding;
    }

    private static Answer meaning(SocketChannel connected) throws IOException {
        return ClientSocket.hasMetItself(connected) ? Answer.REFUSED : Answer.OPEN;
    }

    /** A time-out of the system's would be the same exception, but {@link #PATIENCE} ends before. */
    private static Answer meaning(IOException problem) {
        return problem instanceof ConnectException ? Answer.REFUSED : Answer.SILENT;
    }
}
