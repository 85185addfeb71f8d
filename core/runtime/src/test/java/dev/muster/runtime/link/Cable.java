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

/** A proxy between a member and its leader. It can close all connections, or drop all data. */
final class Cable implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final List<Socket> ends = new CopyOnWriteArrayList<>();

    /** How often {@link #swallow} was called. Connections from before the last call carry no data. */
    private final AtomicInteger swallowed = new AtomicInteger();

    Cable(int target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Closes all connections. */
    void cut() {
        for (Socket end : ends) {
            close(end);
        }
        ends.clear();
    }

    /** From now on, existing connections lose all data. New connections work. */
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
            // The server socket is closed.
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
            // The target does not listen yet.
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
            // The socket is not needed any more.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cable");
        thread.setDaemon(true);
        thread.start();
    }
}
