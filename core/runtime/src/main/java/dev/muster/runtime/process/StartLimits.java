package dev.muster.runtime.process;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.ReadableFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this machine, container and user leave for the processes of a run: open files, and processes and threads together, which Linux
 * counts alike. Where a number cannot be read, the kernel itself has to refuse what is too much.
 *
 * @param root where {@code /proc} and {@code /sys} are
 */
public record StartLimits(Path root) {

    private static final String FILES = "Max open files";
    private static final String PROCESSES = "Max processes";

    /** Of the launcher: the pipe that a process prints into, and its log file. */
    private static final int FILES_OF_EACH = 2;

    /** The other ends of pipes while a process is started, and what the launcher reads and writes meanwhile. */
    private static final int FILES_OF_LAUNCHER = 13;

    /** Threads that the JVM makes later: of the output, the console, the link. */
    private static final int TASKS_OF_LAUNCHER = 5;

    private static final long SYS_ADMIN_OR_RESOURCE = 1L << 21 | 1L << 24;

    /**
     * Refuses to start more processes than the launcher can have files for. It has as many as the hard limit allows; what it starts has
     * the caller's soft limit, since programs that call select() fail with files above 1024.
     *
     * @throws MusterException 78, with the limit and what is needed
     */
    public void requireFiles(int processes) {
        long open = ReadableFiles.entries(root.resolve("proc/self/fd"), "*").size();
        requireFiles(need(processes), open + (long) FILES_OF_EACH * processes + FILES_OF_LAUNCHER, "in the launcher");
    }

    /**
     * Refuses to start what hosts ranks where it cannot have its own files open.
     *
     * @param name of the process
     * @param needed by it; it may raise its own limit to the hard one
     * @throws MusterException 78, with the limit and what is needed
     */
    public void requireFilesOf(String name, int needed) {
        requireFiles(name + " needs ", needed, "for its ranks");
    }

    private void requireFiles(String who, long needed, String what) {
        OptionalLong most = number(limit(FILES));
        if (most.isPresent() && most.getAsLong() < needed) {
            throw MusterException.configuration(
                    who + needed + " open files " + what + ", but RLIMIT_NOFILE (ulimit -n) is "
                            + most.getAsLong() + ". Raise it before the start (ulimit -n " + needed
                            + ", LimitNOFILE= of a service, --ulimit nofile=" + needed
                            + " of a container), or start fewer processes on this node");
        }
    }

    private static String need(int processes) {
        return processes + (processes == 1 ? " process needs " : " processes need ");
    }

    /** A soft limit of this process: a number or {@code unlimited}; empty where it cannot be read. */
    private String limit(String name) {
        return field(text("proc/self/limits"), name);
    }

    /**
     * Refuses to start what cannot run.
     *
     * @param processes how many are going to be started
     * @param more processes and threads that these start themselves
     * @throws MusterException 78, with the limit, what it leaves and what is needed
     */
    public void require(int processes, long more) {
        long needed = processes + TASKS_OF_LAUNCHER + more;
        for (Limit limit : limits()) {
            if (limit.most() - limit.used() < needed) {
                throw MusterException.configuration(need(processes) + needed
                        + " processes and threads with the launcher's own"
                        + (more > 0 ? " and the ranks that are started through them" : "")
                        + ", but " + limit.text() + ". " + limit.cure());
            }
        }
    }

    /** What the limits are now, for a refusal that came all the same; empty where there are none. */
    public String text() {
        List<String> texts = new ArrayList<>();
        if (!limit(FILES).isEmpty()) {
            texts.add("ulimit -n is " + limit(FILES));
        }
        limits().forEach(limit -> texts.add(limit.text()));
        return String.join("; ", texts);
    }

    /**
     * A limit of processes and threads.
     *
     * @param most how many there may be
     * @param used how many there are
     */
    private record Limit(String name, long most, long used, String cure) {

        String text() {
            return name + " is " + most + ", and " + used + " are there already";
        }
    }

    private List<Limit> limits() {
        List<Limit> limits = new ArrayList<>();
        limits.addAll(groups());
        ofUser().ifPresent(limits::add);
        return limits;
    }

    /** Those of the control groups that this process is in, both versions, from the innermost outwards. */
    private List<Limit> groups() {
        List<Limit> limits = new ArrayList<>();
        for (String line : text("proc/self/cgroup").lines().toList()) {
            String[] parts = line.split(":", 3);
            boolean isUnified = parts.length == 3 && parts[1].isEmpty();
            if (parts.length == 3
                    && (isUnified || List.of(parts[1].split(",", -1)).contains("pids"))) {
                Path top = root.resolve(isUnified ? "sys/fs/cgroup" : "sys/fs/cgroup/pids");
                Path group = top.resolve("." + parts[2]).normalize();
                for (Path at = group; at != null && at.startsWith(top); at = at.getParent()) {
                    group(at).ifPresent(limits::add);
                }
            }
        }
        return limits;
    }

    private Optional<Limit> group(Path directory) {
        OptionalLong most =
                number(ReadableFiles.text(directory.resolve("pids.max")).strip());
        OptionalLong used =
                number(ReadableFiles.text(directory.resolve("pids.current")).strip());
        if (most.isEmpty() || used.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Limit(
                "pids.max of the control group (/" + root.relativize(directory) + ")",
                most.getAsLong(),
                used.getAsLong(),
                "Raise it (--pids-limit of docker and podman, podPidsLimit of the kubelet, TasksMax= of a service),"
                        + " or start fewer processes on this node"));
    }

    /** It does not hold for root, nor for who may exceed resources. */
    private Optional<Limit> ofUser() {
        OptionalLong most = number(limit(PROCESSES));
        String status = text("proc/self/status");
        String user = field(status, "Uid:");
        long capabilities = Long.parseUnsignedLong("0" + field(status, "CapEff:"), 16);
        if (most.isEmpty() || user.isEmpty() || user.equals("0") || (capabilities & SYS_ADMIN_OR_RESOURCE) != 0) {
            return Optional.empty();
        }
        OptionalLong all = allTasks();
        // Nobody has more than all have: that is known without looking at every process.
        long used = all.isPresent() && all.getAsLong() < most.getAsLong() / 2 ? 0 : tasksOf(user);
        return Optional.of(new Limit(
                "RLIMIT_NPROC (ulimit -u) of user " + user,
                most.getAsLong(),
                used,
                "Raise it (ulimit -u, LimitNPROC= of a service, /etc/security/limits.conf), or start fewer processes on"
                        + " this node; other containers' processes of the same user count, too"));
    }

    /** From a line such as {@code 0.00 0.01 0.05 2/345 6789}. */
    private OptionalLong allTasks() {
        String[] parts = ReadableFiles.text(root.resolve("proc/loadavg")).split("[ /]", -1);
        return parts.length > 4 ? number(parts[4]) : OptionalLong.empty();
    }

    private long tasksOf(String user) {
        return ReadableFiles.entries(root.resolve("proc"), "[0-9]*").stream()
                .map(process -> text(root.relativize(process) + "/status"))
                .filter(status -> field(status, "Uid:").equals(user))
                .mapToLong(status -> number(field(status, "Threads:")).orElse(1))
                .sum();
    }

    private static String field(String text, String name) {
        return ReadableFiles.field(text, name).split("\\s+", -1)[0];
    }

    private static OptionalLong number(String text) {
        return text.matches("[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    private String text(String file) {
        return ReadableFiles.text(root.resolve(file));
    }
}
