package dev.muster.runtime.output;

import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A Unix socket in a private directory, which the supervisor connects to for the output of one process. */
record OutputSocket(Path path, ServerSocketChannel server) implements AutoCloseable {
    static OutputSocket open() throws IOException {
        Path path = Files.createTempDirectory("muster-").resolve("out");
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path), 1).configureBlocking(false);
        return new OutputSocket(path, server);
    }

    /** The supervisor has connected, or never will: what comes is written there, which is closed at its end. */
    void passOnTo(WritableByteChannel sink) throws IOException {
        @Nullable SocketChannel accepted = server.accept();
        close();
        if (accepted == null) {
            sink.close();
        } else {
            Daemon.start("output-socket", () -> copy(accepted, sink));
        }
    }

    private static void copy(SocketChannel accepted, WritableByteChannel sink) {
        try (accepted;
                OutputStream out = Channels.newOutputStream(sink)) {
            Channels.newInputStream(accepted).transferTo(out);
        } catch (IOException closed) {
            // The reader has gone, as at the end of a run: nobody wants the rest.
        }
    }

    /** Nobody connects any more. What has come is still passed on. */
    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(path);
        Files.deleteIfExists(path.getParent());
    }
}
