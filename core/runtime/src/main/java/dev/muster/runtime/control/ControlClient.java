package dev.muster.runtime.control;

import dev.muster.runtime.questions.NodeAnswers;
import dev.muster.runtime.threads.Daemon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A client of a launcher's control socket. A thread reads, so that the caller can limit each wait. */
final class ControlClient {

    /** The most answers to keep. */
    private static final int MOST = 16;
    /** The longest line in characters. Another user's launcher may send anything. */
    private static final int LONGEST = 4 * NodeAnswers.LONGEST;

    private final SocketChannel channel;
    /** Lines; an empty entry: the launcher has hung up. */
    private final BlockingQueue<Optional<String>> answers = new LinkedBlockingQueue<>(MOST);

    private volatile boolean hasHungUp;

    private ControlClient(SocketChannel channel) {
        this.channel = channel;
    }

    /** @throws IOException no launcher listens at the socket any more */
    static ControlClient connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        ControlClient client = new ControlClient(channel);
        try {
            channel.configureBlocking(false);
            // If the launcher's accept queue is full, connect returns false. No line then comes from it.
            if (channel.connect(UnixDomainSocketAddress.of(socket))) {
                channel.configureBlocking(true);
                Daemon.start("control", client::read);
            }
            return client;
        } catch (IOException ended) {
            channel.close();
            throw ended;
        }
    }

    private void read() {
        try (Reader reader = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            int next = reader.read();
            for (; next >= 0 && line.length() < LONGEST; next = reader.read()) {
                if (next != '\n') {
                    line.append((char) next);
                } else {
                    answers.put(Optional.of(line.toString()));
                    line.setLength(0);
                }
            }
            hasHungUp = next < 0;
        } catch (IOException | InterruptedException ended) {
            hasHungUp = true;
        }
        answers.offer(Optional.empty());
    }

    void send(String line) {
        try {
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException | NotYetConnectedException ended) {
            // The reader sees the end too.
        }
    }

    /** The next line from the launcher; empty: it has hung up, or sends nothing in time. */
    Optional<String> nextLine(Duration patience) {
        try {
            Optional<String> line = answers.poll(hasHungUp ? 0 : patience.toMillis(), TimeUnit.MILLISECONDS);
            return line == null ? Optional.empty() : line;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    boolean hasHungUp() {
        return hasHungUp;
    }
}
