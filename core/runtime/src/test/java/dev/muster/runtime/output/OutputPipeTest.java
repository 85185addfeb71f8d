package dev.muster.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputPipeTest {

    /** Standard output and standard error of the launcher may be the same pipe. */
    @Test
    void eachPipeIsFoundAndOthersAreLeftAlone() throws IOException {
        Pipe other = Pipe.open();
        other.source().configureBlocking(false);
        List<OutputPipe> pipes = new ArrayList<>();
        for (int count = 0; count < 50; count++) {
            pipes.add(OutputPipe.open());
        }

        for (OutputPipe pipe : pipes) {
            try (OutputStream end =
                    new FileOutputStream("/proc/self/fd/" + pipe.target().write(), true)) {
                end.write(("hello " + pipe.target().write()).getBytes(StandardCharsets.US_ASCII));
            }
            pipe.closeWriteEnd();
        }

        for (OutputPipe pipe : pipes) {
            assertThat(new String(pipe.stream().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo("hello " + pipe.target().write());
            pipe.close();
        }
        assertThat(other.source().read(ByteBuffer.allocate(1))).isZero();
        other.sink().close();
        other.source().close();
    }
}
