package dev.muster.runtime.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** A call at a launcher's desk, as its caller sees it. Nothing of it ever waits. */
final class DeskCall implements AutoCloseable {

    /** The longest answer: a list of some thousand ranks. */
    private static final int LONGEST = 8 * 1024 * 1024;

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(4096);
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

    private DeskCall(SocketChannel channel) {
        this.channel = channel;
    }

    /** @throws IOException nobody takes the call */
    static DeskCall begin(Path directory, String line) throws IOException {
        DeskCall call = new DeskCall(DeskSocket.connect(directory));
        try {
            ByteBuffer words = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII));
            call.channel.write(words);
            if (words.hasRemaining()) {
                throw new IOException("nobody listens");
            }
            return call;
        } catch (IOException refused) {
            call.close();
            throw refused;
        }
    }

    /**
     * The next line that has been said.
     *
     * @throws IOException the launcher has hung up, and there is none
     */
    Optional<String> line() throws IOException {
        Optional<String> line = next();
        while (line.isEmpty()) {
            int count = channel.read(buffer.clear());
            if (count < 0 || heard.size() > LONGEST) {
                throw new IOException("the launcher says no more");
            }
            if (count == 0) {
                return Optional.empty();
            }
            heard.write(buffer.array(), 0, count);
            line = next();
        }
        return line;
    }

    private Optional<String> next() {
        byte[] bytes = heard.toByteArray();
        for (int end = 0; end < bytes.length; end++) {
            if (bytes[end] == '\n') {
                heard.reset();
                heard.write(bytes, end + 1, bytes.length - end - 1);
                return Optional.of(new String(bytes, 0, end, StandardCharsets.UTF_8));
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException gone) {
            // Then it is over.
        }
    }
}
