package dev.muster.runtime.link;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** A connection: cuts what comes into lines, and sends as fast as the other side reads. */
final class Wire implements Selectable {

    /** What a connection has to tell. */
    interface Listener {

        /**
         * A line has come.
         *
         * @return false when the connection was closed, or its next lines must wait
         */
        boolean line(byte[] line, long now);

        /** The connection has ended, or broken, or its other side sends lines that are too long; it is closed already. */
        void ended(String why, long now);
    }

    /** Why a connection ends whose other side takes nothing. */
    static final String NOT_READ = "it does not read what it is sent";

    /** How much may wait for a side that does not read. */
    private static final int LONGEST_QUEUE = 256 * 1024;

    private final SocketChannel channel;
    private final InetAddress address;
    private final SelectionKey key;
    private final ByteBuffer shared;
    private final LineReader lines;
    private final Deque<ByteBuffer> unsent = new ArrayDeque<>();
    private Listener listener;
    private int unsentBytes;
    private long stuckSince;
    private boolean isClosed;

    /**
     * @param channel connected, and not blocking
     * @param shared what comes is read into it first; one for all connections of a thread
     * @param longest how long a line may be
     */
    Wire(SocketChannel channel, Selector selector, ByteBuffer shared, int longest, Listener listener)
            throws IOException {
        this.channel = channel;
        this.shared = shared;
        this.lines = new LineReader(longest);
        this.listener = listener;
        this.address = channel.socket().getInetAddress();
        channel.socket().setTcpNoDelay(true);
        this.key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** From the next line on, another listener hears, and another length is allowed. */
    void change(Listener next, int longest) {
        listener = next;
        lines.allow(longest);
    }

    /** Whether the other side has not read all that was sent. */
    boolean isStuck() {
        return !unsent.isEmpty();
    }

    /** Since when {@link #isStuck}. */
    long stuckSince() {
        return stuckSince;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** The address of the other side, without its port. */
    InetAddress address() {
        return address;
    }

    /** Sends a line that has its end already; what the other side does not read yet waits. */
    void send(byte[] line, long now) {
        if (isClosed) {
            return;
        }
        if (unsentBytes + line.length > LONGEST_QUEUE) {
            end(NOT_READ, now);
            return;
        }
        if (unsent.isEmpty()) {
            stuckSince = now;
        }
        unsent.add(ByteBuffer.wrap(line));
        unsentBytes += line.length;
        write(now);
    }

    /** Whether lines are read; those that have come already wait. */
    void read(boolean wanted) {
        if (!isClosed) {
            key.interestOps(
                    wanted ? key.interestOps() | SelectionKey.OP_READ : key.interestOps() & ~SelectionKey.OP_READ);
        }
    }

    @Override
    public void ready(long now) {
        if (!isClosed && key.isWritable()) {
            write(now);
        }
        if (!isClosed && key.isReadable()) {
            readOnce(now);
        }
    }

    /** Says that nothing more will be sent; the other side can still speak. */
    void finish(long now) {
        try {
            if (!isClosed) {
                channel.shutdownOutput();
            }
        } catch (IOException e) {
            end(words(e), now);
        }
    }

    /** Nothing more is heard of the connection. */
    void close() {
        isClosed = true;
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more, whatever the system says.
        }
    }

    private void readOnce(long now) {
        try {
            shared.clear();
            int count = channel.read(shared);
            if (count < 0) {
                end("the connection was closed", now);
                return;
            }
            shared.flip();
            if (!lines.read(shared, line -> hear(line, now)) && !isClosed) {
                end("it sent a line that is too long", now);
            }
        } catch (IOException e) {
            end(words(e), now);
        }
    }

    private boolean hear(byte[] line, long now) {
        return listener.line(line, now) && !isClosed;
    }

    private void write(long now) {
        try {
            while (!unsent.isEmpty()) {
                ByteBuffer first = unsent.peek();
                int count = channel.write(first);
                unsentBytes -= count;
                if (count > 0) {
                    stuckSince = now;
                }
                if (first.hasRemaining()) {
                    break;
                }
                unsent.remove();
            }
            int wanted = unsent.isEmpty()
                    ? key.interestOps() & ~SelectionKey.OP_WRITE
                    : key.interestOps() | SelectionKey.OP_WRITE;
            if (wanted != key.interestOps()) {
                key.interestOps(wanted);
            }
        } catch (IOException e) {
            end(words(e), now);
        }
    }

    private void end(String why, long now) {
        if (!isClosed) {
            close();
            listener.ended(why, now);
        }
    }

    /** What the system says of a connection. */
    static String words(IOException problem) {
        String message = problem.getMessage();
        return message == null ? "the connection broke" : message.toLowerCase(Locale.ROOT);
    }
}
