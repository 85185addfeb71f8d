package dev.muster.runtime.process;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.ReadableFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits of this machine, container and user for the processes of an attempt: open files, and tasks. Linux counts processes and threads
 * together as tasks. A limit that cannot be read is left to the kernel.
 *
 * @param root where {@code /proc} and {@code /sys} are
 */
public record StartLimits(Path root) {

    private static final String FILES = "Max open files";
    private static final String PROCESSES = "Max processes";

    /** Files of the launcher for each process: the pipe for its output, and its log file. */
    private static final int FILES_OF_EACH = 2;

    /** The other ends of pipes during a start, and the launcher's own files. */
    private static final int FILES_OF_LAUNCHER = 13;

    /** Threads that the JVM starts later: for the output, the console, the link. */
    private static final int TASKS_OF_LAUNCHER = 5;

    private static final long SYS_ADMIN_OR_RESOURCE = 1L << 21 | 1L << 24;

    /**
     * Refuses to start more processes than the launcher can have files for. The launcher's own limit is the hard limit. Processes get the
     * caller's soft limit, since programs that call select() fail with files above 1024.
     *
     * @throws MusterException 78, with the limit and the need
     */
    public void requireFiles(int processes) {
        long open = ReadableFiles.entries(root.resolve("proc/self/fd"), "*").size();
        requireFiles(need(processes), open + (long) FILES_OF_EACH * processes + FILES_OF_LAUNCHER, "in the launcher");
    }

    /**
     * Refuses to start a host of ranks that cannot open its own files.
     *
     * @param name of the process
     * @param needed files of the process; it may raise its own limit to the hard limit
     * @throws MusterException 78, with the limit and the need
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
     * Refuses to start processes if a limit leaves too few tasks.
     *
     * @param processes how many will be started
     * @param more processes and threads that these will start themselves
     * @throws MusterException 78, with the limit, its use and the need
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

    /** The limits now, for a start that the kernel refused all the same; empty: there are none. */
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

    /** The limits of this process's control groups, both versions, from the innermost outwards. */
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

    /** The limit of the user. It does not apply to root, or with CAP_SYS_ADMIN or CAP_SYS_RESOURCE. */
    private Optional<Limit> ofUser() {
        OptionalLong most = number(limit(PROCESSES));
        String status = text("proc/self/status");
        String user = field(status, "Uid:");
        long capabilities = Long.parseUnsignedLong("0" + field(status, "CapEff:"), 16);
        if (most.isEmpty() || user.isEmpty() || user.equals("0") || (capabilities & SYS_ADMIN_OR_RESOURCE) != 0) {
            return Optional.empty();
        }
        OptionalLong all = allTasks();
        // One user has at most all tasks of the machine. That number is known without a look at every process.
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
