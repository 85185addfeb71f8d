package dev.muster.runtime.output;

import dev.muster.runtime.files.Descriptors;
import dev.muster.runtime.files.ReadableFiles;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** The launcher's own standard output and standard error. */
public final class StandardStreams {

    private StandardStreams() {}

    /** Standard output. Closing it closes nothing. */
    public static OutputStream out() {
        return new WaitingStream(FileDescriptor.out);
    }

    /** Standard error. Closing it closes nothing. */
    public static OutputStream err() {
        return new WaitingStream(FileDescriptor.err);
    }

    /**
     * Prepares {@link System}'s streams before plugin code runs. Plugins read nothing, and print to standard error. Standard output
     * belongs to the processes and to command results.
     */
    public static void redirectForPlugins() {
        PrintStream errors = new PrintStream(err(), true);
        System.setOut(errors);
        System.setErr(errors);
        System.setIn(InputStream.nullInputStream());
    }

    /** Whether both lead to the same terminal, file or pipe. */
    static boolean shareTarget() {
        try {
            return Files.readSymbolicLink(Descriptors.of(1)).equals(Files.readSymbolicLink(Descriptors.of(2)));
        } catch (IOException e) {
            return false;
        }
    }

    /** The descriptor of standard output or standard error that is a terminal. */
    public static OptionalInt terminal() {
        return IntStream.of(1, 2).filter(StandardStreams::isTerminal).findFirst();
    }

    /** Whether a descriptor, such as 2 for standard error, is a terminal. */
    public static boolean isTerminal(int descriptor) {
        return ReadableFiles.target(Descriptors.of(descriptor)).matches("/dev/(pts/.*|tty.*|console)");
    }

    /**
     * Waits while its reader is slow. Another user of the same pipe, terminal or socket may make it non-blocking at any time (Node.js,
     * ssh and asyncio do). The kernel then refuses bytes that do not fit.
     */
    private static final class WaitingStream extends OutputStream {

        private static final long PAUSE = Duration.ofMillis(4).toNanos();

        private final FileChannel channel;

        WaitingStream(FileDescriptor descriptor) {
            channel = new FileOutputStream(descriptor).getChannel();
        }

        @Override
        public void write(int data) throws IOException {
            write(new byte[] {(byte) data}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, from, count);
            while (buffer.hasRemaining()) {
                // A plugin can interrupt this thread. The channel would close itself then.
                Thread.interrupted();
                if (channel.write(buffer) == 0) {
                    LockSupport.parkNanos(PAUSE);
                }
            }
        }

        @Override
        public void close() {}
    }
}
