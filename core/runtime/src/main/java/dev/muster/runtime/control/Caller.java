package dev.muster.runtime.control;

import dev.muster.runtime.process.Ancestry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/** Somebody who has come to the desk. Says one line, and hears some. */
final class Caller {

    private static final int LONGEST = 256;

    private final SocketChannel channel;
    private final ByteBuffer said = ByteBuffer.allocate(LONGEST);
    private Optional<Ancestry> stopper = Optional.empty();

    Caller(SocketChannel channel) {
        this.channel = channel;
    }

    /**
     * The line, once it is there.
     *
     * @throws IOException the caller has gone, or says something else
     */
    Optional<String> line() throws IOException {
        if (channel.read(said) < 0) {
            throw new IOException("the caller has gone");
        }
        int end = 0;
        while (end < said.position() && said.get(end) != '\n') {
            end++;
        }
        if (end < said.position()) {
            said.clear();
            return Optional.of(new String(said.array(), 0, end, StandardCharsets.US_ASCII));
        }
        if (!said.hasRemaining()) {
            throw new IOException("the caller says too much");
        }
        return Optional.empty();
    }

    /** It waits for the end of this launcher. */
    void awaitsTheEnd(long pid) {
        stopper = Optional.of(Ancestry.of(pid));
    }

    /** When the process was started that waits for the end of this launcher, in the kernel's ticks; empty: it cannot be seen here. */
    OptionalLong startedAt() {
        return stopper.stream()
                .flatMap(from -> from.chain().stream().limit(1))
                .mapToLong(process -> process.id().start())
                .findFirst();
    }

    /** Where it comes from, when it waits for the end of this launcher. */
    Optional<Ancestry> stopper() {
        return stopper;
    }

    /** Who does not read is left alone. */
    void tell(String line) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                if (channel.write(bytes) == 0) {
                    close();
                }
            }
        } catch (IOException gone) {
            close();
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException gone) {
            // Then it is closed.
        }
    }
}
