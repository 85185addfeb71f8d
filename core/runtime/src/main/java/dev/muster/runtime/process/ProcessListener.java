package dev.muster.runtime.process;

import java.time.Duration;

/** Hears how a process ended, once, on the connection's thread; must neither block nor throw. */
@FunctionalInterface
public interface ProcessListener {

    void ended(ProcessEnd end);

    /**
     * The end of a process.
     *
     * @param nanoTime when the supervisor learned of it, on the clock of {@link System#nanoTime()}
     * @param memoryKiB the most memory that it had, in KiB; 0 where it did not start
     * @param user processor time in the program
     * @param system processor time in the kernel for it
     */
    record ProcessEnd(Termination termination, long nanoTime, long memoryKiB, Duration user, Duration system) {}
}
