package dev.muster.runtime.process;

import java.util.Map;
import java.util.OptionalInt;

/** The signals of Linux. */
public final class SignalNames {

    public static final int KILL = 9;
    public static final int TERM = 15;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "HUP"),
            Map.entry(2, "INT"),
            Map.entry(3, "QUIT"),
            Map.entry(4, "ILL"),
            Map.entry(5, "TRAP"),
            Map.entry(6, "ABRT"),
            Map.entry(7, "BUS"),
            Map.entry(8, "FPE"),
            Map.entry(KILL, "KILL"),
            Map.entry(10, "USR1"),
            Map.entry(11, "SEGV"),
            Map.entry(12, "USR2"),
            Map.entry(13, "PIPE"),
            Map.entry(14, "ALRM"),
            Map.entry(TERM, "TERM"),
            Map.entry(16, "STKFLT"),
            Map.entry(17, "CHLD"),
            Map.entry(18, "CONT"),
            Map.entry(19, "STOP"),
            Map.entry(20, "TSTP"),
            Map.entry(21, "TTIN"),
            Map.entry(22, "TTOU"),
            Map.entry(23, "URG"),
            Map.entry(24, "XCPU"),
            Map.entry(25, "XFSZ"),
            Map.entry(26, "VTALRM"),
            Map.entry(27, "PROF"),
            Map.entry(28, "WINCH"),
            Map.entry(29, "IO"),
            Map.entry(30, "PWR"),
            Map.entry(31, "SYS"));

    /** The first real-time signal; the C library keeps the two before it. */
    private static final int FIRST_REAL_TIME = 34;

    /** The highest signal number. */
    static final int HIGHEST = 64;

    private SignalNames() {}

    /** For example {@code SIGKILL}, {@code SIGRTMIN+3}; {@code signal 32} for one without a name. */
    public static String of(int number) {
        String name = NAMES.get(number);
        if (name != null) {
            return "SIG" + name;
        }
        if (number < FIRST_REAL_TIME || number > HIGHEST) {
            return "signal " + number;
        }
        return number == FIRST_REAL_TIME ? "SIGRTMIN" : "SIGRTMIN+" + (number - FIRST_REAL_TIME);
    }

    /** The number of a signal by its name without SIG; empty: there is none. */
    public static OptionalInt number(String name) {
        for (Map.Entry<Integer, String> signal : NAMES.entrySet()) {
            if (signal.getValue().equals(name)) {
                return OptionalInt.of(signal.getKey());
            }
        }
        return OptionalInt.empty();
    }

    /** Whether this is the name of a signal, without SIG. */
    static boolean isName(String name) {
        return number(name).isPresent();
    }
}
