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

    /** @param node as messages call it */
    void consider(String node, Optional<NodeResult> result) {
        Optional<Instant> failed = result.flatMap(NodeResult::firstFailure);
        if (failed.isPresent() && (when == null || failed.get().isBefore(when))) {
            when = failed.get();
            exitCode = result.get().exitCode();
            reason = node + ": " + result.get().reason();
        }
    }

    /** Takes this node's own verdict when no process of any node failed. */
    void orElse(String node, Optional<NodeResult> result) {
        if (!isKnown() && result.isPresent()) {
            exitCode = result.get().exitCode();
            reason = node + ": " + result.get().reason();
        }
    }

    boolean isKnown() {
        return !reason.isEmpty();
    }

    int exitCode() {
        return exitCode;
    }

    String reason() {
        return reason;
    }
}
