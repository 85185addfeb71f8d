package dev.muster.runtime.process;

import java.io.IOException;

/**
 * Starts processes. The JDK does so by a program of its own, its helper, which stays in the launcher's process group until the new
 * process makes one for itself: a signal to that whole group, as Ctrl-C in a terminal is, ends the helper, too. What was to be started
 * has nothing to do with that, and the launcher has got the same signal.
 */
final class Spawning {

    /** As the JDK says that its helper has ended before it could start anything. */
    private static final String HELPER_ENDED = "Failed to exec spawn helper";

    /** Whoever signals the group again and again is not outlasted. */
    private static final int ATTEMPTS = 3;

    private Spawning() {}

    /** What starts a process. */
    @FunctionalInterface
    interface Start {
        Process start() throws IOException;
    }

    /** @throws IOException when the operating system refuses */
    static Process of(ProcessBuilder builder) throws IOException {
        return of(builder::start);
    }

    /** Once more where the helper has ended. */
    static Process of(Start start) throws IOException {
        for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
            try {
                return start.start();
            } catch (IOException refused) {
                if (!String.valueOf(refused.getMessage()).contains(HELPER_ENDED)) {
                    throw refused;
                }
            }
        }
        return start.start();
    }
}
