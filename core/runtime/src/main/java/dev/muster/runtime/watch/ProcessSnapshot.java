package dev.muster.runtime.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All processes that can be seen, at one moment.
 *
 * @param proc where {@code /proc} is
 * @param nanoTime when, on the launcher's clock
 */
record ProcessSnapshot(Path proc, Map<Long, KernelProcess> processes, Map<Long, List<Long>> children, long nanoTime) {

    private static final int MEBIBYTE = 1024;

    /** Without {@code /proc} it is empty. */
    static ProcessSnapshot take(Path proc, long now) {
        Map<Long, KernelProcess> processes = new HashMap<>();
        Map<Long, List<Long>> children = new HashMap<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path directory : directories) {
                KernelProcess.read(directory).ifPresent(process -> {
                    processes.put(process.pid(), process);
                    children.computeIfAbsent(process.parent(), any -> new ArrayList<>())
                            .add(process.pid());
                });
            }
        } catch (IOException | DirectoryIteratorException noProc) {
            return new ProcessSnapshot(proc, Map.of(), Map.of(), now);
        }
        return new ProcessSnapshot(proc, processes, children, now);
    }

    Optional<KernelProcess> find(long pid) {
        return Optional.ofNullable(processes.get(pid));
    }

    List<Long> childrenOf(long pid) {
        return children.getOrDefault(pid, List.of());
    }

    /** A process and all that descend from it, parents first; empty when it has ended. */
    List<KernelProcess> tree(long pid) {
        List<KernelProcess> tree = new ArrayList<>();
        find(pid).ifPresent(tree::add);
        for (int at = 0; at < tree.size(); at++) {
            childrenOf(tree.get(at).pid()).forEach(child -> find(child).ifPresent(tree::add));
        }
        return tree;
    }

    /** CPU time of a tree, in ticks of 10 ms. */
    long ticks(long pid) {
        return tree(pid).stream().mapToLong(KernelProcess::ticks).sum();
    }

    /** Memory of a tree in MiB: what each has for itself, and the most that one of them shares. */
    long memory(long pid) {
        long own = 0;
        long shared = 0;
        for (KernelProcess process : tree(pid)) {
            long inFiles = kibibytes(process.pid(), "RssFile") + kibibytes(process.pid(), "RssShmem");
            own += kibibytes(process.pid(), "VmRSS") - inFiles;
            shared = Math.max(shared, inFiles);
        }
        return (own + shared) / MEBIBYTE;
    }

    /** What a process has read and written, whatever it was: files, pipes, but not packets of the network. */
    long bytes(long pid) {
        return text(pid, "io")
                .lines()
                .filter(line -> line.startsWith("rchar:") || line.startsWith("wchar:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    private long kibibytes(long pid, String field) {
        return status(pid, field)
                .map(text -> text.replaceAll("[^0-9]", ""))
                .filter(number -> !number.isEmpty())
                .map(Long::parseLong)
                .orElse(0L);
    }

    /** A field of {@code /proc/PID/status}. */
    Optional<String> status(long pid, String field) {
        return text(pid, "status")
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst();
    }

    /** A small file of a process; empty where it cannot be read. */
    String text(long pid, String name) {
        try {
            return Files.readString(proc.resolve(pid + "/" + name), StandardCharsets.ISO_8859_1);
        } catch (IOException goneOrRefused) {
            return "";
        }
    }
}
