package dev.muster.runtime.control;

import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.text.Printable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A launcher that runs in this PID namespace, or whose processes are being ended by its warden.
 *
 * @param job its id; empty as long as nothing was started
 * @param part of the job on this node; empty as long as nothing was started
 * @param process its JVM, or the shell that is about to start one
 * @param guard the shell that is its parent, and gets its signals; empty: it has none
 * @param warden who ends its processes when it has died; empty as long as nothing was started
 * @param directory where its desk is
 * @param grace between TERM and KILL
 * @param user by number
 * @param marker what its processes carry; empty as long as nothing was started
 * @param around the marker of a launcher that it is a process of
 */
record FoundLauncher(
        Optional<String> job,
        Optional<String> part,
        ProcessId process,
        Optional<ProcessId> guard,
        Optional<ProcessId> warden,
        Optional<Path> directory,
        Duration grace,
        long user,
        Optional<String> marker,
        Optional<String> around) {

    /** All that must have ended when it has. */
    List<ProcessId> processes() {
        return Stream.of(Optional.of(process), guard, warden)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Whether it lives itself. */
    boolean isThere() {
        return ProcessTable.isThere(process.pid(), process.start());
    }

    boolean hasEnded() {
        return processes().stream().noneMatch(each -> ProcessTable.isThere(each.pid(), each.start()));
    }

    /** Who is to get a signal. */
    ProcessId signalled() {
        return guard.filter(shell -> ProcessTable.isThere(shell.pid(), shell.start()))
                .orElse(process);
    }

    /** For users. */
    String describe() {
        String named = "job " + job.map(Printable::escape).orElse("");
        return (job.isEmpty() ? unnamed() : warden.isPresent() ? named : named + ", of which nothing runs")
                + part.filter(name -> !name.isEmpty())
                        .map(name -> ", " + Printable.escape(name))
                        .orElse("")
                + " (pid " + guard.orElse(process).pid() + ")";
    }

    private String unnamed() {
        return warden.isPresent()
                ? "a launcher without a private directory"
                : "a launcher that has started nothing yet";
    }
}
