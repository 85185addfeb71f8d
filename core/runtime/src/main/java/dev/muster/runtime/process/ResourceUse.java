package dev.muster.runtime.process;

import java.io.IOException;
import java.time.Duration;

/**
 * The resources that a process and the children that it has waited for used, as the kernel reports them at the end.
 *
 * @param peakMemoryBytes the highest peak memory of one of them
 * @param user their total CPU time in user mode
 * @param system their total CPU time in the kernel
 */
public record ResourceUse(long peakMemoryBytes, Duration user, Duration system) {

    private static final long KIB = 1024;
    private static final long NANOS_OF_MICRO = 1000;

    static ResourceUse of(SupervisorMessage ended) throws IOException {
        return new ResourceUse(ended.number("memory") * KIB, time(ended, "user"), time(ended, "system"));
    }

    private static Duration time(SupervisorMessage ended, String key) throws IOException {
        return Duration.ofNanos(ended.number(key) * NANOS_OF_MICRO);
    }
}
