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
 * A pipe from a process to us, whose ends the supervisor opens by the numbers that they have in this JVM. The JDK does not tell
 * these: the new pipe is the one whose name, which the system gives, was not there before, and is at two descriptors now. Without
 * {@code /proc} nothing has a name: the supervisor connects to a socket, and a thread passes on to the pipe what comes from there.
 *
 * @param target where the process's output goes
 */
public record OutputPipe(
        OutputTarget target, Pipe pipe, @Nullable Socket socket) {

    private static final String PIPE = "pipe:[";

    /** How many descriptors from the last pipe's on are tried before all are looked at. */
    private static final int NEAR = 8;

    /** The JVM has the first ones. */
    private static int lastRead = 8;

    /** One for a process that is about to be started. Nobody may take the new pipe for another one, so that it waits its turn. */
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

    /** Empty when it is not found among these descriptors. */
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

    /** The pipe at this descriptor, if it was seen at another one. The kernel gives the end for reading the lower number. */
    private static Optional<OutputTarget> second(int descriptor, Set<String> others, Map<String, Integer> seen) {
        return nameAt(descriptor)
                .filter(name -> !others.contains(name))
                .flatMap(name -> Optional.ofNullable(seen.putIfAbsent(name, descriptor)))
                .map(other -> new OutputTarget(Math.max(other, descriptor), Math.min(other, descriptor)));
    }

    private static Optional<String> nameAt(int descriptor) {
        return Optional.of(ReadableFiles.target(Descriptors.of(descriptor))).filter(name -> name.startsWith(PIPE));
    }

    /** The process has its end; ours goes away, so that the end of the output can be seen. */
    public void started() throws IOException {
        if (socket == null) {
            pipe.sink().close();
        } else {
            socket.passOnTo(pipe.sink());
        }
    }

    /** Where this JVM itself prints, in place of a process, or to one that reads. */
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

    /** Nobody reads any more, or the process was not started. */
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
        }
        pipe.sink().close();
        pipe.source().close();
    }

    /** A Unix socket in a private directory, which the supervisor connects to for the output of one process. */
    record Socket(Path path, ServerSocketChannel server) {

        static Socket open() throws IOException {
            Path path = Files.createTempDirectory("muster-").resolve("out");
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(path), 1).configureBlocking(false);
            return new Socket(path, server);
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
        void close() throws IOException {
            server.close();
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.getParent());
        }
    }
}
