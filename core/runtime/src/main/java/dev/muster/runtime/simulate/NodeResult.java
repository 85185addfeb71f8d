package dev.muster.runtime.simulate;

import dev.muster.runtime.json.Json;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a node's launcher wrote into its result file.
 *
 * @param decidedAt when it became known what the node would end with; empty when the file does not say it
 * @param isElsewhere whether the job ended on another node, which the reason names
 * @param runs those of the job while the launcher was there, in their order
 * @param processes of the last run, in the order of the node's plan
 */
record NodeResult(
        int exitCode,
        String reason,
        Optional<Instant> decidedAt,
        boolean isElsewhere,
        List<RunResult> runs,
        List<ProcessResult> processes) {

    /**
     * One run of the job, as a node saw it.
     *
     * @param isElsewhere whether it ended on another node, which the reason names
     */
    record RunResult(int number, int exitCode, String reason, boolean isElsewhere) {}

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
            return Json.read(Files.readAllBytes(file)) instanceof JsonReading.Complete complete
                    ? Optional.of(of(complete.content()))
                    : Optional.empty();
        } catch (IOException noResult) {
            return Optional.empty();
        }
    }

    private static NodeResult of(Map<String, Object> document) {
        return new NodeResult(
                (int) number(document.get("exitCode")),
                String.valueOf(document.get("reason")),
                instant(String.valueOf(document.get("decidedAt"))),
                document.containsKey("origin"),
                all(document.get("attempts"), NodeResult::run),
                all(document.get("processes"), NodeResult::process));
    }

    private static <T> List<T> all(@Nullable Object listed, Function<Map<?, ?>, T> of) {
        List<T> all = new ArrayList<>();
        if (listed instanceof List<?> elements) {
            for (Object element : elements) {
                if (element instanceof Map<?, ?> fields) {
                    all.add(of.apply(fields));
                }
            }
        }
        return all;
    }

    private static RunResult run(Map<?, ?> fields) {
        return new RunResult(
                (int) number(fields.get("attempt")),
                (int) number(fields.get("exitCode")),
                String.valueOf(fields.get("reason")),
                String.valueOf(fields.get("exitCodeFrom")).contains("@"));
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
