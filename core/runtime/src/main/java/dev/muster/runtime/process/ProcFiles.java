package dev.muster.runtime.process;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads what {@code /proc} says of processes. */
final class ProcFiles {

    private static final Path PROC = Path.of("/proc");

    /** What Linux tells user programs, whatever the kernel's own clock. */
    static final long TICKS_A_SECOND = 100;

    private static final String CAUGHT = "SigCgt:";
    private static final String IGNORED = "SigIgn:";
    private static final String BLOCKED = "SigBlk:";
    private static final long ALL_SIGNALS = -1;

    private ProcFiles() {}

    /**
     * All processes of a moment.
     *
     * @param dead those that have ended, and whose end nobody has heard of: their numbers are not given out again
     * @param isWhole false when the system gave no file to read, so that others may be there, too
     */
    record All(List<LiveProcess> live, Set<ProcessId> dead, boolean isWhole) {}

    /** Without {@code /proc} there is nobody; groups are signalled all the same. */
    static All all() {
        List<LiveProcess> live = new ArrayList<>();
        Set<ProcessId> dead = new HashSet<>();
        long uptime = uptime();
        List<Long> pids = pids();
        boolean isWhole = !pids.isEmpty() || !isThere();
        for (long pid : pids) {
            try {
                ProcessStat stat = ProcessStat.of(pid);
                if (stat.isDead()) {
                    dead.add(stat.id());
                } else {
                    live.add(stat.process(uptime));
                }
            } catch (IOException endedMeanwhile) {
                isWhole = isWhole && !isRefusal(endedMeanwhile);
            }
        }
        return new All(live, dead, isWhole);
    }

    /** At a limit of open files nothing can be looked at, not even this process. */
    private static boolean isRefusal(IOException why) {
        if (!(why instanceof FileNotFoundException) || !isThere()) {
            return false;
        }
        try (InputStream own = new FileInputStream("/proc/self/stat")) {
            return own.read() < 0;
        } catch (IOException refused) {
            return true;
        }
    }

    private static boolean isThere() {
        return Files.exists(PROC.resolve("self"));
    }

    /**
     * The numbers of all processes; none where none can be seen, not even this one. Several times a second, hence without an object
     * for each path.
     */
    static List<Long> pids() {
        String[] names = PROC.toFile().list();
        List<Long> pids = new ArrayList<>();
        for (String name : names == null ? new String[0] : names) {
            if (isNumber(name)) {
                pids.add(Long.parseLong(name));
            }
        }
        return pids;
    }

    /** A process, unless it has ended. */
    static Optional<LiveProcess> process(long pid) {
        return process(pid, uptime());
    }

    /** @param uptime not long ago */
    static Optional<LiveProcess> process(long pid, long uptime) {
        try {
            ProcessStat stat = ProcessStat.of(pid);
            return stat.isDead() ? Optional.empty() : Optional.of(stat.process(uptime));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** Which process has a number, though it may be a zombie. */
    static Optional<ProcessId> identify(long pid) {
        try {
            return Optional.of(ProcessStat.of(pid).id());
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** When this process started, in ticks since the machine did; 0 where nobody can tell. */
    static long ownStart() {
        return identify(ProcessHandle.current().pid()).map(ProcessId::start).orElse(0L);
    }

    /** Its variables, each ended by a zero byte. Empty for another user's process, and for one that has ended. */
    static byte[] environment(long pid) {
        Path process = PROC.resolve(Long.toString(pid));
        byte[] environment = environment(process);
        if (environment.length == 0) {
            try {
                return ProcessStat.of(pid).isWithoutFirstThread() ? environmentOfThreads(process) : environment;
            } catch (IOException ended) {
                return environment;
            }
        }
        return environment;
    }

    private static byte[] environmentOfThreads(Path process) throws IOException {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : threads) {
                byte[] environment = environment(thread);
                if (environment.length > 0) {
                    return environment;
                }
            }
        } catch (DirectoryIteratorException endedMeanwhile) {
            throw endedMeanwhile.getCause();
        }
        return new byte[0];
    }

    private static byte[] environment(Path processOrThread) {
        try (InputStream environment = new FileInputStream(processOrThread + "/environ")) {
            return environment.readAllBytes();
        } catch (IOException notOurs) {
            return new byte[0];
        }
    }

    /** Whether there is no such process, or only a zombie. */
    static boolean hasEnded(long pid) {
        try {
            return ProcessStat.of(pid).isDead();
        } catch (IOException ended) {
            return isThere() && !isRefusal(ended);
        }
    }

    /** Whether a process has memory: one that ends gives it back, with its variables, a while before it is a zombie. */
    static boolean hasMemory(long pid) {
        try (InputStream pages = new FileInputStream(PROC.resolve(Long.toString(pid)) + "/statm")) {
            return pages.read() != '0';
        } catch (IOException unknown) {
            return !hasEnded(pid);
        }
    }

    /** What a process does, as a letter of the kernel's: R, S, D, T, t, Z; X when there is none. */
    static char state(long pid) {
        try {
            return ProcessStat.of(pid).state();
        } catch (IOException ended) {
            return 'X';
        }
    }

    /** The signals that a process has handlers for, as bits; all where that cannot be read. */
    static long caught(long pid) {
        return signals(status(pid), CAUGHT);
    }

    /** The signals that do to a process what the kernel does where nobody minds, as bits; none where that cannot be read. */
    static long unminded(long pid) {
        String status = status(pid);
        return ~(signals(status, CAUGHT) | signals(status, IGNORED) | signals(status, BLOCKED));
    }

    private static String status(long pid) {
        try {
            return new String(
                    Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve("status")),
                    StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    private static long signals(String status, String name) {
        int start = status.indexOf(name);
        int end = status.indexOf('\n', start);
        return start < 0 || end < 0
                ? ALL_SIGNALS
                : Long.parseUnsignedLong(
                        status.substring(start + name.length(), end).strip(), 16);
    }

    /** The number that was given out last, to a process or a thread; 0 where nobody can tell. */
    static long lastNumber() {
        try {
            String load = Files.readString(PROC.resolve("loadavg"), StandardCharsets.US_ASCII);
            return Long.parseLong(load.substring(load.lastIndexOf(' ') + 1).strip());
        } catch (IOException | NumberFormatException unknown) {
            return 0;
        }
    }

    private static boolean isNumber(String name) {
        return name.charAt(0) >= '1' && name.charAt(0) <= '9';
    }

    /** How long the machine has been up, in ticks. */
    static long uptime() {
        try {
            return ticks(Files.readString(PROC.resolve("uptime"), StandardCharsets.US_ASCII));
        } catch (IOException noProc) {
            return 0;
        }
    }

    /** @param uptime in seconds, with hundredths, which are not cut off: what starts in the same tick is not younger */
    static long ticks(String uptime) {
        return Math.round(Double.parseDouble(uptime.substring(0, uptime.indexOf(' '))) * TICKS_A_SECOND);
    }
}
