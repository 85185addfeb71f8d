package dev.muster.runtime.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What Linux can pass to a new process.
 *
 * @param longest bytes of one argument, or of one variable with its name
 * @param total bytes of all arguments and variables together, asked for only when there are many
 */
record ExecLimits(int longest, LongSupplier total) {

    /** MAX_ARG_STRLEN less the terminating zero. */
    private static final int LONGEST = 131_071;

    /** Linux never grants less. */
    static final long ALWAYS_GRANTED = 128 * 1024;

    /** Nor more: three quarters of the default stack. */
    private static final long NEVER_EXCEEDED = 6 * 1024 * 1024;

    private static final String STACK = "Max stack size";

    static ExecLimits ofThisProcess() {
        return new ExecLimits(LONGEST, ExecLimits::fromStackLimit);
    }

    private static long fromStackLimit() {
        try {
            return fromStackLimit(Files.readAllLines(Path.of("/proc/self/limits")));
        } catch (IOException e) {
            // Without /proc the system itself has to refuse what is too much.
            return NEVER_EXCEEDED;
        }
    }

    /** A quarter of the soft limit of the stack. */
    static long fromStackLimit(List<String> limits) {
        for (String line : limits) {
            if (line.startsWith(STACK)) {
                String soft = line.substring(STACK.length()).trim().split(" ", 2)[0];
                long quarter = soft.equals("unlimited") ? NEVER_EXCEEDED : Long.parseLong(soft) / 4;
                return Math.max(ALWAYS_GRANTED, Math.min(NEVER_EXCEEDED, quarter));
            }
        }
        return NEVER_EXCEEDED;
    }
}
