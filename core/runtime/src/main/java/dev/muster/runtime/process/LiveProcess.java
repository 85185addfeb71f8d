package dev.muster.runtime.process;

/**
 * A process that exists and is no zombie.
 *
 * @param name what the kernel calls it, at most 15 characters
 */
public record LiveProcess(long pid, long group, long session, String name) {}
