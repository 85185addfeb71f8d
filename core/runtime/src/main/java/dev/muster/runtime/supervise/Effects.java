package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.memory.MemoryKills;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.SignalScope;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * All side effects of the event loop. Calls return soon. Their results arrive as {@link Event}s. A default method stands for a world in
 * which there is nothing of that kind.
 */
interface Effects {

    /** The ids of a process that could not be started. */
    StartedProcess NOT_STARTED = new StartedProcess(0, 0);

    /**
     * Starts a process, after it writes the files that the process reads. Posts {@link Event.Ended} when the process has ended, also when
     * it could not be started.
     */
    StartedProcess start(ProcessSpec process);

    /** Sends a signal at once. */
    void signal(long id, int number, SignalScope scope);

    /**
     * Stops processes and all their descendants.
     *
     * @param only the processes to stop; empty: all
     * @param grace the time between SIGTERM and SIGKILL; it starts now
     * @return the number of this order; events about it carry this number
     */
    long stop(Set<Long> only, Duration grace);

    /** Lets a host of ranks be stopped: the ranks of all nodes have ended. */
    void release(long id);

    /** Sets the grace that the native supervisor uses if this JVM dies. */
    void setGrace(Duration grace);

    /** Marks the start of a stop in the output. What ranks print after it is not the reason of a failure. */
    void markStop();

    /** Whether all output of an ended process has been read. */
    default boolean isRead(ProcessSpec process) {
        return true;
    }

    /** Whether a process failed only because another process was gone, according to its output. */
    boolean isConsequence(ProcessSpec process, Termination how);

    /** Whether a running process has printed a traceback about a failure of its own. */
    boolean hasOwnTraceback(ProcessSpec process);

    /** The content of a file in the attempt's private directory; empty if it cannot be read. */
    String privateText(String name);

    /** Why a process of the plan could not bind this port; empty: it could. */
    Optional<String> refusal(RequiredPort port);

    /** Whether this text is about a rank on another node. */
    default boolean isElsewhere(String words) {
        return false;
    }

    /** What the kernel's memory killer did since the attempt began. */
    MemoryKills memoryKills();

    /** The log file of a process; empty: it has none. */
    Optional<Path> log(ProcessSpec process);

    /** Whether a process has the user's terminal. */
    default boolean isDebugged(ProcessSpec process) {
        return false;
    }

    /** The file in which the platform lists card faults. A change of it arrives as {@link Event.FaultsSeen}. */
    default Optional<ResetFile> resetFile() {
        return Optional.empty();
    }

    /** All ranks have started. Called with the number of ranks and services that run. */
    default void onRunning(int processes) {}

    /** The text with the values of secrets masked. */
    String masked(String text);

    /** A line for the user. */
    void say(String line);
}
