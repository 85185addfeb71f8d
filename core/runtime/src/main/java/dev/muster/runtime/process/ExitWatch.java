package dev.muster.runtime.process;

import java.util.function.Consumer;

/** Tells when a process has ended. */
final class ExitWatch {

    private ExitWatch() {}

    /** @param ended called once, on a thread of the JDK; must neither block nor throw */
    @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for the call, and it does not fail.
    static void on(Process process, Consumer<Process> ended) {
        process.onExit().thenAccept(ended);
    }
}
