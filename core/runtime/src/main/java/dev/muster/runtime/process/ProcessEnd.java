package dev.muster.runtime.process;

import java.util.Optional;

/**
 * The end of a process. The listener gets it once, on the connection's thread, and must neither block nor throw.
 *
 * @param nanoTime when the supervisor learned of it, on the clock of {@link System#nanoTime()}
 * @param use its use of resources; empty: it never ran
 */
public record ProcessEnd(Termination termination, long nanoTime, Optional<ResourceUse> use) {}
