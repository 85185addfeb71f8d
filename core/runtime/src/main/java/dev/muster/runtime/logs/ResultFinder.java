package dev.muster.runtime.logs;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the logs of a job that has ended by its results in a log directory, which nodes may share. */
record ResultFinder(Path directory) {

    /** @param job empty: the one that has ended last */
    Optional<JobLogs> find(Optional<String> job) {
        List<Map<String, Object>> results = results();
        Optional<String> chosen = job.or(() -> results.stream()
                .max(Comparator.comparing(result -> String.valueOf(result.get("endedAt"))))
                .map(ResultFinder::jobOf));
        return chosen.map(id -> {
            JobLogs logs = new JobLogs(id);
            results.stream()
                    .filter(result -> jobOf(result).equals(id))
                    .map(result -> result.get("processes"))
                    .forEach(processes -> logs.add(processes instanceof List<?> list ? list : List.of()));
            return logs;
        });
    }

    private static String jobOf(Map<String, Object> result) {
        return String.valueOf(result.get("jobId"));
    }

    private List<Map<String, Object>> results() {
        List<Map<String, Object>> results = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            return results;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*-result.json")) {
            for (Path file : files) {
                if (Json.read(Files.readAllBytes(file)) instanceof JsonReading.Complete complete) {
                    results.add(complete.content());
                }
            }
            return results;
        } catch (IOException | DirectoryIteratorException unreadable) {
            throw new MusterException(
                    ExitCode.UNAVAILABLE,
                    "cannot read results in " + Printable.escape(directory.toString()) + ": " + unreadable.getMessage(),
                    unreadable);
        }
    }
}
