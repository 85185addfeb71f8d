package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a leader knows of the job's launchers when the job has ended, for {@code result.json}.
 *
 * @param nodes in node order, the leader's own included; empty for members
 */
public record LinkReport(List<NodeEnd> nodes) {

    static final LinkReport NOTHING = new LinkReport(List.of());

    public LinkReport {
        nodes = List.copyOf(nodes);
    }

    /**
     * A launcher and its processes. Times are on the leader's {@link System#nanoTime()}.
     *
     * @param state "left", "lost", "never seen" or, when the leader did not wait for it, "running"
     * @param exitCode what it ended with, where it said so
     */
    public record NodeEnd(
            String launcher,
            Optional<String> host,
            String state,
            OptionalInt exitCode,
            Optional<JobEnd> cause,
            List<ProcessEnd> processes) {
        public NodeEnd {
            processes = List.copyOf(processes);
        }
    }

    /** A process of a launcher. */
    public record ProcessEnd(
            String id,
            OptionalInt rank,
            long pid,
            Optional<String> log,
            OptionalLong startedAt,
            OptionalLong endedAt,
            OptionalInt exitCode,
            OptionalInt signal,
            Optional<String> description,
            boolean stoppedByUs) {}
}
