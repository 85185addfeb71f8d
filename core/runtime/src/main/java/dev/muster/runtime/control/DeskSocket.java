package dev.muster.runtime.control;

import dev.muster.runtime.files.ShortName;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The socket of a launcher's desk: a file in its private directory. */
final class DeskSocket {

    private static final String NAME = ".desk";

    /** What the address of a socket has room for. */
    private static final int LONGEST = 107;

    private static final int BACKLOG = 64;

    private DeskSocket() {}

    /** What is done at an address. */
    private interface At<T> {
        T address(UnixDomainSocketAddress address) throws IOException;
    }

    static ServerSocketChannel listen(Path directory) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            return reach(directory, address -> server.bind(address, BACKLOG));
        } catch (IOException | RuntimeException refused) {
            server.close();
            throw refused;
        }
    }

    /** Does not wait for anybody: a launcher that stands still, and has too many callers, refuses. */
    static SocketChannel connect(Path directory) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            if (!reach(directory, channel::connect)) {
                throw new IOException("nobody takes the call");
            }
            return channel;
        } catch (IOException | RuntimeException refused) {
            channel.close();
            throw refused;
        }
    }

    private static <T> T reach(Path directory, At<T> at) throws IOException {
        Path socket = directory.resolve(NAME);
        if (socket.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST) {
            return at.address(UnixDomainSocketAddress.of(socket));
        }
        try (ShortName name = ShortName.of(directory)) {
            return at.address(UnixDomainSocketAddress.of(name.path().resolve(NAME)));
        }
    }
}
