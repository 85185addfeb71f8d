package dev.muster.runtime.process;

import java.util.Optional;

/**
 * The end of a process. It is told once, on the connection's thread: who hears of it must neither block nor throw.
 *
 * @param nanoTime when the supervisor learned of it, on the clock of {@link System#nanoTime()}
 * @param use what it has used; empty where it never ran
 */
public record ProcessEnd(Termination termination, long nanoTime, Optional<ResourceUse> use) {}
