package dev.muster.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks for processes of a run in {@code /proc}. */
public final class ProcessTable {

    private static final Path PROC = Path.of("/proc");

    /** Of the fields behind the name, the one that says when the process started, in ticks since the machine did. */
    private static final int START = 19;

    /** What Linux tells user programs, whatever the kernel's own clock. */
    private static final long TICKS_A_SECOND = 100;

    private final byte[] assignment;

    public ProcessTable(RunMarker marker) {
        this.assignment = marker.assignment().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The live processes that belong to one of these groups or sessions, or carry the run's marker, in the order of their
     * pids.
     */
    public List<LiveProcess> find(Collection<Long> groups) {
        List<LiveProcess> all = all();
        Set<Long> ours = new HashSet<>(groups);
        for (LiveProcess process : all) {
            // A leader without the marker is a stranger: our leader has ended, all its group too, and the number was
            // given
            // out again.
            if (ours.contains(process.pid()) && !carriesMarker(process.pid())) {
                ours.remove(process.pid());
            }
        }
        List<LiveProcess> found = new ArrayList<>();
        for (LiveProcess process : all) {
            if (ours.contains(process.group()) || ours.contains(process.session()) || carriesMarker(process.pid())) {
                found.add(process);
            }
        }
        found.sort(Comparator.comparingLong(LiveProcess::pid));
        return found;
    }

    /** The live processes that carry the run's marker and have one of these variables, in the order of their pids. */
    public List<Carrier> findCarriers(Collection<String> variables) {
        List<LiveProcess> found = new ArrayList<>();
        Set<Long> others = new HashSet<>();
        for (LiveProcess process : all()) {
            byte[] environment = environmentOf(process.pid());
            if (contains(environment, assignment)) {
                if (hasAny(environment, variables)) {
                    found.add(process);
                } else {
                    others.add(process.pid());
                }
            }
        }
        found.sort(Comparator.comparingLong(LiveProcess::pid));
        return found.stream()
                .map(process -> new Carrier(process, others.contains(process.parent())))
                .toList();
    }

    /**
     * A process of the run that has a variable.
     *
     * @param isLed whether its parent belongs to the run too and has none of the variables
     */
    public record Carrier(LiveProcess process, boolean isLed) {}

    /**
     * Whether a process is there and not another one that was given its number.
     *
     * @param start when it started, in clock ticks since the machine did
     */
    public static boolean isThere(long pid, long start) {
        try {
            String[] fields = fields(stat(PROC.resolve(Long.toString(pid))));
            return !isDead(fields) && Long.parseLong(fields[START]) == start;
        } catch (IOException ended) {
            return false;
        }
    }

    private static List<LiveProcess> all() {
        List<LiveProcess> all = new ArrayList<>();
        long uptime = uptime();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, ProcessTable::isProcess)) {
            for (Path entry : entries) {
                parse(entry, uptime).ifPresent(all::add);
            }
        } catch (IOException | DirectoryIteratorException noProc) {
            // Without /proc there is nothing to find; groups are signalled all the same.
        }
        return all;
    }

    private static boolean isProcess(Path entry) {
        char first = String.valueOf(entry.getFileName()).charAt(0);
        return first >= '1' && first <= '9';
    }

    /** How long the machine has been up, in ticks. */
    private static long uptime() {
        try {
            String text = Files.readString(PROC.resolve("uptime"), StandardCharsets.US_ASCII);
            return (long) (Double.parseDouble(text.substring(0, text.indexOf(' '))) * TICKS_A_SECOND);
        } catch (IOException noProc) {
            return 0;
        }
    }

    private static Optional<LiveProcess> parse(Path entry, long uptime) {
        try {
            String stat = stat(entry);
            String[] fields = fields(stat);
            if (isDead(fields)) {
                return Optional.empty();
            }
            return Optional.of(new LiveProcess(
                    Long.parseLong(String.valueOf(entry.getFileName())),
                    Long.parseLong(fields[1]),
                    Long.parseLong(fields[2]),
                    Long.parseLong(fields[3]),
                    stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
                    Duration.ofMillis(Math.max(0, uptime - Long.parseLong(fields[START])) * (1000 / TICKS_A_SECOND))));
        } catch (IOException endedMeanwhile) {
            return Optional.empty();
        }
    }

    /** {@code PID (NAME) STATE PARENT GROUP SESSION ... START ...}; the name may hold blanks and brackets. */
    private static String stat(Path entry) throws IOException {
        return new String(Files.readAllBytes(entry.resolve("stat")), StandardCharsets.ISO_8859_1);
    }

    /** What stands behind the name. */
    private static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", START + 2);
    }

    private static boolean isDead(String[] fields) {
        return fields[0].equals("Z") || fields[0].equals("X");
    }

    private boolean carriesMarker(long pid) {
        return contains(environmentOf(pid), assignment);
    }

    /** Empty for another user's process, and for one that has ended. */
    private static byte[] environmentOf(long pid) {
        try {
            return Files.readAllBytes(environment(pid));
        } catch (IOException notOurs) {
            return new byte[0];
        }
    }

    private static boolean hasAny(byte[] environment, Collection<String> variables) {
        // Names are compared byte by byte; a zero byte ends each variable.
        String text = '\0' + new String(environment, StandardCharsets.ISO_8859_1);
        return variables.stream()
                .anyMatch(name -> text.contains(
                        '\0' + new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1) + '='));
    }

    private static Path environment(long pid) {
        return PROC.resolve(Long.toString(pid)).resolve("environ");
    }

    /** Whether an environment, its variables separated by zero bytes, has this one. */
    private static boolean contains(byte[] environment, byte[] assignment) {
        int start = 0;
        for (int end = 0; end <= environment.length; end++) {
            if (end == environment.length || environment[end] == 0) {
                if (end - start == assignment.length
                        && Arrays.equals(environment, start, end, assignment, 0, assignment.length)) {
                    return true;
                }
                start = end + 1;
            }
        }
        return false;
    }
}
