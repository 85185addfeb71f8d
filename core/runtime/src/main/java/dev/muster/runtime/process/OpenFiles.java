package dev.muster.runtime.process;

import dev.muster.runtime.errors.MusterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * How many files the launcher may have open. Where its soft limit is too low for a run, it raises it; what it starts gets the
 * caller's limit again, since programs that call select() fail with files above 1024. A run that fits costs nothing.
 */
public final class OpenFiles {

    /** The pipe that a process prints into, and its log file. */
    private static final int EACH = 2;
    /** The other ends of pipes while a process is started, and what the launcher reads and writes meanwhile. */
    private static final int OF_LAUNCHER = 24;
    /** What it opens of these for its first run, and keeps for the next: its lock, its log directory, what makes names. */
    private static final int KEPT = 8;
    /** Where what was foretold is too little, there is as much again. */
    private static final int ROOM = 2;

    private static final List<String> PRLIMIT_PLACES = List.of("/usr/bin/prlimit", "/bin/prlimit");
    private static final long PATIENCE_SECONDS = 10;

    private final Path root;
    private final ResourceLimits limits;
    private List<String> prefix = List.of();
    /** The caller's soft limit, once it was raised. */
    private String before = "";
    /** How many there were when it was asked for the first time. */
    private OptionalLong atFirst = OptionalLong.empty();

    /** @param root where {@code /proc} is */
    public OpenFiles(Path root) {
        this.root = root;
        limits = new ResourceLimits(root);
    }

    /**
     * Makes room for processes that are going to be started. Limits that had room for a run have room for the next.
     *
     * @throws MusterException 78, with the limit and what is needed, where there cannot be enough
     */
    public void require(int processes) {
        long open = entries(root.resolve("proc/self/fd"));
        atFirst = atFirst.isPresent() ? atFirst : OptionalLong.of(open);
        long kept = Math.min(KEPT, Math.max(0, open - atFirst.getAsLong()));
        long needed = open - kept + (long) EACH * processes + OF_LAUNCHER;
        if (!sufficeFor(needed) && !(raise(needed) && sufficeFor(needed))) {
            throw MusterException.configuration(ResourceLimits.need(processes, needed)
                    + " open files in the launcher, but RLIMIT_NOFILE (ulimit -n) is "
                    + soft().orElse("unknown")
                    + limits.hard(ResourceLimits.FILES)
                            .map(hard -> " (hard limit " + hard + ")")
                            .orElse("")
                    + advice(needed, "processes"));
        }
    }

    private static String advice(long needed, String what) {
        return ". Raise it before the start (ulimit -n " + needed + ", LimitNOFILE= of a service, --ulimit nofile="
                + needed + " of a container), or start fewer " + what + " on this node";
    }

    /**
     * Refuses to start what hosts ranks where it cannot have its own files open.
     *
     * @param name of the process
     * @param needed by it; it has the caller's limit
     * @throws MusterException 78, with the limit and what is needed
     */
    public void requireOf(String name, int needed) {
        Optional<String> callers = prefix.isEmpty() ? soft() : Optional.of(before);
        OptionalLong most = number(callers);
        if (most.isPresent() && most.getAsLong() < needed) {
            throw MusterException.configuration(name + " needs " + needed
                    + " open files for its ranks, but RLIMIT_NOFILE (ulimit -n) is " + most.getAsLong()
                    + advice(needed, "ranks"));
        }
    }

    /** What has to stand before a command so that it has the caller's limit; empty while the launcher has that itself. */
    List<String> commandPrefix() {
        return prefix;
    }

    private boolean sufficeFor(long needed) {
        OptionalLong most = number(soft());
        return most.isEmpty() || most.getAsLong() >= needed;
    }

    private Optional<String> soft() {
        return limits.soft(ResourceLimits.FILES);
    }

    /** Java has no call for it; a program may do it for another one of the same user. */
    private boolean raise(long needed) {
        Optional<String> tool = PRLIMIT_PLACES.stream()
                .filter(place -> Files.isExecutable(Path.of(place)))
                .findFirst();
        Optional<String> callers = soft();
        OptionalLong hard = number(limits.hard(ResourceLimits.FILES));
        if (tool.isEmpty() || callers.isEmpty() || (hard.isPresent() && hard.getAsLong() < needed)) {
            return false;
        }
        long wanted = Math.min(ROOM * needed, hard.orElse(Long.MAX_VALUE));
        long own = ProcessHandle.current().pid();
        if (!run(tool.get(), "--pid=" + own, "--nofile=" + wanted + ":")) {
            return false;
        }
        before = callers.get();
        prefix = List.of(tool.get(), "--nofile=" + before + ":");
        return true;
    }

    private static boolean run(String... command) {
        try {
            Process process = Spawning.of(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD));
            return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException | OutOfMemoryError noProcess) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Empty for what is unlimited or unknown. */
    private static OptionalLong number(Optional<String> limit) {
        return limit.isPresent() && limit.get().matches("[0-9]{1,18}")
                ? OptionalLong.of(Long.parseLong(limit.get()))
                : OptionalLong.empty();
    }

    private static long entries(Path directory) {
        String[] names = directory.toFile().list();
        return names == null ? 0 : names.length;
    }
}
