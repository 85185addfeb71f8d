package dev.muster.runtime.memory;

import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the kernel's memory killer has done while a run lasted, as far as it can be read.
 *
 * @param killed how many processes of this container it has killed; empty: that is not counted here, or cannot be read
 * @param killedOnMachine how many of the whole machine, where nothing better is known
 * @param limit the lowest memory limit that holds
 * @param unknown why {@code killed} is empty
 */
public record MemoryKills(
        OptionalLong killed, OptionalLong killedOnMachine, Optional<Limit> limit, Optional<String> unknown) {

    /** Nobody was killed, and nothing is known of limits. */
    public static final MemoryKills NONE =
            new MemoryKills(OptionalLong.of(0), OptionalLong.empty(), Optional.empty(), Optional.empty());

    /** What every text about a kill begins with. */
    public static final String KILLER = "the kernel killed ";

    /** What a program makes of a child's SIGKILL that hands on 256-9, as Python's {@code sys.exit(-9)} does. */
    private static final int NEGATIVE_SIGKILL = 247;

    private static final long UNIT = 1024;

    /**
     * A memory limit.
     *
     * @param limitFile where it stands
     */
    public record Limit(long limitBytes, String limitFile) {}
    /** Whether it has killed anything, or may have. */
    boolean isSuspect() {
        return killed.orElse(0) > 0 || killedOnMachine.orElse(0) > 0;
    }

    /**
     * What that means for the end of a process that nobody here has ended.
     *
     * @return empty: nothing, as for every other end than SIGKILL when nobody was killed
     */
    public Optional<String> about(Termination how) {
        boolean isKill = how.signal().orElse(0) == SignalNames.KILL;
        if (how.startProblem().isPresent() || (!isKill && !isSuspect())) {
            return Optional.empty();
        }
        boolean fits = isKill || how.exitCode() == NEGATIVE_SIGKILL;
        return Optional.of(isSuspect() ? happened() + "; " + verdict(fits) + limitText() : innocent());
    }

    /** What has happened to this container, whichever process is meant; empty: nothing, or nobody knows. */
    public Optional<String> note() {
        return killed.orElse(0) > 0 ? Optional.of(happened() + limitText()) : Optional.empty();
    }

    /** What somebody may do about a process that ended like this; empty: nothing because of memory. */
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
