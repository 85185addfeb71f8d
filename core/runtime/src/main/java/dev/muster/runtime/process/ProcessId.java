package dev.muster.runtime.process;

/**
 * A process that is mistaken for no other, though numbers are given out again.
 *
 * @param start when it started, in hundredths of a second since the machine did (field 22 of {@code /proc/PID/stat})
 */
public record ProcessId(long pid, long start) {

    /** As the warden reads it. */
    @Override
    public String toString() {
        return pid + ":" + start;
    }
}
