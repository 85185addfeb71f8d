package dev.muster.runtime.output;

import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pipe from a process to us, whose ends the supervisor opens by the numbers that they have in this JVM. Where those cannot be found,
 * as without {@code /proc}, it is a Unix socket that the supervisor connects to.
 */
public final class OutputPipe {

    private final OutputTarget target;
    private final @Nullable Pipe pipe;
    private final @Nullable ServerSocketChannel server;
    private @Nullable SocketChannel accepted;

    private OutputPipe(OutputTarget target, @Nullable Pipe pipe, @Nullable ServerSocketChannel server) {
        this.target = target;
        this.pipe = pipe;
        this.server = server;
    }

    /** One for a process that is about to be started. */
    public static OutputPipe open(PipeDescriptors descriptors) throws IOException {
        // Nobody may take the new pipe for another one.
        synchronized (PipeDescriptors.OPENING) {
            Pipe pipe = Pipe.open();
            pipe.source().configureBlocking(false);
            Optional<OutputTarget> found = descriptors.find(pipe);
            if (found.isPresent()) {
                pipe.source().configureBlocking(true);
                return new OutputPipe(found.get(), pipe, null);
            }
            pipe.sink().close();
            pipe.source().close();
        }
        return listening(descriptors.sockets().resolve("out-" + Long.toString(System.nanoTime(), Character.MAX_RADIX)));
    }

    static OutputPipe listening(Path path) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(path), 1);
            return new OutputPipe(OutputTarget.socket(path), null, server);
        } catch (IOException refused) {
            server.close();
            throw refused;
        }
    }

    /** Where the process's output goes. */
    public OutputTarget target() {
        return target;
    }

    /** The process has its end; ours goes away, so that the end of the output can be seen. */
    public void started() throws IOException {
        if (pipe != null) {
            pipe.sink().close();
        } else {
            ServerSocketChannel listening = Objects.requireNonNull(server);
            try (listening) {
                accepted = listening.accept();
            } finally {
                forget();
            }
        }
    }

    private void forget() throws IOException {
        if (target.socket().isPresent()) {
            Files.deleteIfExists(target.socket().get());
        }
    }

    /** Where this JVM itself prints, in place of a process. */
    OutputStream sink() throws IOException {
        return Channels.newOutputStream(
                pipe != null
                        ? pipe.sink()
                        : SocketChannel.open(
                                UnixDomainSocketAddress.of(target.socket().orElseThrow())));
    }

    /** What the process prints. */
    public InputStream stream() {
        return Channels.newInputStream(source());
    }

    /** Whether there is somebody to read from: a socket has nobody before {@link #started}. */
    boolean isReady() {
        return pipe != null || accepted != null;
    }

    /** As a channel of {@link #channel}. */
    ReadableByteChannel source() {
        return pipe != null ? pipe.source() : Objects.requireNonNull(accepted);
    }

    /** The same, that does not block. */
    SelectableChannel channel() throws IOException {
        SelectableChannel channel = pipe != null ? pipe.source() : Objects.requireNonNull(accepted);
        channel.configureBlocking(false);
        return channel;
    }

    /** Nobody reads any more, or the process was not started. */
    public void close() throws IOException {
        if (pipe != null) {
            pipe.sink().close();
            pipe.source().close();
        } else if (accepted != null) {
            accepted.close();
        } else if (server != null) {
            server.close();
            forget();
        }
    }
}
