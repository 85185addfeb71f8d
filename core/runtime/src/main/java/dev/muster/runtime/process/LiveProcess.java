package dev.muster.runtime.process;

import java.time.Duration;

/**
 * A process that exists and is no zombie.
 *
 * @param name what the kernel calls it, at most 15 characters
 * @param age since it was forked, in steps of 10 ms
 * @param program another number with each program that it becomes; 0 where that cannot be seen, or not any more
 */
public record LiveProcess(
        ProcessId id, long parent, long group, long session, String name, Duration age, long program) {

    public long pid() {
        return id.pid();
    }
}
