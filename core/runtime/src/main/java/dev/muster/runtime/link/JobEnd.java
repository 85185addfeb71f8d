package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How and where a job ended, as its launchers tell each other over the link.
 *
 * @param kind what ended it
 * @param launcher the name of the launcher where the end began
 * @param host that launcher's host, as users know it; empty: unknown
 * @param exitCode in the standard style; each launcher translates it into its own style
 * @param signal the signal that ended the process, or that the launcher received
 * @param reason one line for users, with secrets masked, without exit code and launcher
 * @param process the id of the process that ended the job
 * @param rank of that process
 * @param pid of that process, on its host
 * @param log of that process, on its host
 * @param graceMillis the time between SIGTERM and SIGKILL on all nodes; empty: each launcher's own grace
 */
public record JobEnd(
        Kind kind,
        String launcher,
        Optional<String> host,
        int exitCode,
        OptionalInt signal,
        String reason,
        Optional<String> process,
        OptionalInt rank,
        OptionalLong pid,
        Optional<String> log,
        OptionalLong graceMillis) {

    /** The same end, by a signal. */
    public JobEnd bySignal(int number) {
        OptionalInt by = OptionalInt.of(number);
        return new JobEnd(kind, launcher, host, exitCode, by, reason, process, rank, pid, log, graceMillis);
    }

    /** The same end, with a grace for all nodes. */
    public JobEnd withGrace(Optional<Duration> ofStop) {
        OptionalLong millis = ofStop.stream().mapToLong(Duration::toMillis).findFirst();
        return new JobEnd(kind, launcher, host, exitCode, signal, reason, process, rank, pid, log, millis);
    }

    /** The time between SIGTERM and SIGKILL on all nodes; empty: each launcher's own grace. */
    public Optional<Duration> grace() {
        return graceMillis.stream().mapToObj(Duration::ofMillis).findFirst();
    }

    /** Why a launcher is lost when it was started again. */
    static final String STARTED_AGAIN = "its launcher was started again while the job was running";

    private static final String NODE = "node-";

    public enum Kind {
        /** Everything that decides the job succeeded. */
        SUCCESS,
        /** A process failed. */
        FAILED,
        /** A launcher was told to stop. */
        STOPPED,
        /** A process ended by a SIGTERM that its launcher had not sent. */
        STOPPED_FROM_OUTSIDE,
        /** A case of a plan's outcome came true. */
        OUTCOME,
        /** A launcher could not make or prepare its plan, or two launchers do not match. */
        REFUSED,
        /** A launcher is gone or silent. */
        LOST
    }

    /** Whether it is a refusal that other nodes may not have. All nodes have the same command line, so a usage error is known to all. */
    public boolean mayBeOfOneNode() {
        return kind == Kind.REFUSED && exitCode != ExitCode.USAGE.code();
    }

    /** Where the end began, for users: {@code node 1 (gpu2)}, {@code ps-0 (cpu7)}. */
    public String where() {
        return where(launcher, host);
    }

    /** A launcher's name for users: {@code node 1 (gpu2)}, {@code ps-0 (cpu7)}. */
    public static String where(String launcher, Optional<String> host) {
        String name = launcher.startsWith(NODE) ? "node " + launcher.substring(NODE.length()) : launcher;
        return host.map(known -> name + " (" + known + ")").orElse(name);
    }

    /** A launcher is gone, or cannot be reached. */
    static JobEnd lost(String launcher, Optional<String> host, String reason) {
        return of(Kind.LOST, launcher, host, ExitCode.TEMPORARY.code(), reason);
    }

    /** Two launchers do not match. */
    static JobEnd unfit(String launcher, Optional<String> host, String reason) {
        return of(Kind.REFUSED, launcher, host, ExitCode.CONFIGURATION.code(), reason);
    }

    /** An end without a process. */
    public static JobEnd of(Kind kind, String launcher, Optional<String> host, int exitCode, String reason) {
        return new JobEnd(
                kind,
                launcher,
                host,
                exitCode,
                OptionalInt.empty(),
                reason,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                OptionalLong.empty());
    }
}
