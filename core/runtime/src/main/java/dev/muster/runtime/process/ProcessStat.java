package dev.muster.runtime.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What {@code /proc/PID/stat} says: {@code PID (NAME) STATE PARENT GROUP SESSION ... THREADS ... START ...}, where the name may hold blanks and
 * brackets. Those of all processes are read several times a second, and first in a young JVM that runs nothing fast yet: hence without
 * a channel, and without an object for each field.
 *
 * @param state a letter of the kernel's: R, S, D, T, t, Z, X
 * @param threads that have not ended
 * @param start of the process, in ticks since the machine started
 * @param stack where that of its program begins: by chance, whenever it becomes another one; 0 where that is not told
 */
record ProcessStat(
        long pid,
        String name,
        char state,
        long parent,
        long group,
        long session,
        long threads,
        long start,
        long stack) {

    /** More than all up to the stack can have: a name of 64 bytes with each written as four, and 26 numbers. */
    private static final int LENGTH = 1024;

    /** Fields between the session and the threads. */
    private static final int BEFORE_THREADS = 13;

    /** Fields between the threads and the start. */
    private static final int BEFORE_START = 1;

    /** Fields between the start and the stack. */
    private static final int BEFORE_STACK = 5;

    /** @throws IOException when there is no such process */
    static ProcessStat of(long pid) throws IOException {
        byte[] text = new byte[LENGTH];
        try (InputStream stat = new FileInputStream("/proc/" + pid + "/stat")) {
            return parse(pid, text, stat.read(text));
        }
    }

    /** @param length of the text, not more than 0 where there is none */
    static ProcessStat parse(long pid, byte[] text, int length) throws IOException {
        int end = length - 1;
        while (end >= 0 && text[end] != ')') {
            end--;
        }
        if (end < 0) {
            throw new IOException("process " + pid + " has ended");
        }
        int begin = 0;
        while (text[begin] != '(') {
            begin++;
        }
        String name = new String(text, begin + 1, end - begin - 1, StandardCharsets.ISO_8859_1);
        Numbers numbers = new Numbers(text, length, end + 4);
        return new ProcessStat(
                pid,
                name,
                (char) text[end + 2],
                numbers.next(),
                numbers.next(),
                numbers.next(),
                numbers.after(BEFORE_THREADS),
                numbers.after(BEFORE_START),
                numbers.after(BEFORE_STACK));
    }

    /** Not when only its first thread has ended (pthread_exit in {@code main}). The letter is then that of a zombie. */
    boolean isDead() {
        return state == 'X' || (isWithoutFirstThread() && threads <= 1);
    }

    /** What the kernel has for the first thread alone, such as the environment, is gone. */
    boolean isWithoutFirstThread() {
        return state == 'Z';
    }

    ProcessId id() {
        return new ProcessId(pid, start);
    }

    /** @param uptime of the machine, in ticks */
    LiveProcess process(long uptime) {
        Duration age = Duration.ofMillis(Math.max(0, uptime - start) * (1000 / ProcFiles.TICKS_A_SECOND));
        return new LiveProcess(id(), parent, group, session, name, age, stack);
    }

    /** Numbers with a blank behind each. */
    private static final class Numbers {

        private final byte[] text;
        private final int length;
        private int at;

        Numbers(byte[] text, int length, int at) {
            this.text = text;
            this.length = length;
            this.at = at;
        }

        long next() {
            boolean isNegative = at < length && text[at] == '-';
            if (isNegative) {
                at++;
            }
            long number = 0;
            while (at < length && text[at] >= '0' && text[at] <= '9') {
                number = number * 10 + text[at] - '0';
                at++;
            }
            at++;
            return isNegative ? -number : number;
        }

        /** The one behind so many others. */
        long after(int others) {
            for (int left = others; left > 0 && at < length; at++) {
                if (text[at] == ' ') {
                    left--;
                }
            }
            return next();
        }
    }
}
