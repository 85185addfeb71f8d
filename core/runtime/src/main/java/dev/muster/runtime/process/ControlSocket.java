package dev.muster.runtime.process;

import dev.muster.runtime.files.LauncherDirectory;
import dev.muster.runtime.files.RandomText;
import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The launcher's Unix socket. A process that can enter its directory sends lines and gets lines. One thread reads, and never blocks. */
public final class ControlSocket {

    /** The number that stands for no connection. */
    static final long NOBODY = 0;

    private static final int LONGEST_REQUEST = 4096;
    private static final int NAME_BYTES = 8;
    private static final int TRIES = 3;
    /** How often, and how many milliseconds apart, to try a client that does not read a long answer. */
    private static final int LOOKS = 1000;

    private static final long LOOK_MILLIS = 10;
    private static final long HANGS_UP_WITHIN_MILLIS = 3000;

    private final long pid;
    private final BiConsumer<Long, String> requested;
    private final Map<Long, SocketChannel> connections = new ConcurrentHashMap<>();
    /** Connections that wait for the launcher's end. Each future completes when its connection ends. */
    private final Map<Long, CompletableFuture<Void>> stoppers = new ConcurrentHashMap<>();

    /** Empty: there is no place for a socket, or {@link #listen} was not called. */
    private volatile CompletableFuture<Optional<Selector>> listening =
            CompletableFuture.completedFuture(Optional.empty());

    private long lastConnection;

    /**
     * @param pid of the launcher
     * @param requested gets each line, with the number of its connection
     */
    ControlSocket(long pid, BiConsumer<Long, String> requested) {
        this.pid = pid;
        this.requested = requested;
    }

    /**
     * Listens until the launcher {@link #end ends}. Without a place for a socket only signals work.
     *
     * @param made gets its path
     */
    void listen(Consumer<Path> made) {
        listening = new CompletableFuture<>();
        Daemon.start("control", () -> serve(made));
    }

    private void serve(Consumer<Path> made) {
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            made.accept(bind(server, TRIES));
            server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            listening.complete(Optional.of(selector));
            while (selector.isOpen()) {
                selector.select(this::handle);
            }
        } catch (IOException | ClosedSelectorException noPlaceOrOver) {
            return;
        } finally {
            listening.complete(Optional.empty());
        }
    }

    /** Another launcher may have removed the directory when it ended. */
    private Path bind(ServerSocketChannel server, int tries) throws IOException {
        Path directory =
                LauncherDirectory.make().orElseThrow(() -> new NoSuchFileException("the launchers' directory"));
        // Containers that share the directory have processes with equal pids.
        Path path = directory.resolve(pid + "-" + RandomText.hexadecimal(NAME_BYTES) + ".sock");
        try {
            server.bind(UnixDomainSocketAddress.of(path));
            return path;
        } catch (IOException removed) {
            if (tries == 1) {
                throw removed;
            }
            return bind(server, tries - 1);
        }
    }

    private void handle(SelectionKey key) {
        try {
            if (key.channel() instanceof ServerSocketChannel server) {
                accept(key.selector(), server.accept());
            } else if (key.attachment() instanceof Long connection) {
                read(connection, (SocketChannel) key.channel());
            }
        } catch (IOException broken) {
            if (key.attachment() instanceof Long connection) {
                disconnect(connection);
            }
        }
    }

    private void accept(Selector selector, @Nullable SocketChannel peer) throws IOException {
        if (peer != null) {
            lastConnection++;
            connections.put(lastConnection, peer);
            peer.configureBlocking(false).register(selector, SelectionKey.OP_READ, lastConnection);
        }
    }

    /** One read has complete requests, perhaps several. */
    private void read(long connection, SocketChannel peer) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST_REQUEST);
        int count = peer.read(bytes);
        String text = new String(bytes.array(), 0, Math.max(count, 0), StandardCharsets.UTF_8);
        if (!text.endsWith("\n")) {
            disconnect(connection);
            return;
        }
        text.lines().forEach(line -> requested.accept(connection, line));
    }

    /** Registers a connection that waits for the launcher's end. */
    public void awaitEnd(long connection) {
        if (connections.containsKey(connection)) {
            stoppers.putIfAbsent(connection, new CompletableFuture<>());
        }
    }

    /** Sends a line to all connections that wait for the launcher's end. */
    public void replyToWaiting(String text) {
        stoppers.keySet().forEach(connection -> reply(connection, text));
    }

    /** Answers a request. Does not wait for a client that does not read. */
    public void reply(long connection, String text) {
        write(connection, text, 1);
    }

    /** The same, for a thread that can wait until the client has read all. */
    public void replyWhole(long connection, String text) {
        write(connection, text, LOOKS);
    }

    private void write(long connection, String text, int looks) {
        SocketChannel peer = connections.get(connection);
        ByteBuffer bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            for (int look = 0; peer != null && bytes.hasRemaining() && look < looks; look++) {
                if (look > 0) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
                }
                look = peer.write(bytes) > 0 ? 0 : look;
            }
        } catch (IOException gone) {
            // The unsent rest of the answer closes the connection below.
        }
        if (bytes.hasRemaining()) {
            disconnect(connection);
        }
    }

    /** Closes a connection. */
    public void disconnect(long connection) {
        SocketChannel peer = connections.remove(connection);
        CompletableFuture<Void> stopper = stoppers.remove(connection);
        if (stopper != null) {
            stopper.complete(null);
        }
        try {
            if (peer != null) {
                peer.close();
            }
        } catch (IOException hasHungUp) {
            return;
        }
    }

    /**
     * The launcher ends. That may end its container, so clients that wait for it must leave first: the kubelet checks the exit codes of its
     * hooks.
     */
    void end(int code) {
        replyToWaiting("ended " + code);
        List<CompletableFuture<?>> awaited = new ArrayList<>(stoppers.values());
        // The supervisor must get the socket's path, to remove it, and gets no message after the verdict.
        awaited.add(listening);
        try {
            CompletableFuture.allOf(awaited.toArray(new CompletableFuture<?>[0]))
                    .get(HANGS_UP_WITHIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException stillThere) {
            // These clients see that the socket closes.
        } catch (InterruptedException ofAPlugin) {
            Thread.currentThread().interrupt();
        }
        listening.getNow(Optional.empty()).ifPresent(ControlSocket::close);
    }

    /** Ends the thread's system call: a JVM waits up to 0.3 s for such a thread before it ends. */
    private static void close(Selector selector) {
        try {
            selector.close();
        } catch (IOException gone) {
            // The thread has ended too.
        }
    }
}
