package dev.muster.runtime.control;

import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jspecify.annotations.Nullable;

/** Lets callers in, and hears them, on one thread. */
final class DeskDoor implements StopDesk.Door {

    private static final String ROOT = "0";
    private static final long PAUSE = Duration.ofMillis(100).toNanos();

    private final ServerSocketChannel server;
    private final UserPrincipal owner;
    private final List<Caller> callers;
    private final int most;
    private final Hearing hearing;
    private volatile @Nullable Selector selector;

    /** Hears a caller. */
    interface Hearing {

        /** @throws IOException the caller is to be sent away */
        void heard(Caller caller, String line) throws IOException;
    }

    private DeskDoor(ServerSocketChannel server, UserPrincipal owner, List<Caller> callers, int most, Hearing hearing) {
        this.server = server;
        this.owner = owner;
        this.callers = callers;
        this.most = most;
        this.hearing = hearing;
    }

    static DeskDoor open(Path directory, List<Caller> callers, int most, Hearing hearing) throws IOException {
        ServerSocketChannel server = DeskSocket.listen(directory);
        try {
            DeskDoor door = new DeskDoor(server, Files.getOwner(directory), callers, most, hearing);
            Daemon.start("desk", door::serve);
            return door;
        } catch (IOException | RuntimeException | Error refused) {
            server.close();
            throw refused;
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException gone) {
            // Then nobody can come.
        }
        Selector used = selector;
        if (used != null) {
            used.wakeup();
        }
    }

    /** Until somebody comes, nothing is made that only callers need: most jobs have none. */
    private void serve() {
        while (server.isOpen()) {
            try {
                attendFrom(server.accept());
            } catch (ClosedChannelException | ClosedSelectorException over) {
                // The run is.
            } catch (IOException noMore) {
                // No descriptor is left. Who is not heard sends a signal instead, and others may come later.
                LockSupport.parkNanos(PAUSE);
            }
        }
        sendAwayWhoWantsNothing();
    }

    private void attendFrom(SocketChannel first) throws IOException {
        try (Selector made = Selector.open()) {
            selector = made;
            server.configureBlocking(false);
            server.register(made, SelectionKey.OP_ACCEPT);
            letIn(first, made);
            while (server.isOpen()) {
                made.select();
                made.selectedKeys().removeIf(key -> attend(key, made));
            }
        } catch (IOException refused) {
            first.close();
            throw refused;
        }
    }

    private boolean attend(SelectionKey key, Selector made) {
        if (key.attachment() instanceof Caller caller) {
            hear(caller);
        } else {
            try {
                SocketChannel next = server.accept();
                if (next != null) {
                    letIn(next, made);
                }
            } catch (IOException noMore) {
                // The same, or the run is over. Who waits is asked for again at once.
                LockSupport.parkNanos(PAUSE);
            }
        }
        return true;
    }

    private void letIn(SocketChannel channel, Selector made) throws IOException {
        if (!isAllowed(channel) || callers.size() >= most) {
            channel.close();
            return;
        }
        channel.configureBlocking(false);
        Caller caller = new Caller(channel);
        channel.register(made, SelectionKey.OP_READ, caller);
        callers.add(caller);
    }

    /** Whoever can reach the socket is, as long as nobody has made the directory's owner another one's friend. */
    private boolean isAllowed(SocketChannel channel) {
        try {
            UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
            return peer.user().equals(owner)
                    || peer.user()
                            .equals(FileSystems.getDefault()
                                    .getUserPrincipalLookupService()
                                    .lookupPrincipalByName(ROOT));
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    private void hear(Caller caller) {
        try {
            if (caller.stopper().isEmpty()) {
                Optional<String> line = caller.line();
                if (line.isPresent()) {
                    hearing.heard(caller, line.get());
                }
            } else {
                // It has said all it had to say: this is its end, and the stop goes on.
                sendAway(caller);
            }
        } catch (IOException wrong) {
            sendAway(caller);
        }
    }

    private void sendAwayWhoWantsNothing() {
        for (Caller caller : callers) {
            if (caller.stopper().isEmpty()) {
                sendAway(caller);
            }
        }
    }

    private void sendAway(Caller caller) {
        caller.close();
        callers.remove(caller);
    }
}
