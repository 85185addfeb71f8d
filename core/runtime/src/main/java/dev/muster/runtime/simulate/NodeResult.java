package dev.muster.runtime.simulate;

import dev.muster.runtime.json.JsonReader;
import dev.muster.runtime.json.JsonReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a node's launcher wrote into its result file.
 *
 * @param decidedAt when it became known what the node would end with; empty when the file does not say it
 * @param isElsewhere whether the job ended on another node, which the reason names
 * @param processes in the order of the node's plan
 */
record NodeResult(
        int exitCode, String reason, Optional<Instant> decidedAt, boolean isElsewhere, List<ProcessResult> processes) {

    /**
     * One process of a node.
     *
     * @param name its rank, or its id when it has none
     * @param ended how, in words
     */
    record ProcessResult(String name, String pid, String ended, long durationMillis) {}

    /** Empty when there is no result: nothing was started on the node, or its launcher was killed. */
    static Optional<NodeResult> read(Path file) {
        try {
            return JsonReader.read(Files.readAllBytes(file)) instanceof JsonReading.Complete complete
                    ? Optional.of(of(complete.content()))
                    : Optional.empty();
        } catch (IOException noResult) {
            return Optional.empty();
        }
    }

    private static NodeResult of(Map<String, Object> document) {
        List<ProcessResult> processes = new ArrayList<>();
        if (document.get("processes") instanceof List<?> listed) {
            for (Object process : listed) {
                if (process instanceof Map<?, ?> fields) {
                    processes.add(process(fields));
                }
            }
        }
        return new NodeResult(
                (int) number(document.get("exitCode")),
                String.valueOf(document.get("reason")),
                instant(String.valueOf(document.get("decidedAt"))),
                document.containsKey("origin"),
                processes);
    }

    private static ProcessResult process(Map<?, ?> fields) {
        Object rank = fields.get("rank");
        boolean stopped = Boolean.TRUE.equals(fields.get("stoppedByMuster"));
        long pid = number(fields.get("pid"));
        return new ProcessResult(
                String.valueOf(rank == null ? fields.get("id") : rank),
                pid == 0 ? NodeTable.UNKNOWN : Long.toString(pid),
                fields.get("ended") + (stopped ? ", stopped by Muster" : ""),
                number(fields.get("durationMs")));
    }

    private static long number(@Nullable Object value) {
        return value instanceof Long number ? number : 0;
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException noTime) {
            return Optional.empty();
        }
    }
}
