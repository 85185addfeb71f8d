package dev.muster.runtime.link;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A TCP connection: cuts what comes into lines, and sends as fast as the other side reads. */
final class Connection {

    /** What a connection has to tell. */
    interface Listener {

        /**
         * A line has come.
         *
         * @param line without its end
         * @return false when the connection was closed
         */
        boolean line(byte[] line, long now);

        /** The connection has ended, or broken, or its other side sends lines that are too long; it is closed already. */
        void ended(String why, Disconnection how, long now);
    }

    private static final String RESET = "connection reset";
    private static final String NOT_READ = "it does not read what it is sent";

    /** How much may wait for a side that does not read. */
    private static final int LONGEST_QUEUE = 512 * 1024;

    private final SocketChannel channel;
    private final InetAddress address;
    private final SelectionKey key;
    private final ByteBuffer shared;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private final Deque<ByteBuffer> unsent = new ArrayDeque<>();
    private @Nullable Listener listener;
    private int longest;
    private int unsentBytes;
    private boolean isClosed;

    /**
     * A connection to which nobody listens before {@link #change}.
     *
     * @param channel connected, and not blocking
     */
    Connection(LinkContext context, SocketChannel channel) throws IOException {
        this.channel = channel;
        this.shared = context.buffer;
        this.address = ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
        channel.socket().setTcpNoDelay(true);
        this.key = channel.register(context.selector, SelectionKey.OP_READ, (LongConsumer) this::ready);
    }

    /** From the next line on, another listener hears, and another length is allowed. */
    void change(Listener next, int longestLine) {
        listener = next;
        longest = longestLine;
    }

    /** Whether the other side has not read all that was sent. */
    boolean isStuck() {
        return !unsent.isEmpty();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** The address of the other side, without its port. */
    String address() {
        return address.getHostAddress();
    }

    /** Sends a line without its end. */
    void send(String line, long now) {
        send((line + "\n").getBytes(StandardCharsets.UTF_8), now);
    }

    /** Sends a line that has its end already; what the other side does not read yet waits. */
    void send(byte[] line, long now) {
        if (isClosed) {
            return;
        }
        if (unsentBytes + line.length > LONGEST_QUEUE) {
            end(NOT_READ, Disconnection.SILENCE, now);
            return;
        }
        unsent.add(ByteBuffer.wrap(line));
        unsentBytes += line.length;
        write();
    }

    private void ready(long now) {
        if (!isClosed && key.isWritable()) {
            write();
        }
        if (!isClosed && key.isReadable()) {
            read(now);
        }
    }

    /** Says that nothing more will be sent; the other side can still speak. */
    void finish(long now) {
        try {
            if (!isClosed) {
                channel.shutdownOutput();
            }
        } catch (IOException e) {
            end(words(e), Disconnection.SILENCE, now);
        }
    }

    /** Nothing more is heard of the connection. */
    void close() {
        isClosed = true;
        close(channel);
    }

    static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more, whatever the system says.
        }
    }

    private void read(long now) {
        try {
            shared.clear();
            int count = channel.read(shared);
            if (count < 0) {
                end("the connection was closed", Disconnection.CLOSED, now);
                return;
            }
            shared.flip();
            boolean goesOn = true;
            while (goesOn && shared.hasRemaining()) {
                goesOn = take(shared.get(), now);
            }
        } catch (IOException e) {
            // What else the system says is about a network that gives no answer.
            boolean isClosed = words(e).startsWith(RESET);
            end(words(e), isClosed ? Disconnection.CLOSED : Disconnection.SILENCE, now);
        }
    }

    private boolean take(byte next, long now) {
        if (next == '\n') {
            byte[] line = pending.toByteArray();
            pending.reset();
            return Objects.requireNonNull(listener, "whoever made it listens").line(line, now) && !isClosed;
        }
        if (pending.size() >= longest) {
            end("it sent a line that is too long", Disconnection.SILENCE, now);
            return false;
        }
        pending.write(next);
        return true;
    }

    private void write() {
        try {
            while (!unsent.isEmpty()) {
                ByteBuffer first = unsent.peek();
                int count = channel.write(first);
                unsentBytes -= count;
                if (first.hasRemaining()) {
                    break;
                }
                unsent.remove();
            }
            key.interestOps(isStuck() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        } catch (IOException e) {
            // What the other side said before it left can still be read, and the end comes after it.
            unsent.clear();
            unsentBytes = 0;
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private void end(String why, Disconnection how, long now) {
        if (!isClosed) {
            close();
            Objects.requireNonNull(listener, "whoever made it listens").ended(why, how, now);
        }
    }

    /** What the system says of a connection. */
    static String words(IOException problem) {
        String message = problem.getMessage();
        return message == null ? "the connection broke" : message.toLowerCase(Locale.ROOT);
    }
}
