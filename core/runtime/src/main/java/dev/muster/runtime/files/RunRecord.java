package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a launcher writes down in its private directory for those that come later: whose it is, and by which processes it is known
 * whether that run goes on.
 *
 * @param job the job's id
 * @param part of the job on this node
 * @param machine in which the numbers of processes mean what they say
 * @param launcher its process
 * @param guard the shell that stays as the launcher's parent: without it the launcher ends; empty: there is none
 * @param warden who ends the ranks when the launcher has died; empty: there is none yet
 * @param grace between TERM and KILL
 * @param marker what the run's processes carry
 * @param forerunners names of variables by which those are known who get TERM, and the grace, before all others
 * @param leaders the processes that the launcher has started itself, of which some may have ended
 */
public record RunRecord(
        String job,
        String part,
        Machine machine,
        Owner launcher,
        Optional<Owner> guard,
        Optional<Owner> warden,
        Duration grace,
        String marker,
        Set<String> forerunners,
        List<Owner> leaders) {

    /** A thousand processes have 20 KiB. */
    static final int LONGEST = 1024 * 1024;

    private static final String LEADER = "leader";

    public RunRecord {
        forerunners = Collections.unmodifiableSet(new TreeSet<>(forerunners));
        leaders = List.copyOf(leaders);
    }

    /**
     * A process.
     *
     * @param start in ticks since the machine started
     */
    public record Owner(long pid, long start) {

        private static Owner of(String text) {
            String[] numbers = text.split(" ", -1);
            return new Owner(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        }

        private String line(String key) {
            return key + " " + pid + " " + start + "\n";
        }
    }

    /**
     * Where numbers of processes are given out.
     *
     * @param boot tells this start of the machine from all others; empty where nobody knows
     * @param pidNamespace tells the container; empty where nobody knows
     */
    public record Machine(String boot, String pidNamespace) {

        private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
        private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

        /** Of this process. */
        public static Machine here() {
            String boot = "";
            String namespace = "";
            try {
                boot = Files.readString(BOOT, StandardCharsets.US_ASCII).strip();
                namespace = Files.readSymbolicLink(NAMESPACE).toString();
            } catch (IOException unknown) {
                // Then no machine is known to be the same.
            }
            return new Machine(boot, namespace);
        }

        /** Whether processes there are certainly those that are seen from here. */
        public boolean isSame(Machine other) {
            return isSameBoot(other) && !pidNamespace.isEmpty() && pidNamespace.equals(other.pidNamespace);
        }

        /** Whether the machine has certainly not been started between them. */
        public boolean isSameBoot(Machine other) {
            return !boot.isEmpty() && boot.equals(other.boot);
        }

        /** Whether they certainly belong to different starts of a machine, or to different machines. */
        public boolean isOtherBoot(Machine other) {
            return !boot.isEmpty() && !other.boot.isEmpty() && !boot.equals(other.boot);
        }
    }

    /** Whether it is about the same part of the same job. */
    public boolean isOf(String otherJob, String otherPart) {
        return job.equals(otherJob) && part.equals(otherPart);
    }

    String text() {
        return "job " + job + "\npart " + part + "\nboot " + machine.boot() + "\npidns " + machine.pidNamespace() + "\n"
                + launcher.line("launcher")
                + guard.map(owner -> owner.line("guard")).orElse("") + graceLine(grace) + "marker "
                + marker + "\nfirst " + String.join(" ", forerunners) + "\n"
                + warden.map(RunRecord::wardenLine).orElse("")
                + leaders.stream().map(RunRecord::leaderLine).collect(Collectors.joining());
    }

    /** What is added when there is a new warden. */
    static String wardenLine(Owner warden) {
        return warden.line("warden");
    }

    /** What is added when processes have another time to end. */
    static String graceLine(Duration grace) {
        return "grace " + grace.toMillis() + "\n";
    }

    /** What is added when the launcher has started a process. */
    static String leaderLine(Owner leader) {
        return leader.line(LEADER);
    }

    /** What stands in a file, which is not this process's own: it would not be locked any more. Empty where that is no such record. */
    static Optional<RunRecord> read(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > LONGEST) {
                return Optional.empty();
            }
            return parse(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException notOurs) {
            return Optional.empty();
        }
    }

    /** What a text says; empty where that is no such record. */
    static Optional<RunRecord> parse(String text) {
        try {
            return Optional.of(of(text));
        } catch (RuntimeException notOurs) {
            return Optional.empty();
        }
    }

    /** Of two lines with one key the last counts; what follows the last end of a line is not finished. */
    private static RunRecord of(String text) {
        Map<String, String> values = new HashMap<>();
        List<Owner> leaders = new ArrayList<>();
        for (String line : List.of(text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1))) {
            int blank = line.indexOf(' ');
            if (line.startsWith(LEADER + " ")) {
                leaders.add(Owner.of(line.substring(blank + 1)));
            } else if (blank > 0) {
                values.put(line.substring(0, blank), line.substring(blank + 1));
            }
        }
        return new RunRecord(
                value(values, "job"),
                value(values, "part"),
                new Machine(value(values, "boot"), value(values, "pidns")),
                Owner.of(value(values, "launcher")),
                Optional.ofNullable(values.get("guard")).map(Owner::of),
                Optional.ofNullable(values.get("warden")).map(Owner::of),
                Duration.ofMillis(Long.parseLong(value(values, "grace"))),
                value(values, "marker"),
                // A record of the version before has none.
                words(values.getOrDefault("first", "")),
                leaders);
    }

    private static Set<String> words(String text) {
        return text.isBlank() ? Set.of() : Set.of(text.strip().split(" ", -1));
    }

    private static String value(Map<String, String> values, String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("there is no " + key);
        }
        return value;
    }
}
