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
 * All that the event loop does to the world. Calls return soon; what comes of them arrives as {@link Event}s. Where nothing is said here of the
 * world there is nothing in it.
 */
interface Effects {

    /** What a process has that could not be started. */
    StartedProcess NOT_STARTED = new StartedProcess(0, 0);

    /**
     * Starts a process and posts {@link Event.Ended} when it has ended, also when it could not be started at all. Files that it reads
     * and that nobody has read before are written first.
     */
    StartedProcess start(ProcessSpec process);

    /** Sends a signal at once. */
    void signal(long id, int number, SignalScope scope);

    /**
     * Ends processes and all that they have started.
     *
     * @param only these; empty: all
     * @param grace between SIGTERM and SIGKILL, from now on
     * @return the number of this order; events of its course have it
     */
    long stop(Set<Long> only, Duration grace);

    /** The ranks of other nodes have ended too: a host that waits for them may be stopped. */
    void release(long id);

    /** From now on the supervisor gives the processes so much time when this JVM has died. */
    void setGrace(Duration grace);

    /** Ranks are being told to end: what they print from now on is not why one of them has failed. */
    void stopBegins();

    /** Whether all is known that a process has printed which has ended. */
    default boolean isRead(ProcessSpec process) {
        return true;
    }

    /** Whether a process has failed because another was gone, as far as it tells. */
    boolean isConsequence(ProcessSpec process, Termination how);

    /** Whether a process that runs has printed a traceback that tells of a failure of its own. */
    boolean hasOwnTraceback(ProcessSpec process);

    /** What a file in the run's private directory holds; empty when it cannot be read. */
    String privateText(String name);

    /** Why a process of the plan could not have this port; empty: it could. */
    Optional<String> refusal(RequiredPort port);

    /** Whether these words are about a rank on another node. */
    default boolean isElsewhere(String words) {
        return false;
    }

    /** What the kernel's memory killer has done since the run began. */
    MemoryKills memoryKills();

    /** Where the output of a process is logged; empty: nowhere. */
    Optional<Path> log(ProcessSpec process);

    /** Whether a process has the user's terminal. */
    default boolean isDebugged(ProcessSpec process) {
        return false;
    }

    /** Where the platform lists faults of cards. What is seen there comes as {@link Event.FaultsSeen}. */
    default Optional<ResetFile> resetFile() {
        return Optional.empty();
    }

    /** So many ranks and services run, and no rank is waited for any more. */
    default void running(int processes) {}

    /** The same text without the values of secrets. */
    String masked(String text);

    /** A line for the user. */
    void say(String line);
}
