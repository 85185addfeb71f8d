package dev.muster.runtime.watch;

import dev.muster.runtime.files.ReadableFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All visible processes, at one moment.
 *
 * @param nanoTime the time, on the launcher's clock
 */
record ProcessSnapshot(Map<Long, KernelProcess> processes, Map<Long, List<KernelProcess>> children, long nanoTime) {

    private static final Path PROC = Path.of("/proc");
    private static final int MEBIBYTE = 1024;

    /**
     * A process as in {@code /proc/PID/stat}.
     *
     * @param name of its program, at most 15 characters
     * @param state the kernel's letter, such as R, S, D, T or Z
     * @param faults page faults, for example for new memory
     * @param ticks of CPU time, 100 a second
     * @param start ticks since the machine's start; pid and start together identify a process
     */
    record KernelProcess(long pid, String name, char state, long parent, long faults, long ticks, long start) {

        /** Positions of fields behind the name. The name may contain anything. */
        private static final int PARENT = 1;

        private static final int FAULTS = 7;
        private static final int USER_TIME = 11;
        private static final int SYSTEM_TIME = 12;
        private static final int START = 19;

        private static KernelProcess of(String stat) {
            int close = stat.lastIndexOf(')');
            String[] fields = stat.substring(close + 2).strip().split(" ", -1);
            return new KernelProcess(
                    Long.parseLong(stat.substring(0, stat.indexOf(' '))),
                    stat.substring(stat.indexOf('(') + 1, close),
                    fields[0].charAt(0),
                    Long.parseLong(fields[PARENT]),
                    Long.parseLong(fields[FAULTS]),
                    Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]),
                    Long.parseLong(fields[START]));
        }
    }

    /** Takes a snapshot; empty without {@code /proc}. */
    static ProcessSnapshot take(long now) {
        Map<Long, KernelProcess> processes = new TreeMap<>();
        for (Path directory : ReadableFiles.entries(PROC, "[0-9]*")) {
            String stat = ReadableFiles.text(directory.resolve("stat"));
            if (!stat.isEmpty()) {
                KernelProcess process = KernelProcess.of(stat);
                processes.put(process.pid(), process);
            }
        }
        return new ProcessSnapshot(
                processes, processes.values().stream().collect(Collectors.groupingBy(KernelProcess::parent)), now);
    }

    Optional<KernelProcess> find(long pid) {
        return Optional.ofNullable(processes.get(pid));
    }

    List<KernelProcess> childrenOf(long pid) {
        return children.getOrDefault(pid, List.of());
    }

    /** A process and its descendants, parents first; empty if it has ended. */
    List<KernelProcess> tree(long pid) {
        List<KernelProcess> tree = new ArrayList<>();
        find(pid).ifPresent(tree::add);
        for (int at = 0; at < tree.size(); at++) {
            tree.addAll(childrenOf(tree.get(at).pid()));
        }
        return tree;
    }

    /** The memory of a tree in MiB: the private memory of each process, and the largest shared memory of one. */
    static long memory(List<KernelProcess> tree) {
        long own = 0;
        long shared = 0;
        for (KernelProcess process : tree) {
            String status = text(process.pid(), "status");
            long inFiles = number(status, "RssFile") + number(status, "RssShmem");
            own += number(status, "VmRSS") - inFiles;
            shared = Math.max(shared, inFiles);
        }
        return (own + shared) / MEBIBYTE;
    }

    /** Bytes that a process has read and written in files, pipes and the like. Network packets are not counted. */
    static long bytes(KernelProcess process) {
        String io = text(process.pid(), "io");
        return number(io, "rchar") + number(io, "wchar");
    }

    private static long number(String text, String field) {
        return Long.parseLong("0" + ReadableFiles.field(text, field + ":").replaceAll("[^0-9]", ""));
    }

    /** A small file of a process; empty where it cannot be read. */
    static String text(long pid, String name) {
        return ReadableFiles.text(path(pid, name));
    }

    static Path path(long pid, String name) {
        return PROC.resolve(pid + "/" + name);
    }
}
