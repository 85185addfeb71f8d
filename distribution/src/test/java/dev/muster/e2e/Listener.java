package dev.muster.e2e;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A process that has taken a port, like a server of somebody else. */
final class Listener implements AutoCloseable {

    private static final String PROGRAM = """
            import os, signal, socket, sys
            listener = socket.create_server(("", int(sys.argv[2])))
            with open(sys.argv[1] + ".part", "w") as file:
                file.write(str(listener.getsockname()[1]))
            os.rename(sys.argv[1] + ".part", sys.argv[1])
            signal.pause()
            """;

    private static final int FIRST = 30_000;
    private static final int COUNT = 2500;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private final Launched process;
    private final int port;

    private Listener(Launched process, int port) {
        this.process = process;
        this.port = port;
    }

    /** On any port that is free. */
    static Listener on(Scene scene) {
        return on(scene, 0);
    }

    static Listener on(Scene scene, int port) {
        Components.require("python3");
        Path note = scene.beside("listener-" + port);
        Launched process = scene.command("python3", "-c", PROGRAM, note.toString(), Integer.toString(port))
                .start();
        scene.awaitFiles(note.getFileName().toString());
        return new Listener(process, Integer.parseInt(Scene.read(note)));
    }

    /**
     * Ports that are free now, and that no other test gets. They are below the ports that Linux gives to outgoing connections:
     * launchers that watch ports make many. They are above the ports that launchers choose.
     */
    static int[] free(int count) {
        return IntStream.generate(() -> FIRST + NEXT.getAndIncrement() % COUNT)
                .filter(Listener::isFree)
                .limit(count)
                .toArray();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.signal("KILL").await();
    }
}
