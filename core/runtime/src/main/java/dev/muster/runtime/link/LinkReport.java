package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the leader knows about the job's launchers at the end, for {@code result.json}.
 *
 * @param nodes in node order, the leader's own included; empty for members
 */
public record LinkReport(List<NodeEnd> nodes) {

    static final LinkReport NOTHING = new LinkReport(List.of());

    /** The launchers that have never come, for users. */
    public List<String> missingNodes() {
        return nodes.stream().filter(node -> !node.isSeen()).map(NodeEnd::where).toList();
    }

    /**
     * A launcher and its processes. Times are on the leader's {@link System#nanoTime()}.
     *
     * @param state "left", "lost", "never seen" or, if the leader did not wait for it, "running"
     * @param exitCode its exit code, if it reported one
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

        /** Whether it has ever connected. */
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
     * @param ended empty: it still runs, as far as is known
     */
    public record ProcessEnd(
            LocalEvent.Started started, long startedAt, Optional<LocalEvent.Ended> ended, OptionalLong endedAt) {

        ProcessEnd with(LocalEvent.Ended end, long nanoTime) {
            return new ProcessEnd(started, startedAt, Optional.of(end), OptionalLong.of(nanoTime));
        }
    }
}
