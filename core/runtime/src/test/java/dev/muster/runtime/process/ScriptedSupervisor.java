package dev.muster.runtime.process;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Plays the native supervisor at the other end of a socket, record by record. */
final class ScriptedSupervisor implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket own;
    private final Socket ofJvm;
    private final DataInputStream in;
    private final DataOutputStream out;

    ScriptedSupervisor() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ofJvm = new Socket(server.getInetAddress(), server.getLocalPort());
            own = server.accept();
        }
        own.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(own.getInputStream());
        out = new DataOutputStream(own.getOutputStream());
    }

    /** The JVM's end of the conversation, once it has begun. */
    SupervisorConnection connection() throws IOException {
        return SupervisorConnection.open(
                ofJvm.getInputStream(),
                ofJvm.getOutputStream(),
                Path.of("/muster"),
                System::nanoTime,
                caller -> caller);
    }

    /**
     * An order of the JVM.
     *
     * @param fields each as KEY=VALUE
     */
    record Order(String kind, List<String> fields) {

        long number(String key) {
            return Long.parseLong(texts(key).get(0));
        }

        List<String> texts(String key) {
            return fields.stream()
                    .filter(field -> field.startsWith(key + "="))
                    .map(field -> field.substring(key.length() + 1))
                    .toList();
        }
    }

    /** The next order. */
    Order hear() throws IOException {
        byte[] content = new byte[in.readInt()];
        in.readFully(content);
        List<String> words = List.of(ByteText.decode(content).split("\0", 0));
        return new Order(words.get(0), words.subList(1, words.size()));
    }

    /** Tells an event: its word, and fields as KEY=VALUE. */
    void tell(String... words) throws IOException {
        byte[] content = ByteText.encode(String.join("\0", words) + "\0");
        out.writeInt(content.length);
        out.write(content);
    }

    void hello(String... environment) throws IOException {
        List<String> words = new ArrayList<>(List.of("hello", "arg=--help", "arg=caf\udce9", "dir=/here"));
        words.addAll(List.of("version=1", "pid=4711", "ignored=1", "columns=120", "terminal=1", "first=0"));
        for (String variable : environment) {
            words.add("env=" + variable);
        }
        tell(words.toArray(new String[0]));
    }

    void tellBytes(int... bytes) throws IOException {
        for (int each : bytes) {
            out.write(each);
        }
    }

    @Override
    public void close() throws IOException {
        own.close();
    }
}
