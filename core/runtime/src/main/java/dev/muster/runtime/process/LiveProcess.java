package dev.muster.runtime.process;

import java.time.Duration;

/**
 * A process that exists and is no zombie.
 *
 * @param name what the kernel calls it, at most 15 characters
 * @param age since it was forked, in steps of 10 ms
 */
public record LiveProcess(ProcessId id, long parent, long group, long session, String name, Duration age) {

    public long pid() {
        return id.pid();
    }
}
