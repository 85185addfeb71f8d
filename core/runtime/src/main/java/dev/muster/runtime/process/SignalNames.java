package dev.muster.runtime.process;

import java.util.List;
import java.util.OptionalInt;

/** The signals of Linux. */
public final class SignalNames {

    public static final int KILL = 9;
    public static final int TERM = 15;

    /** In the order of their numbers, from 1. */
    private static final List<String> NAMES =
            List.of(("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT"
                            + " CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS")
                    .split(" "));

    /** The first real-time signal; the C library keeps the two before it. */
    private static final int FIRST_REAL_TIME = 34;

    /** The highest signal number. */
    static final int HIGHEST = 64;

    private SignalNames() {}

    /** For example {@code SIGKILL}, {@code SIGRTMIN+3}; {@code signal 32} for one without a name. */
    public static String of(int number) {
        if (number > 0 && number <= NAMES.size()) {
            return "SIG" + NAMES.get(number - 1);
        }
        if (number < FIRST_REAL_TIME || number > HIGHEST) {
            return "signal " + number;
        }
        return number == FIRST_REAL_TIME ? "SIGRTMIN" : "SIGRTMIN+" + (number - FIRST_REAL_TIME);
    }

    /** The number of a signal by its name without SIG; empty: there is none. */
    public static OptionalInt number(String name) {
        int number = NAMES.indexOf(name) + 1;
        return number == 0 ? OptionalInt.empty() : OptionalInt.of(number);
    }
}
