package dev.muster.runtime.process;

/** Hears how a process ended, once, on the connection's thread; must neither block nor throw. */
@FunctionalInterface
public interface ProcessListener {

    void ended(ProcessEnd end);

    /**
     * The end of a process.
     *
     * @param nanoTime when the supervisor learned of it, on the clock of {@link System#nanoTime()}
     */
    record ProcessEnd(Termination termination, long nanoTime) {}
}
