package dev.muster.runtime.logs;

import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.output.StreamSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The logs of a job, according to the launchers of this node or their results. */
final class JobLogs {

    private static final Pattern NAME = Pattern.compile("(.*?)(\\.[a-z]+)?");

    private final String job;
    private final NavigableMap<Integer, Path> ranks = new TreeMap<>();
    private final Map<Integer, String> ids = new HashMap<>();
    private final NavigableMap<String, Path> others = new TreeMap<>();

    JobLogs(String job) {
        this.job = job;
    }

    /**
     * The logs of an ended job, from its results in a log directory, which nodes may share.
     *
     * @param ended the job's id; empty: the job that ended last
     */
    static Optional<JobLogs> ofResults(Path directory, Optional<String> ended) {
        List<Map<String, Object>> results = results(directory);
        Optional<String> chosen = ended.or(() -> results.stream()
                .max(Comparator.comparing(result -> String.valueOf(result.get("endedAt"))))
                .map(JobLogs::jobOf));
        return chosen.map(id -> {
            JobLogs logs = new JobLogs(id);
            results.stream()
                    .filter(result -> jobOf(result).equals(id))
                    .map(result -> result.get("processes"))
                    .forEach(processes -> logs.add(
                            processes instanceof List<?> list ? list : List.of(), log -> resolve(directory, log)));
            return logs;
        });
    }

    /** The log's path. The directory may be a copy, or have been moved. */
    private static Path resolve(Path directory, Path log) {
        Path here = directory.resolve(String.valueOf(log.getFileName()));
        return Files.exists(here) ? here : log;
    }

    private static String jobOf(Map<String, Object> result) {
        return String.valueOf(result.get("jobId"));
    }

    private static List<Map<String, Object>> results(Path directory) {
        List<Map<String, Object>> results = new ArrayList<>();
        for (Path file : ReadableFiles.entries(directory, "*-result.json")) {
            if (Files.isRegularFile(file)) {
                byte[] content = ReadableFiles.text(file).getBytes(StandardCharsets.ISO_8859_1);
                Json.read(content).object().ifPresent(results::add);
            }
        }
        return results;
    }

    String job() {
        return job;
    }

    /** @param processes as {@code muster ps} and {@code result.json} list them */
    void add(List<?> processes) {
        add(processes, log -> log);
    }

    private void add(List<?> processes, UnaryOperator<Path> finder) {
        for (Object each : processes) {
            if (each instanceof Map<?, ?> process && process.get("log") instanceof String told) {
                ReadableFiles.path(told).map(finder).ifPresent(log -> add(process, log));
            }
        }
    }

    private void add(Map<?, ?> process, Path log) {
        if (process.get("rank") instanceof Number rank) {
            ranks.put(rank.intValue(), log);
            ids.put(rank.intValue(), String.valueOf(process.get("id")));
        } else {
            others.put(String.valueOf(process.get("id")), log);
            addRanksOf(log);
        }
    }

    /** Ranks of a host process, such as torchrun, have logs beside its own. */
    private void addRanksOf(Path host) {
        Matcher parts = NAME.matcher(String.valueOf(host.getFileName()));
        Path directory = host.getParent();
        if (directory == null || !parts.matches()) {
            return;
        }
        String end = parts.group(2) == null ? "" : parts.group(2);
        Pattern ofRank = Pattern.compile(Pattern.quote(parts.group(1)) + "-rank-([0-9]{1,6})" + Pattern.quote(end));
        for (Path file : ReadableFiles.entries(directory, "*-rank-*")) {
            Matcher rank = ofRank.matcher(String.valueOf(file.getFileName()));
            if (rank.matches()) {
                ranks.put(Integer.parseInt(rank.group(1)), file);
            }
        }
    }

    boolean isEmpty() {
        return ranks.isEmpty() && others.isEmpty();
    }

    /** The ranks with a log on this node. */
    BitSet ranks() {
        BitSet all = new BitSet();
        ranks.keySet().forEach(all::set);
        return all;
    }

    /** The id that the launcher uses for the rank's process. */
    String id(int rank) {
        return ids.getOrDefault(rank, StreamSpec.idOfRank(rank));
    }

    /** @param chosen the wanted ranks; empty: all */
    NavigableMap<Integer, Path> ranks(BitSet chosen) {
        NavigableMap<Integer, Path> some = new TreeMap<>(ranks);
        some.keySet().removeIf(rank -> !chosen.isEmpty() && !chosen.get(rank));
        return some;
    }

    /**
     * Opens the logs.
     *
     * @param chosen the wanted ranks; empty: all, and processes that are not ranks
     */
    List<RankLog> open(BitSet chosen) {
        List<RankLog> logs = new ArrayList<>();
        ranks(chosen).forEach((rank, path) -> logs.add(new RankLog("rank " + rank, path)));
        if (chosen.isEmpty()) {
            others.forEach((id, path) -> logs.add(new RankLog(id, path)));
        }
        return logs;
    }
}
