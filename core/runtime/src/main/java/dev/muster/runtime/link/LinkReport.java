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

    /** Those that have never come, for users. */
    public List<String> namesOfUnseen() {
        return nodes.stream().filter(node -> !node.isSeen()).map(NodeEnd::where).toList();
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
        /** The {@link #state} of a launcher that has not come. */
        static final String NEVER_SEEN = "never seen";

        /** Whether it has ever come. */
        public boolean isSeen() {
            return !state.equals(NEVER_SEEN);
        }

        /** For users. */
        public String where() {
            return JobEnd.where(launcher, host);
        }
    }

    /**
     * A process of a launcher.
     *
     * @param ended empty: it runs, as far as is known
     */
    public record ProcessEnd(
            LocalEvent.Started started, long startedAt, Optional<LocalEvent.Ended> ended, OptionalLong endedAt) {

        ProcessEnd with(LocalEvent.Ended end, long nanoTime) {
            return new ProcessEnd(started, startedAt, Optional.of(end), OptionalLong.of(nanoTime));
        }
    }
}
