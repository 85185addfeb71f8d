package dev.muster.runtime.app;

import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;

/**
 * What the JDK makes ready when it is first asked, and every launch asks for some time later: on a machine with more than one
 * processor it is there by then. Only what belongs to the JDK alone: two threads that initialise classes which need each other would
 * wait for ever.
 */
final class WarmUp {

    private WarmUp() {}

    /** Does not wait, and does not fail. */
    static void begin() {
        try {
            Daemon.start("warm-up", WarmUp::run);
        } catch (OutOfMemoryError noThread) {
            // Whoever needs one will say so.
        }
    }

    private static void run() {
        try {
            SelectorProvider.provider();
            // The desk's kind, which has its own source of random names.
            ServerSocketChannel.open(StandardProtocolFamily.UNIX).close();
        } catch (IOException | RuntimeException | Error notHere) {
            // Whoever needs it meets the same, and says so.
        }
    }
}
