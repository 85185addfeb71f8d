package dev.muster.runtime.supervise;

import dev.muster.runtime.output.EndOfOutput;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.MemoryKills;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** All that the supervisor does to the world. Calls return soon; what comes of them arrives as {@link Event}s. */
interface Effects {

    /**
     * Starts a process in a session of its own and posts {@link Event.Ended} when it has ended, also when it could not be
     * started at all. Files that it reads and that nobody has read before are written first.
     *
     * @return its pid, or 0 when it could not be started
     */
    long start(ProcessSpec process);

    /** Ends what an earlier run has kept of a service where that is not what would be started now; true where there was something. */
    default boolean makeWay(ProcessSpec process) {
        return false;
    }

    /** Whether a service is one that goes on when this run ends, if another one follows. */
    default boolean isKept(ProcessSpec process) {
        return false;
    }

    /**
     * Sends a signal to every process of these process groups. KILL is final; any other is followed by CONT.
     *
     * @return those that were known to be in the groups, other than the leaders, and had long had their programs
     */
    List<Survivor> signalGroups(String signal, Collection<Long> groups);

    /** Sends a signal to these processes alone. */
    void signalProcesses(String signal, Collection<Long> pids);

    /** From now on whoever ends the processes when the launcher has died gives them so much time, counted from now. */
    void setGrace(Duration grace);

    /**
     * The live processes, other than the leaders, of these groups and those that left their group, but carry the run's marker or
     * were seen among the descendants of a process of the run.
     */
    List<Survivor> survivors(Collection<Long> groups);

    /** Whether the last look at survivors may have missed some, since no file can be opened. */
    default boolean hasMissedSurvivors() {
        return false;
    }

    /** Lets the warden end all that there is, with the rest of the grace period, and waits for that. It does nothing else afterwards. */
    default void leaveAllToWarden() {}

    /** The live processes that carry the run's marker and have one of these variables in their environment, and who descends from them. */
    List<Carrier> carriers(Collection<String> variables);

    /** Lets whoever starts ranks know, here on this node, that they are being stopped. */
    void noteStop();

    /** From now on whoever looks after ranks keeps their ends from whoever starts them: to be called before {@link #noteStop}. */
    void keepEnds();

    /** The ends of ranks need not be kept any more. */
    void releaseEnds();

    /** What hosted ranks have noted since the last call. */
    RankNotes rankNotes();

    /** Whether a process has ended, also when {@link Event.Ended} has not come yet. */
    boolean hasEnded(long pid);

    /** Whether a process has a handler of its own for SIGTERM. */
    boolean catchesTerm(long pid);

    /** Whether SIGTERM would end a process at once: whoever has got it and is still there has lost it before its program began. */
    boolean endsByTerm(long pid);

    /** When the output of a process ended, in the order of all outputs; empty as long as somebody holds it open. */
    Optional<EndOfOutput> endOfOutput(ProcessSpec process);

    /** Whether a process that has failed did so because another was gone, as far as it tells. */
    boolean isConsequence(ProcessSpec process, Termination how);

    /** Whether a rank's process is still there. */
    boolean isThere(RankNotes.Started rank);

    /** What a file in the run's private directory holds; empty when it cannot be read. */
    String privateText(String name);

    /** What the kernel's memory killer has done since the run began. */
    MemoryKills memoryKills();

    /** Where the output of a process is logged; empty: nowhere. */
    Optional<Path> log(ProcessSpec process);

    /** The same text without the values of secrets. */
    String masked(String text);

    /** A line for the user. */
    void say(String line);

    /** Where the user sees what is waited for. */
    Waits waits();

    /**
     * A process that outlived the leader of its group.
     *
     * @param group its process group, which need not be one of ours
     * @param session which children keep that were given groups of their own, as shells and {@code timeout} do
     * @param age since it was forked
     * @param program another number with each program that it becomes
     */
    record Survivor(long pid, long parent, long group, long session, String name, Duration age, long program) {}

    /**
     * A process that has a variable.
     *
     * @param name what the kernel calls it
     * @param isLed whether its parent belongs to the run and has none of the variables: the process is what the parent has
     *     started, and neither a descendant of such a process nor left behind by one
     * @param age since it was forked
     * @param program another number with each program that it becomes
     */
    record Carrier(long pid, long parent, String name, boolean isLed, Duration age, long program) {}
}
