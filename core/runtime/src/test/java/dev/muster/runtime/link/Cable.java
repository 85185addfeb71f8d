package dev.muster.runtime.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a member and its leader, and can be cut, or swallow everything. */
final class Cable implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final List<Socket> ends = new CopyOnWriteArrayList<>();

    /** Connections made before the last time carry nothing any more. */
    private final AtomicInteger swallowed = new AtomicInteger();

    Cable(int target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Ends all connections that there are. */
    void cut() {
        for (Socket end : ends) {
            close(end);
        }
        ends.clear();
    }

    /** What the connections that there are carry is lost from now on; new ones are fine. */
    void swallow() {
        swallowed.incrementAndGet();
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                connect(server.accept());
            }
        } catch (IOException e) {
            // It has been closed.
        }
    }

    private void connect(Socket near) {
        try {
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
            ends.add(near);
            ends.add(far);
            int made = swallowed.get();
            start(() -> carry(near, far, made));
            start(() -> carry(far, near, made));
        } catch (IOException e) {
            // There is nobody behind it yet.
            close(near);
        }
    }

    private void carry(Socket from, Socket to, int made) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] bytes = new byte[8192];
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (made == swallowed.get()) {
                    out.write(bytes, 0, count);
                    out.flush();
                }
            }
        } catch (IOException e) {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cable");
        thread.setDaemon(true);
        thread.start();
    }
}
