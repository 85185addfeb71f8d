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

/** A TCP connection. It splits its input into lines, and sends as fast as the other side reads. */
final class Connection {

    interface Listener {

        /**
         * A line has arrived.
         *
         * @param line without the newline
         * @return false: the connection was closed
         */
        boolean onLine(byte[] line, long now);

        /** The connection has ended or broken, or the other side sent a line that is too long. It is closed already. */
        void onEnded(String why, Disconnection how, long now);
    }

    private static final String RESET = "connection reset";
    private static final String NOT_READ = "it does not read what it is sent";

    /** The most unsent bytes for a side that does not read. */
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
     * A connection without a listener before {@link #setListener}.
     *
     * @param channel connected and non-blocking
     */
    Connection(LinkContext context, SocketChannel channel) throws IOException {
        this.channel = channel;
        this.shared = context.buffer;
        this.address = ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
        channel.socket().setTcpNoDelay(true);
        this.key = channel.register(context.selector, SelectionKey.OP_READ, (LongConsumer) this::onReady);
    }

    /** Sets the listener and the longest line, from the next line on. */
    void setListener(Listener next, int longestLine) {
        listener = next;
        longest = longestLine;
    }

    /** Whether bytes wait to be sent, since the other side does not read. */
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

    /** Sends a line and a newline. */
    void send(String line, long now) {
        send((line + "\n").getBytes(StandardCharsets.UTF_8), now);
    }

    /** Sends a line that ends with a newline. It is queued while the other side does not read. */
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

    private void onReady(long now) {
        if (!isClosed && key.isWritable()) {
            write();
        }
        if (!isClosed && key.isReadable()) {
            read(now);
        }
    }

    /** Closes the sending direction; the other side can still send. */
    void finish(long now) {
        try {
            if (!isClosed) {
                channel.shutdownOutput();
            }
        } catch (IOException e) {
            end(words(e), Disconnection.SILENCE, now);
        }
    }

    /** Closes the connection; its listener gets no further call. */
    void close() {
        isClosed = true;
        close(channel);
    }

    static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The channel is not used any more, whatever the error is.
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
            // All other errors are about a network without an answer.
            boolean isClosed = words(e).startsWith(RESET);
            end(words(e), isClosed ? Disconnection.CLOSED : Disconnection.SILENCE, now);
        }
    }

    private boolean take(byte next, long now) {
        if (next == '\n') {
            byte[] line = pending.toByteArray();
            pending.reset();
            return Objects.requireNonNull(listener, "whoever made it listens").onLine(line, now) && !isClosed;
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
            // Lines that the other side sent before it left can still be read. The end comes after them.
            unsent.clear();
            unsentBytes = 0;
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private void end(String why, Disconnection how, long now) {
        if (!isClosed) {
            close();
            Objects.requireNonNull(listener, "whoever made it listens").onEnded(why, how, now);
        }
    }

    /** The system's error message in lower case. */
    static String words(IOException problem) {
        String message = problem.getMessage();
        return message == null ? "the connection broke" : message.toLowerCase(Locale.ROOT);
    }
}
