package dev.muster.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What can be seen of any process of this PID namespace. Whatever has ended meanwhile, or is not to be seen, is simply not there. */
public final class ProcessSurvey {

    private static final Path PROC = Path.of("/proc");
    private static final Path SELF = PROC.resolve("self");
    private static final Path PID_NAMESPACE = Path.of("ns", "pid");
    private static final Path MOUNTS = Path.of("ns", "mnt");
    private static final String USER = "Uid:";

    private ProcessSurvey() {}

    /** Whether processes can be seen at all. */
    public static boolean isPossible() {
        return Files.exists(SELF.resolve("stat"));
    }

    /** All that live, in no order. */
    public static List<LiveProcess> all() {
        return ProcFiles.all().live();
    }

    /** The process of a number, unless it is a zombie. */
    public static Optional<LiveProcess> process(long pid) {
        return ProcFiles.process(pid);
    }

    /** Whether SIGSTOP, or a debugger, has stopped it. */
    public static boolean isStopped(long pid) {
        char state = ProcFiles.state(pid);
        return state == 'T' || state == 't';
    }

    /** The effective user, by number. */
    public static OptionalLong user(long pid) {
        try {
            for (String line : Files.readAllLines(of(pid).resolve("status"), StandardCharsets.ISO_8859_1)) {
                if (line.startsWith(USER)) {
                    return OptionalLong.of(
                            Long.parseLong(line.substring(USER.length()).strip().split("\\s+", -1)[1]));
                }
            }
        } catch (IOException ended) {
            // Then it is nobody's.
        }
        return OptionalLong.empty();
    }

    /** Its command line. */
    public static List<String> arguments(long pid) {
        try {
            String text = Files.readString(of(pid).resolve("cmdline"), StandardCharsets.ISO_8859_1);
            return text.isEmpty() ? List.of() : List.of(text.split("\0", -1));
        } catch (IOException ended) {
            return List.of();
        }
    }

    /** The values that some variables had when it was started, in their order. */
    public static List<Optional<String>> variables(long pid, String... names) {
        // One character a byte: whatever stands in it, nothing is changed by being looked at.
        String text = '\0' + new String(ProcFiles.environment(pid), StandardCharsets.ISO_8859_1);
        List<Optional<String>> values = new ArrayList<>();
        for (String name : names) {
            values.add(value(text, '\0' + name + '='));
        }
        return values;
    }

    private static Optional<String> value(String text, String start) {
        int begin = text.indexOf(start);
        if (begin < 0) {
            return Optional.empty();
        }
        int end = text.indexOf('\0', begin + start.length());
        String value = text.substring(begin + start.length(), end < 0 ? text.length() : end);
        return Optional.of(new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }

    /** Whether the numbers of processes that it knows are those that are seen from here. */
    public static boolean isOfThisNamespace(long pid) {
        return isSame(pid, PID_NAMESPACE);
    }

    /** By which name a file of its is reached, whose mounts may be others than ours. */
    public static Path reach(long pid, Path file) {
        return isSame(pid, MOUNTS)
                ? file
                : of(pid).resolve("root").resolve(file.toString().substring(1));
    }

    private static boolean isSame(long pid, Path namespace) {
        try {
            return Files.readSymbolicLink(of(pid).resolve(namespace))
                    .equals(Files.readSymbolicLink(SELF.resolve(namespace)));
        } catch (IOException unknown) {
            return true;
        }
    }

    private static Path of(long pid) {
        return PROC.resolve(Long.toString(pid));
    }
}
