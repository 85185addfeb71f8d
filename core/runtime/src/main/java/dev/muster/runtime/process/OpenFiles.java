package dev.muster.runtime.process;

import dev.muster.runtime.errors.MusterException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many files the launcher may have open. The supervisor gives this JVM as many as the hard limit lets it have; what it starts has
 * the caller's soft limit, since programs that call select() fail with files above 1024.
 */
public final class OpenFiles {

    /** The pipe that a process prints into, and its log file. */
    private static final int EACH = 2;
    /** The other ends of pipes while a process is started, and what the launcher reads and writes meanwhile. */
    private static final int OF_LAUNCHER = 18;

    private final Path root;
    private final ResourceLimits limits;

    /** @param root where {@code /proc} is */
    public OpenFiles(Path root) {
        this.root = root;
        limits = new ResourceLimits(root);
    }

    /**
     * Refuses to start more processes than the launcher can have files for.
     *
     * @throws MusterException 78, with the limit and what is needed, where there cannot be enough
     */
    public void require(int processes) {
        long needed = entries(root.resolve("proc/self/fd")) + (long) EACH * processes + OF_LAUNCHER;
        if (!sufficeFor(needed)) {
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
     * @param needed by it; it may raise its own limit to the hard one
     * @throws MusterException 78, with the limit and what is needed
     */
    public void requireOf(String name, int needed) {
        OptionalLong most = number(limits.hard(ResourceLimits.FILES));
        if (most.isPresent() && most.getAsLong() < needed) {
            throw MusterException.configuration(name + " needs " + needed
                    + " open files for its ranks, but RLIMIT_NOFILE (ulimit -n) is " + most.getAsLong()
                    + advice(needed, "ranks"));
        }
    }

    private boolean sufficeFor(long needed) {
        OptionalLong most = number(soft());
        return most.isEmpty() || most.getAsLong() >= needed;
    }

    private Optional<String> soft() {
        return limits.soft(ResourceLimits.FILES);
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
