package dev.muster.runtime.process;

import org.jspecify.annotations.Nullable;

/**
 * A process that is mistaken for no other, though numbers are given out again.
 *
 * @param start when it started, in hundredths of a second since the machine did (field 22 of {@code /proc/PID/stat})
 */
public record ProcessId(long pid, long start) {

    // Written out: the JDK would make these two at run time, which takes milliseconds of each start.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProcessId process && process.pid == pid && process.start == start;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(pid) + Long.hashCode(start);
    }

    /** As the warden reads it. */
    @Override
    public String toString() {
        return pid + ":" + start;
    }
}
