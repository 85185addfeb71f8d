package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Sends signals to processes, and finds processes that a test has left. */
final class Processes {

    /** A variable that all processes of a test inherit. */
    static final String TAG = "E2E_TAG";

    private static final Path PROC = Path.of("/proc");
    private static final Set<String> WAITING = Set.of("nsenter", "unshare");

    private Processes() {}

    /** @param name without SIG, for example TERM */
    static void signal(String name, long pid) {
        try {
            // The shell's own kill is always there, /bin/kill is not.
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s \"$0\" \"$1\"", name, Long.toString(pid))
                    .redirectErrorStream(true)
                    .start();
            String problem = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (kill.waitFor() != 0) {
                throw new AssertionError("cannot send SIG" + name + " to " + pid + ": " + problem);
            }
        } catch (IOException failed) {
            throw new AssertionError("cannot send SIG" + name + " to " + pid, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending a signal", interrupted);
        }
    }

    /** Sets the soft limit of open files of a process. Files that it has open stay open. */
    static void allowFiles(long pid, int most) throws IOException, InterruptedException {
        Process limit = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--nofile=" + most + ":").start();
        assertThat(limit.waitFor()).isZero();
    }

    /** Signals a process and all its descendants. Those that have just ended are skipped. */
    static void signalTree(String name, long pid) {
        tree(pid).forEach(each -> signalIfThere(name, each));
    }

    /** Signals a process that may end at any time. */
    static void signalIfThere(String name, long pid) {
        try {
            signal(name, pid);
        } catch (AssertionError problem) {
            if (ProcessHandle.of(pid).isPresent()) {
                throw problem;
            }
        }
    }

    /** A process and all its descendants. The process is the first. */
    static List<Long> tree(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(outermost -> Stream.concat(Stream.of(outermost), outermost.descendants()))
                .map(ProcessHandle::pid)
                .toList();
    }

    /** Whether a process is suspended, waits for a suspended child (vfork), or has ended. */
    static boolean standsStill(long pid) {
        return "TtDZX".indexOf(state(PROC.resolve(Long.toString(pid)))) >= 0;
    }

    /** The processes that carry a tag, as {@code pid (command line)}. Zombies are not processes any more. */
    static List<String> tagged(String tag) {
        List<String> found = new ArrayList<>();
        for (Path directory : numbered(PROC)) {
            if (has(directory, TAG + "=" + tag)) {
                found.add(describe(directory));
            }
        }
        return found;
    }

    static List<Long> pidsTagged(String tag) {
        return tagged(tag).stream()
                .map(process -> Long.valueOf(process.substring(0, process.indexOf(' '))))
                .toList();
    }

    /** The processes of a container, given its /proc, as {@code pid (command line)}. Zombies are not processes any more. */
    static List<String> in(Path proc) {
        return numbered(proc).stream()
                .filter(Processes::isNoZombie)
                .map(Processes::describe)
                .toList();
    }

    /** The names of the programs that run in a container, given its /proc. */
    static List<String> names(Path proc) {
        return numbered(proc).stream()
                .filter(Processes::isNoZombie)
                .map(directory -> text(directory.resolve("comm")).strip())
                .toList();
    }

    /**
     * The process of a command itself. Its ancestors unshare and nsenter only make or enter namespaces, and wait.
     *
     * @param pid of the command's first process
     */
    static long inNamespaces(long pid) {
        long inner = pid;
        while (isWaiting(inner)) {
            long outer = inner;
            // A new child has the name of its parent until it executes its own program.
            Await.until("process " + outer + " has a child", () -> !isWaiting(outer) || child(outer) != 0);
            inner = isWaiting(outer) ? child(outer) : outer;
        }
        return inner;
    }

    /** The JVM of a launcher: a child of inner, which is a child of outer. Under {@code java -jar} it is the process itself. */
    static long jvm(long pid) {
        List<Long> found = new ArrayList<>();
        Await.until("there is a JVM below process " + pid, () -> {
            findJvm(pid).ifPresent(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    /** The JVM of a launcher; empty before its start and after its end. */
    static OptionalLong findJvm(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(outer -> Stream.concat(Stream.of(outer), outer.children()))
                .flatMap(inner -> Stream.concat(Stream.of(inner), inner.children()))
                .mapToLong(ProcessHandle::pid)
                .filter(any -> name(any).equals("java"))
                .findFirst();
    }

    private static String name(long pid) {
        return text(PROC.resolve(Long.toString(pid)).resolve("comm")).strip();
    }

    private static boolean isWaiting(long pid) {
        return WAITING.contains(name(pid));
    }

    private static long child(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::children)
                .mapToLong(ProcessHandle::pid)
                .findFirst()
                .orElse(0);
    }

    static void kill(String tag) {
        for (String process : tagged(tag)) {
            ProcessHandle.of(Long.parseLong(process.substring(0, process.indexOf(' '))))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Whether a process runs: it is there and no zombie. */
    static boolean isRunning(long pid) {
        return isNoZombie(PROC.resolve(Long.toString(pid)));
    }

    private static boolean isNoZombie(Path directory) {
        return "XZ".indexOf(state(directory)) < 0 || isHeadless(directory);
    }

    /** Whether the first thread of a process has ended while another one runs. */
    static boolean isHeadless(long pid) {
        return isHeadless(PROC.resolve(Long.toString(pid)));
    }

    private static boolean isHeadless(Path directory) {
        return state(directory) == 'Z' && threads(directory) > 1;
    }

    /** The number of threads that run, plus the first one. */
    private static int threads(Path directory) {
        String[] names = directory.resolve("task").toFile().list();
        return names == null ? 0 : names.length;
    }

    /** The kernel's letter for the state of a process; X if the process is gone. */
    private static char state(Path directory) {
        String stat = text(directory.resolve("stat"));
        int afterName = stat.lastIndexOf(')');
        return afterName > 0 ? stat.charAt(afterName + 2) : 'X';
    }

    /** Whether a process has a handler of its own for a signal. */
    static boolean catches(int signal, long pid) {
        return text(PROC.resolve(Long.toString(pid)).resolve("status"))
                .lines()
                .filter(line -> line.startsWith("SigCgt:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> (signal - 1) & 1) == 1);
    }

    /** The most memory that a process has had resident, in KiB. */
    static long peakMemoryKib(long pid) {
        return text(PROC.resolve(Long.toString(pid)).resolve("status"))
                .lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
    }

    static List<Long> childrenOf(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::children)
                .map(ProcessHandle::pid)
                .toList();
    }

    /** How many bytes a process has written to all its files. */
    static long written(long pid) {
        return text(PROC.resolve(Long.toString(pid)).resolve("io"))
                .lines()
                .filter(line -> line.startsWith("wchar:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }

    /** The number of TCP connections of a process. */
    static long connections(long pid) {
        Path directory = PROC.resolve(Long.toString(pid));
        Set<String> sockets = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                sockets.add(Files.readSymbolicLink(descriptor).toString());
            }
        } catch (IOException | DirectoryIteratorException closedMeanwhile) {
            return 0;
        }
        // "0: LOCAL REMOTE STATE QUEUES TIMER RETRIES USER TIMEOUT INODE": state 01 is that of a connection.
        return (text(directory.resolve("net/tcp")) + text(directory.resolve("net/tcp6")))
                .lines()
                .map(line -> line.strip().split(" +"))
                .filter(words ->
                        words.length > 9 && words[3].equals("01") && sockets.contains("socket:[" + words[9] + "]"))
                .count();
    }

    /** Whether a variable was in the environment that a process was started with, for example {@code RANK=1}. */
    static boolean has(long pid, String variable) {
        return has(PROC.resolve(Long.toString(pid)), variable);
    }

    private static boolean has(Path directory, String variable) {
        return ("\0" + text(directory.resolve("environ"))).contains("\0" + variable + "\0");
    }

    private static String describe(Path directory) {
        return directory.getFileName() + " ("
                + text(directory.resolve("cmdline")).replace('\0', ' ').strip() + ")";
    }

    private static List<Path> numbered(Path proc) {
        List<Path> directories = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            entries.forEach(directories::add);
        } catch (IOException unreadable) {
            throw new AssertionError("cannot list " + proc, unreadable);
        }
        return directories;
    }

    /** The text of a file of /proc; empty if the process has ended or belongs to another user. */
    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
