package dev.muster.runtime.output;

import dev.muster.runtime.files.Descriptors;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The pipe that carries a process's output to the JVM. The supervisor opens its ends by their descriptor numbers in this JVM. The JDK
 * does not tell these numbers. So the new pipe is found in {@code /proc}: its name is new, and two descriptors have it. Without
 * {@code /proc} the supervisor connects to a socket, and a thread copies from the socket to the pipe.
 *
 * @param target where the process's output goes
 */
public record OutputPipe(
        OutputTarget target, Pipe pipe, @Nullable Socket socket) {

    private static final String PIPE = "pipe:[";

    /** How many descriptors are tried, from the last pipe on, before all are. */
    private static final int NEAR = 8;

    /** The JVM itself uses the first descriptors. */
    private static int lastRead = 8;

    /** Opens a pipe for a process that starts soon. It is synchronized, so that two new pipes are not confused. */
    public static synchronized OutputPipe open() throws IOException {
        if (!Files.exists(Descriptors.ALL)) {
            return openSocket();
        }
        Optional<OutputPipe> near = open(() -> IntStream.range(lastRead, lastRead + NEAR));
        OutputPipe opened = (near.isPresent() ? near : open(OutputPipe::all))
                .orElseThrow(() -> new IOException("a new pipe is not found in " + Descriptors.ALL));
        lastRead = opened.target.read();
        return opened;
    }

    private static OutputPipe openSocket() throws IOException {
        Socket socket = Socket.open();
        return new OutputPipe(new OutputTarget(socket.path()), Pipe.open(), socket);
    }

    /** Empty if the new pipe is not found among these descriptors. */
    private static Optional<OutputPipe> open(Supplier<IntStream> descriptors) throws IOException {
        Set<String> others = descriptors
                .get()
                .mapToObj(OutputPipe::nameAt)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
        Pipe pipe = Pipe.open();
        Map<String, Integer> seen = new HashMap<>();
        Optional<OutputTarget> found = descriptors
                .get()
                .mapToObj(descriptor -> second(descriptor, others, seen))
                .flatMap(Optional::stream)
                .findFirst();
        if (found.isEmpty()) {
            pipe.sink().close();
            pipe.source().close();
        }
        return found.map(target -> new OutputPipe(target, pipe, null));
    }

    private static IntStream all() {
        @Nullable String @Nullable [] names = Descriptors.ALL.toFile().list();
        return names == null ? IntStream.empty() : Arrays.stream(names).mapToInt(Integer::parseInt);
    }

    /** The pipe at this descriptor, if an earlier one has the same pipe. The kernel gives the read end the lower number. */
    private static Optional<OutputTarget> second(int descriptor, Set<String> others, Map<String, Integer> seen) {
        return nameAt(descriptor)
                .filter(name -> !others.contains(name))
                .flatMap(name -> Optional.ofNullable(seen.putIfAbsent(name, descriptor)))
                .map(other -> new OutputTarget(Math.max(other, descriptor), Math.min(other, descriptor)));
    }

    private static Optional<String> nameAt(int descriptor) {
        return Optional.of(ReadableFiles.target(Descriptors.of(descriptor))).filter(name -> name.startsWith(PIPE));
    }

    /** The process has its end now. The JVM closes its copy, so that it can see the end of the output. */
    public void closeWriteEnd() throws IOException {
        if (socket == null) {
            pipe.sink().close();
        } else {
            socket.copyTo(pipe.sink());
        }
    }

    /** The write end, for use by the JVM itself. */
    public OutputStream sink() {
        return Channels.newOutputStream(pipe.sink());
    }

    /** What the process prints. */
    public InputStream stream() {
        return Channels.newInputStream(pipe.source());
    }

    Pipe.SourceChannel source() {
        return pipe.source();
    }

    /** The output is not needed any more, or the process was not started. */
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
        pipe.sink().close();
        pipe.source().close();
    }

    /** A Unix socket in a private directory. The supervisor connects to it for the output of one process. */
    record Socket(Path path, ServerSocketChannel server) {

        static Socket open() throws IOException {
            Path path = Files.createTempDirectory("muster-").resolve("out");
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(path), 1).configureBlocking(false);
            return new Socket(path, server);
        }

        /** Copies the socket's data to the sink, and closes the sink at the end. The supervisor is connected by now, or never connects. */
        void copyTo(WritableByteChannel sink) throws IOException {
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
                // The reader is gone, as at the end of a run. The rest is not needed.
            }
        }

        /** Accepts no more connections. Data of an open connection is still passed on. */
        void close() throws IOException {
            server.close();
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.getParent());
        }
    }
}
