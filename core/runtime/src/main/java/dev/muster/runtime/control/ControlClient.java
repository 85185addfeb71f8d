package dev.muster.runtime.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Asks a launcher over its socket, and waits for nobody. */
final class ControlClient {

    /** The longest answer: a list of some thousand ranks. */
    private static final int LONGEST = 8 * 1024 * 1024;

    private static final Duration LOOK = Duration.ofMillis(5);

    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
    private boolean hasHungUp;
    private boolean isComplete;

    private ControlClient(SocketChannel channel) {
        this.channel = channel;
    }

    /** @throws IOException no launcher listens there any more */
    static ControlClient connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(socket));
            return new ControlClient(channel);
        } catch (IOException | RuntimeException refused) {
            channel.close();
            throw refused;
        }
    }

    /** Asks all of them at the same time, and waits until each has answered or hung up, or it has taken too long. */
    static void askAll(List<ControlClient> clients, String line, Duration limit, LongSupplier nanoClock) {
        long begin = nanoClock.getAsLong();
        clients.forEach(client -> client.ask(line));
        // Each is read, also where an earlier one has said nothing.
        while (clients.stream().filter(client -> !client.isDone()).count() > 0
                && nanoClock.getAsLong() - begin <= limit.toNanos()) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    private void ask(String line) {
        heard.reset();
        isComplete = false;
        try {
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException hungUp) {
            hasHungUp = true;
        }
    }

    /** The line that the launcher has answered; empty where it has not. */
    Optional<String> answer() {
        String text = heard.toString(StandardCharsets.UTF_8);
        return text.endsWith("\n") ? text.lines().findFirst() : Optional.empty();
    }

    private boolean isDone() {
        try {
            while (!hasHungUp && !isComplete) {
                int count = channel.read(buffer.clear());
                if (count == 0) {
                    return false;
                }
                hasHungUp = count < 0 || heard.size() > LONGEST;
                heard.write(buffer.array(), 0, Math.max(0, count));
                isComplete = count > 0 && buffer.get(count - 1) == '\n';
            }
        } catch (IOException hungUp) {
            hasHungUp = true;
        }
        return true;
    }

    void close() {
        try {
            channel.close();
        } catch (IOException ended) {
            // It is closed all the same.
        }
    }
}
