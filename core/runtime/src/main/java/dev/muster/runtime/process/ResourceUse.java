package dev.muster.runtime.process;

import java.io.IOException;
import java.time.Duration;

/**
 * What a process has used, with the processes that it has waited for, as the kernel tells it at the end.
 *
 * @param peakMemoryBytes the most memory that one of them had at a time
 * @param user time of CPUs in their own code, all together
 * @param system the same in the kernel
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
