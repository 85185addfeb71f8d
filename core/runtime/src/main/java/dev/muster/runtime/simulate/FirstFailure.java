package dev.muster.runtime.simulate;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node that failed first. Its launcher need not be the first to end: it has ranks to stop, while ranks elsewhere that
 * lost their peer may fail and be gone at once.
 */
final class FirstFailure {

    private @Nullable Instant when;
    private int exitCode;
    private String reason = "";

    void consider(int node, Optional<NodeResult> result) {
        Optional<Instant> failed = result.flatMap(NodeResult::firstFailure);
        if (failed.isPresent() && (when == null || failed.get().isBefore(when))) {
            when = failed.get();
            exitCode = result.get().exitCode();
            reason = "node " + node + ": " + result.get().reason();
        }
    }

    boolean isKnown() {
        return when != null;
    }

    int exitCode() {
        return exitCode;
    }

    String reason() {
        return reason;
    }
}
