package dev.muster.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The signals that the launcher's caller had ignored, as {@code nohup} does. The JVM puts handlers in their place, which ranks
 * would get as defaults; {@code env} of coreutils 8.31 or newer gives them back. With an older one they are lost.
 */
public final class IgnoredSignals {

    /** What the JVM or the launcher itself handles; any other signal stays ignored by itself. */
    private static final List<String> HANDLED = List.of("HUP", "INT", "PIPE", "QUIT", "TERM", "USR1", "USR2");

    private static final String ENV = "/usr/bin/env";
    private static final long PROBE_SECONDS = 5;

    private final long mask;

    private IgnoredSignals(long mask) {
        this.mask = mask;
    }

    /**
     * Must be asked before any handler is installed.
     *
     * @param saved the mask that the start script saw before the JVM started, as in {@code SigIgn} of
     *     {@code /proc/PID/status}; without it, the JVM has hidden SIGPIPE already
     */
    public static IgnoredSignals atStart(Optional<String> saved) {
        return new IgnoredSignals(parse(saved.orElseGet(IgnoredSignals::ownMask)));
    }

    /** No signal was ignored. */
    public static IgnoredSignals none() {
        return new IgnoredSignals(0);
    }

    /** Whether the caller ignored this signal. */
    boolean contains(int number) {
        return (mask & (1L << (number - 1))) != 0;
    }

    /** What has to stand before a command so that it ignores these signals again; empty when there are none. */
    List<String> commandPrefix() {
        List<String> names = new ArrayList<>();
        for (String name : HANDLED) {
            if (contains(SignalNames.number(name).orElseThrow())) {
                names.add(name);
            }
        }
        if (names.isEmpty()) {
            return List.of();
        }
        List<String> prefix = List.of(ENV, "--ignore-signal=" + String.join(",", names));
        return works(prefix) ? prefix : List.of();
    }

    private static boolean works(List<String> prefix) {
        List<String> probe = new ArrayList<>(prefix);
        probe.add("true");
        try {
            Process process = new ProcessBuilder(probe)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException noEnv) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static long parse(String hexadecimal) {
        try {
            return Long.parseUnsignedLong(hexadecimal.strip(), 16);
        } catch (NumberFormatException noMask) {
            return 0;
        }
    }

    private static String ownMask() {
        try {
            String status = Files.readString(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1);
            int start = status.indexOf("SigIgn:");
            return start < 0 ? "" : status.substring(start + "SigIgn:".length(), status.indexOf('\n', start));
        } catch (IOException noProc) {
            return "";
        }
    }
}
