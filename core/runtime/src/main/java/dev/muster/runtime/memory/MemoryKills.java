package dev.muster.runtime.memory;

import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The kills by the kernel's out-of-memory killer during an attempt, as far as they can be read.
 *
 * @param killed how many processes of this container it killed; empty: not counted here, or not readable
 * @param killedOnMachine how many of the whole machine, if {@code killed} is empty
 * @param limit the lowest memory limit that applies
 * @param unknown why {@code killed} is empty
 */
public record MemoryKills(
        OptionalLong killed, OptionalLong killedOnMachine, Optional<Limit> limit, Optional<String> unknown) {

    /** No process was killed, and no limit is known. */
    public static final MemoryKills NONE =
            new MemoryKills(OptionalLong.of(0), OptionalLong.empty(), Optional.empty(), Optional.empty());

    /** The prefix of every text about a kill. */
    public static final String KILLER = "the kernel killed ";

    /** The exit code 256-9 of a program that passes on its child's SIGKILL, as Python's {@code sys.exit(-9)} does. */
    private static final int NEGATIVE_SIGKILL = 247;

    private static final long UNIT = 1024;

    /**
     * A memory limit.
     *
     * @param limitFile the file that holds it
     */
    public record Limit(long limitBytes, String limitFile) {}
    /** Whether it killed a process, or may have. */
    boolean isSuspect() {
        return killed.orElse(0) > 0 || killedOnMachine.orElse(0) > 0;
    }

    /**
     * What the kills mean for the end of a process that Muster did not stop.
     *
     * @return empty: nothing, since no process was killed and the end was not SIGKILL
     */
    public Optional<String> about(Termination how) {
        boolean isKill = how.signal().orElse(0) == SignalNames.KILL;
        if (how.startProblem().isPresent() || (!isKill && !isSuspect())) {
            return Optional.empty();
        }
        boolean fits = isKill || how.exitCode() == NEGATIVE_SIGKILL;
        return Optional.of(isSuspect() ? happened() + "; " + verdict(fits) + limitText() : innocent());
    }

    /** The kills in this container, of any process; empty: none, or unknown. */
    public Optional<String> note() {
        return killed.orElse(0) > 0 ? Optional.of(happened() + limitText()) : Optional.empty();
    }

    /** Advice for the user about a process that ended like this; empty: memory was not the reason. */
    public Optional<String> advice(Termination how) {
        boolean isKill = how.signal().orElse(0) == SignalNames.KILL;
        if (isSuspect()) {
            return Optional.of(
                    "give the container more memory, or let the ranks need less: smaller batches, fewer workers"
                            + " that load data, fewer copies of the data in memory");
        }
        boolean isKnown = killed.isPresent() || killedOnMachine.isPresent();
        return isKill && isKnown
                ? Optional.of(
                        "find out who sent SIGKILL: a scheduler, another user of this node, or the program itself")
                : Optional.empty();
    }

    private String happened() {
        if (killed.isPresent()) {
            return KILLER + processes(killed.getAsLong()) + " of this container for memory during the run";
        }
        return KILLER + processes(killedOnMachine.orElse(0))
                + " of this machine for memory during the run, and whether of this container cannot be read ("
                + unknown.orElse("") + ")";
    }

    /** For example {@code  (memory limit 512 MiB, /sys/fs/cgroup/memory.max)}. */
    private String limitText() {
        return limit.map(known -> " (memory limit " + size(known.limitBytes()) + ", " + known.limitFile() + ")")
                .orElse(killed.isPresent() ? " (no memory limit can be seen: a pod or the machine had none left)" : "");
    }

    private String verdict(boolean fits) {
        if (!fits) {
            return "it may have hit a child of this process, such as a worker that loads data";
        }
        return killed.isPresent() ? "this fits" : "this may fit";
    }

    private String innocent() {
        String no = "no sign of the kernel's memory killer: ";
        if (killed.isPresent()) {
            return no + "it killed nothing of this container during the run";
        }
        if (killedOnMachine.isPresent()) {
            return no + "it killed nothing of this machine during the run";
        }
        return "whether the kernel's memory killer did it cannot be read: " + unknown.orElse("");
    }

    private static String processes(long count) {
        return count + (count == 1 ? " process" : " processes");
    }

    private static String size(long bytes) {
        String[] names = {"bytes", "KiB", "MiB", "GiB"};
        int name = 0;
        long tenths = bytes * 10;
        while (name < names.length - 1 && tenths >= UNIT * 10) {
            tenths = (tenths + UNIT / 2) / UNIT;
            name++;
        }
        return tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + " " + names[name];
    }
}
