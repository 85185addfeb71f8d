package dev.muster.runtime.control;

import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code muster ps}: shows the launchers of this PID namespace and their processes. */
public record ListCommand(LauncherFinder launchers) {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** @return the exit code */
    public int run(boolean isJson) {
        List<Map<String, @Nullable Object>> list = list();
        String text = isJson ? Json.indented(Map.of("launchers", list)) : table(list);
        return StandardOutput.write(text) ? 0 : ExitCode.UNAVAILABLE.code();
    }

    List<Map<String, @Nullable Object>> list() {
        return list(launchers.find());
    }

    /**
     * The launchers of one job that run here, for users; empty: there are none.
     *
     * @throws MusterException no job is named, and several jobs run here or none has started yet
     */
    public List<Map<String, @Nullable Object>> ofJob(Optional<String> job) {
        List<RunningLauncher> found = launchers.find();
        List<RunningLauncher> meant = RunningLauncher.ofOneJob(found, job);
        boolean isStarting = found.stream()
                .anyMatch(launcher ->
                        launcher.identity().isPresent() && launcher.job().isEmpty());
        if (meant.isEmpty() && job.isEmpty() && isStarting) {
            throw new MusterException(
                    ExitCode.TEMPORARY,
                    "no job has logs here yet: " + RunningLauncher.names(found) + ". Try again, or give "
                            + OptionTable.LOG_DIR.usage() + " of a job that has ended");
        }
        return list(meant);
    }

    private static List<Map<String, @Nullable Object>> list(List<RunningLauncher> found) {
        found.forEach(launcher -> launcher.client().send("ps"));
        List<Map<String, @Nullable Object>> list = new ArrayList<>();
        for (RunningLauncher launcher : found) {
            list.add(entry(launcher, content(launcher.client().nextLine(PATIENCE))));
        }
        return list;
    }

    private static Map<String, Object> content(Optional<String> line) {
        return line.flatMap(text -> Json.read(text).object()).orElse(Map.of());
    }

    private static Map<String, @Nullable Object> entry(RunningLauncher launcher, Map<String, Object> answer) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("job", launcher.job().orElse(null));
        entry.put("part", answer.get("part"));
        entry.put("pid", answer.getOrDefault("pid", launcher.pid()));
        entry.put("supervisor", launcher.pid());
        entry.put("user", launcher.user().number());
        entry.put("state", answer.getOrDefault("state", "unknown"));
        entry.put("grace", answer.get("grace"));
        entry.put("answers", !answer.isEmpty());
        entry.put("processes", answer.getOrDefault("processes", List.of()));
        return entry;
    }

    private static String table(List<Map<String, @Nullable Object>> launchers) {
        if (launchers.isEmpty()) {
            return "no launcher runs here\n";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("JOB", "PART", "PID", "STATE", "GRACE"));
        for (Map<String, @Nullable Object> launcher : launchers) {
            rows.add(row(launcher, "job", "part", "pid", "state", "grace"));
            if (launcher.get("processes") instanceof List<?> processes) {
                // Another user's launcher may send anything.
                processes.stream()
                        .filter(Map.class::isInstance)
                        .forEach(process -> rows.add(row((Map<?, ?>) process, "id", "rank", "pid", "state")));
            }
        }
        return Columns.align(rows);
    }

    private static List<String> row(Map<?, ?> entry, String... keys) {
        List<String> cells = new ArrayList<>();
        for (String key : keys) {
            @Nullable Object value = entry.get(key);
            String word = value == null ? "-" : Printable.escape(value.toString());
            cells.add(key.equals("id") ? "  " + word : key.equals("rank") && value != null ? "rank " + word : word);
        }
        return cells;
    }
}
