package dev.muster.runtime.process;

import java.util.Optional;

/** Hears how a process ended, once, on the connection's thread; must neither block nor throw. */
@FunctionalInterface
public interface ProcessListener {

    void ended(ProcessEnd end);

    /**
     * The end of a process.
     *
     * @param nanoTime when the supervisor learned of it, on the clock of {@link System#nanoTime()}
     * @param use what it has used; empty where it never ran
     */
    record ProcessEnd(Termination termination, long nanoTime, Optional<ResourceUse> use) {}
}
