package dev.muster.runtime.output;

import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A pipe from a process to us. The JDK's own pipes lose what grandchildren print after the process has ended; this one does
 * not, and one thread can read any number of them. The process gets its end by name, as {@code /proc/self/fd/N}.
 */
final class OutputPipe {

    private static final int COPY_SIZE = 64 * 1024;

    private final Pipe pipe;
    private final Optional<PipeDescriptors.Found> writeEnd;
    private final PipeDescriptors descriptors;

    OutputPipe(PipeDescriptors descriptors) throws IOException {
        this.descriptors = descriptors;
        pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        writeEnd = descriptors.find(pipe);
    }

    Pipe.SourceChannel source() {
        return pipe.source();
    }

    /** A file name under which the process's output can be opened in this JVM; empty where there is no such name. */
    Optional<Path> target() {
        return writeEnd.map(PipeDescriptors.Found::path);
    }

    /** What the system calls it; empty where it has no name. */
    Optional<String> name() {
        return writeEnd.map(PipeDescriptors.Found::pipe);
    }

    /**
     * The process has its end, ours goes away, so that the end of the process's output can be seen.
     *
     * @param output of the process, read when it could not be given the pipe itself
     */
    void started(InputStream output) throws IOException {
        if (writeEnd.isPresent()) {
            closeWriteEnd();
        } else {
            Daemon.start("output-copier", () -> copy(output));
        }
    }

    void closeWriteEnd() throws IOException {
        pipe.sink().close();
        writeEnd.ifPresent(descriptors::release);
    }

    private void copy(InputStream output) {
        byte[] bytes = new byte[COPY_SIZE];
        try (Pipe.SinkChannel sink = pipe.sink()) {
            for (int count = output.read(bytes); count >= 0; count = output.read(bytes)) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, count);
                while (buffer.hasRemaining()) {
                    sink.write(buffer);
                }
            }
        } catch (IOException e) {
            // The pump has stopped reading, or the JDK closed the process's output: there is nothing more to copy.
        }
    }
}
