package dev.muster.runtime.link;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whoever comes to a leader's port: speaks the protocol by hand, as well as the test wants. */
final class Impostor implements AutoCloseable {

    private final Socket socket;
    private final OutputStream out;
    private final BufferedReader in;

    Impostor(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        out = socket.getOutputStream();
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Comes in as a member that knows the key. */
    Session enter(LinkSettings settings, String nonce) throws IOException {
        JobKey key = JobKey.of(((LinkKey.Known) settings.key()).secret(), settings.jobId());
        Handshake handshake = new Handshake(hello(settings, nonce, Hello.VERSION), key);
        send(handshake.opening());
        Handshake.Step.Done done =
                (Handshake.Step.Done) handshake.prove(line().orElseThrow().getBytes(StandardCharsets.UTF_8), "node-0");
        send(done.line());
        return done.session();
    }

    static Hello hello(LinkSettings settings, String nonce, long version) {
        return new Hello(
                version, JobKey.hashOf(settings.jobId()), settings.launchers().own(), "a-run", nonce);
    }

    static Batch batch(int number) {
        return new Batch(number, List.of(Map.of("text", "fact " + number)), 0, 1);
    }

    void send(String line) throws IOException {
        send((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** The next line; empty: the connection has been closed. */
    Optional<String> line() throws IOException {
        try {
            return Optional.ofNullable(in.readLine());
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException reset) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
