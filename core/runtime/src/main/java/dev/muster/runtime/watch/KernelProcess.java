package dev.muster.runtime.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process as {@code /proc/PID/stat} has it.
 *
 * @param name of its program, at most 15 characters
 * @param state the kernel's letter, such as R, S, D, T or Z
 * @param faults pages that it has got, for example new memory
 * @param ticks of CPU time, 100 a second
 * @param start ticks since the machine's start: with the pid it tells processes apart
 */
record KernelProcess(long pid, String name, char state, long parent, long faults, long ticks, long start) {

    /** Fields behind the name, which may hold anything. */
    private static final int PARENT = 1;

    private static final int FAULTS = 7;
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;
    private static final int START = 19;

    /** Empty: there is none, or it is not to be seen. */
    static Optional<KernelProcess> read(Path directory) {
        try {
            return of(Files.readString(directory.resolve("stat"), StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    private static Optional<KernelProcess> of(String stat) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        if (open < 0 || close + 2 >= stat.length()) {
            return Optional.empty();
        }
        String[] fields = stat.substring(close + 2).strip().split(" ", -1);
        return fields.length <= START
                ? Optional.empty()
                : Optional.of(new KernelProcess(
                        Long.parseLong(stat.substring(0, open).strip()),
                        stat.substring(open + 1, close),
                        fields[0].charAt(0),
                        Long.parseLong(fields[PARENT]),
                        Long.parseLong(fields[FAULTS]),
                        Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]),
                        Long.parseLong(fields[START])));
    }
}
