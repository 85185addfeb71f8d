package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipeDescriptorsTest {

    @Test
    void theWriteEndOfANewPipeIsFound() throws IOException {
        PipeDescriptors descriptors = new PipeDescriptors(() -> Path.of("/tmp"));
        Pipe pipe = open();

        OutputTarget found = descriptors.find(pipe).orElseThrow();
        try (OutputStream stream = new FileOutputStream("/proc/self/fd/" + found.write(), true)) {
            stream.write("hello".getBytes(StandardCharsets.US_ASCII));
        }

        assertThat(read(pipe)).isEqualTo("hello");
        close(pipe);
    }

    /** As when standard output and standard error of the launcher are the same pipe. */
    @Test
    void aPipeThatWasThereBeforeIsLeftAlone() throws IOException {
        Pipe before = open();
        PipeDescriptors descriptors = new PipeDescriptors(() -> Path.of("/tmp"));
        Pipe pipe = open();

        assertThat(descriptors.find(pipe)).isPresent();

        assertThat(read(before)).isEmpty();
        close(before);
        close(pipe);
    }

    @Test
    void manyPipesAreToldApart() throws IOException {
        PipeDescriptors descriptors = new PipeDescriptors(() -> Path.of("/tmp"));
        for (int count = 0; count < 50; count++) {
            Pipe pipe = open();
            assertThat(descriptors.find(pipe)).isPresent();
            assertThat(read(pipe)).isEmpty();
            close(pipe);
        }
    }

    @Test
    void withoutDescriptorsASocketIsConnectedTo(@TempDir Path directory) throws IOException {
        OutputPipe pipe = OutputPipe.listening(directory.resolve("out"));
        try (SocketChannel process = SocketChannel.open(
                UnixDomainSocketAddress.of(pipe.target().socket().orElseThrow()))) {
            process.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
        }

        pipe.started();

        assertThat(pipe.stream().readAllBytes()).asString().isEqualTo("hello");
        pipe.close();
        assertThat(directory).isEmptyDirectory();
    }

    private static Pipe open() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        return pipe;
    }

    private static String read(Pipe pipe) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(100);
        pipe.source().read(buffer);
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
    }

    private static void close(Pipe pipe) throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
