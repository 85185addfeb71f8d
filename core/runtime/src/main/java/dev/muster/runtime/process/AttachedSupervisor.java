package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.PrivateProgram;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The native supervisor as a child of this JVM, under {@code java -jar muster.jar}. The JVM gets the caller's signals itself and passes
 * them on.
 */
public record AttachedSupervisor(
        PrivateProgram program, Process process, SocketChannel channel, ProcessSupervisor connection) {

    private static final String NAME = "muster";
    private static final String ATTACHED = "--attached";
    /** The signals to pass on. Java does not take those that the caller ignores. */
    private static final List<String> CAUGHT = List.of("TERM", "INT", "HUP", "USR1", "USR2");

    private static final long ENDS_WITHIN_SECONDS = 5;

    /**
     * Starts the supervisor, and passes signals to it from then on.
     *
     * @param own the caller's context as this JVM sees it
     * @param machine the processor, in the form of {@code uname -m}
     * @throws MusterException there is no supervisor for this machine, or it cannot be started
     */
    public static AttachedSupervisor start(CallerContext own, String machine, LongSupplier nanoClock) {
        AttachedSupervisor started = startWithoutSignals(own, machine, nanoClock);
        started.passSignals();
        return started;
    }

    /** The same without signals, for a JVM that gets none for the launcher, such as that of a test. */
    public static AttachedSupervisor startWithoutSignals(CallerContext own, String machine, LongSupplier nanoClock) {
        PrivateProgram program = PrivateProgram.write(own.variables(), NAME, content(machine));
        try {
            return start(program, own, nanoClock);
        } catch (IOException refused) {
            program.close();
            throw new MusterException(
                    ExitCode.TEMPORARY, "the native supervisor cannot be started: " + IoReasons.of(refused), refused);
        }
    }

    private static AttachedSupervisor start(PrivateProgram program, CallerContext own, LongSupplier nanoClock)
            throws IOException {
        Path socket = program.path().resolveSibling("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket), 1);
            Process process = new ProcessBuilder(program.path().toString(), ATTACHED, socket.toString())
                    .inheritIO()
                    .start();
            SocketChannel channel = accept(server, process);
            InputStream input = Channels.newInputStream(channel);
            ProcessSupervisor connection = ProcessSupervisor.open(
                    input, output(channel), program.path(), nanoClock, told -> merged(told, own));
            return new AttachedSupervisor(program, process, channel, connection);
        }
    }

    private static SocketChannel accept(ServerSocketChannel server, Process process) throws IOException {
        CompletableFuture<Void> unused = process.onExit().thenRun(() -> close(server));
        try {
            return server.accept();
        } catch (ClosedChannelException ended) {
            throw new IOException("it has ended with exit code " + process.exitValue(), ended);
        }
    }

    private static void close(ServerSocketChannel server) {
        try {
            server.close();
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    private static byte[] content(String machine) {
        String resource = "/dev/muster/native/linux-" + machine + "/" + NAME;
        try (InputStream stream = AttachedSupervisor.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw MusterException.configuration("this muster.jar has no native supervisor for the architecture "
                        + Printable.quote(machine)
                        + ": build it with core/supervisor/build.sh on such a machine, and start the package's"
                        + " bin/muster");
            }
            return stream.readAllBytes();
        } catch (IOException unreadable) {
            throw new IllegalStateException(resource + " in the jar cannot be read", unreadable);
        }
    }

    /** The supervisor knows the exact bytes of the environment. Only the JVM knows the arguments and gets the signals. */
    private static CallerContext merged(CallerContext told, CallerContext own) {
        return new CallerContext(
                exact(own.arguments()), told.variables(), own.directory(), own.pid(), told.isInputTerminal());
    }

    /** The exact arguments. Java replaces bytes that its locale cannot express; the kernel keeps them. */
    private static List<String> exact(List<String> arguments) {
        String bytes = ReadableFiles.text(Path.of("/proc/self/cmdline"));
        String line = ByteText.decode(bytes.getBytes(StandardCharsets.ISO_8859_1));
        List<String> words = Arrays.asList(line.split("\0", -1));
        // Each argument ends with a zero byte, also the last one.
        int end = words.size() - 1;
        return end > arguments.size() ? words.subList(end - arguments.size(), end) : arguments;
    }

    private void passSignals() {
        CAUGHT.forEach(name -> SunSignals.handle(name, number -> connection.reportSignal(number, Optional.empty())));
    }

    /** Waits until the supervisor has ended after the verdict. */
    public void awaitEnd() {
        try {
            if (!process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException ofAPlugin) {
            // The supervisor ends by itself.
            Thread.currentThread().interrupt();
        }
        program.close();
    }

    /**
     * Closes the connection without a verdict. The supervisor then stops all processes.
     *
     * @return the supervisor's exit code
     */
    public int abandon() {
        connection.abandon();
        try {
            channel.close();
            int code = process.waitFor();
            program.close();
            return code;
        } catch (IOException | InterruptedException unheard) {
            return ExitCode.INTERNAL.code();
        }
    }

    /** Before Java 19 the channel's own output stream blocks while its input stream reads. */
    private static OutputStream output(SocketChannel channel) {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                ByteBuffer rest = ByteBuffer.wrap(bytes, offset, length);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            }
        };
    }
}
