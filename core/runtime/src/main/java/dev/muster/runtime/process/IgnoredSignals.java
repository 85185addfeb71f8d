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
    /** That of coreutils has 50 KB; what is bigger is a program of many names, as of busybox, and knows no signals. */
    private static final long LARGEST_ENV = 256 * 1024;
    /** The first Java whose processes begin without blocked signals. */
    private static final int HANDS_ON_NONE = 25;

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

    /**
     * What has to stand before a command so that it ignores these signals again, and no other is kept from it: threads of a JVM block
     * SIGQUIT, which older JVMs hand on. Empty where nothing has to, or can, be done. It must not stand right before a program of the
     * user's: {@code env} takes a name with an equals sign for a variable.
     */
    List<String> commandPrefix() {
        List<String> names = new ArrayList<>();
        for (String name : HANDLED) {
            if (contains(SignalNames.number(name).orElseThrow())) {
                names.add(name);
            }
        }
        List<String> prefix = new ArrayList<>(List.of(ENV));
        if (Runtime.version().feature() < HANDS_ON_NONE && knowsDefaults()) {
            prefix.add("--default-signal=QUIT");
        }
        if (!names.isEmpty()) {
            prefix.add("--ignore-signal=" + String.join(",", names));
        }
        return prefix.size() > 1 && (names.isEmpty() || works(prefix)) ? prefix : List.of();
    }

    /** As to run it would take longer: the text of the option stands in the program. */
    private static boolean knowsDefaults() {
        try {
            Path env = Path.of(ENV);
            return Files.isExecutable(env)
                    && Files.size(env) <= LARGEST_ENV
                    && new String(Files.readAllBytes(env), StandardCharsets.ISO_8859_1).contains("default-signal");
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean works(List<String> prefix) {
        List<String> probe = new ArrayList<>(prefix);
        probe.add("true");
        try {
            Process process = Spawning.of(new ProcessBuilder(probe)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD));
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
