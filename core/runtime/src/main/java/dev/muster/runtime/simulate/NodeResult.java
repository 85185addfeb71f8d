package dev.muster.runtime.simulate;

import dev.muster.runtime.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a node's launcher wrote into its result file: the keys of {@code docs/result-format.md} that a simulation needs.
 *
 * @param decidedAt when the node's end was decided
 * @param origin where the job ended, if on another node
 * @param processes of the last attempt, in the order of the node's plan
 */
record NodeResult(
        int exitCode,
        String reason,
        String decidedAt,
        Optional<Map<String, Object>> origin,
        List<Attempt> attempts,
        List<ProcessEntry> processes) {

    /** One attempt of the job, as a node saw it. */
    record Attempt(int attempt, int exitCode, String exitCodeFrom, String reason) {

        /** Whether it ended because of another node, which the reason names. */
        boolean isElsewhere() {
            return exitCodeFrom.contains("@");
        }
    }

    /** One process of a node. */
    record ProcessEntry(String id, OptionalInt rank, long pid, String ended, boolean stoppedByMuster, long durationMs) {

        /** Its rank, or else its id. */
        String name() {
            return rank.isPresent() ? Integer.toString(rank.getAsInt()) : id;
        }
    }

    /** Reads a result. Empty if nothing was started on the node, or its launcher was killed. */
    static Optional<NodeResult> read(Path file) {
        try {
            return Json.read(Files.readAllBytes(file))
                    .object()
                    .map(document -> Json.toRecord(document, NodeResult.class));
        } catch (IOException noResult) {
            return Optional.empty();
        }
    }

    /** Whether the job ended because of another node, which the reason names. */
    boolean isElsewhere() {
        return origin.isPresent();
    }

    Instant decided() {
        return Instant.parse(decidedAt);
    }
}
