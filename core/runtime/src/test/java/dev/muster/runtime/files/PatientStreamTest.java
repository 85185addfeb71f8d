package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PatientStreamTest {

    private static final byte[] TEXT = "0123456789".repeat(10_000).getBytes(StandardCharsets.UTF_8);

    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

    @Test
    void aPipeThatRefusesGetsEachByteOnce() throws IOException {
        new PatientStream(new Refusing(4096, true), true).write(TEXT);

        assertThat(taken.toByteArray()).isEqualTo(TEXT);
    }

    @Test
    void whatTakesPartOfAPieceGetsAllOfIt() throws IOException {
        new PatientStream(new Refusing(1000, false), false).write(TEXT);

        // The part of the first piece that it took before it refused.
        String twice = "0123456789".repeat(100);
        assertThat(taken.toString(StandardCharsets.UTF_8)).isEqualTo(twice + new String(TEXT, StandardCharsets.UTF_8));
    }

    @Test
    void anInterruptedWriterWaitsAllTheSame() throws IOException {
        Thread.currentThread().interrupt();
        new PatientStream(new Refusing(4096, true), true).write(TEXT);

        assertThat(taken.size()).isEqualTo(TEXT.length);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aReaderThatHasGoneIsNotWaitedFor() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("Broken pipe");
            }
        };

        assertThatThrownBy(() -> new PatientStream(closed, true).write(TEXT)).hasMessage("Broken pipe");
    }

    /** Has room for so many bytes; when a piece does not fit, the reader takes all before the next try. */
    private final class Refusing extends OutputStream {

        private final int capacity;
        private final boolean takesPieces;
        private int room;

        Refusing(int capacity, boolean takesPieces) {
            this.capacity = capacity;
            this.takesPieces = takesPieces;
            this.room = capacity;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            int part = count <= room ? count : takesPieces ? 0 : room;
            taken.write(bytes, from, part);
            room -= part;
            if (part < count) {
                room = capacity;
                throw new IOException("Resource temporarily unavailable");
            }
        }
    }
}
