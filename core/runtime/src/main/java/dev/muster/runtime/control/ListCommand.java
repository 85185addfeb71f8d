package dev.muster.runtime.control;

import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** {@code muster ps}: shows the launchers of this PID namespace and what they have started. */
final class ListCommand {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final LauncherSockets sockets;
    private final long own;
    private final LongSupplier nanoClock;

    /** @param own pid of this JVM */
    ListCommand(LauncherSockets sockets, long own, LongSupplier nanoClock) {
        this.sockets = sockets;
        this.own = own;
        this.nanoClock = nanoClock;
    }

    /**
     * What the supervisor itself says, also where the JVM answers nothing: {@code ASKER GRACE NESTED JOB}.
     *
     * @param asker the pid of this JVM, as it is seen there; 0: by a supervisor of another container
     * @param job empty as long as nothing was started
     */
    private record Who(long asker, Optional<String> job, Optional<String> grace) {

        private static final int WORDS = 4;
        private static final String NO_JOB = "-";

        static Who unknown(long asker) {
            return new Who(asker, Optional.empty(), Optional.empty());
        }

        static Who of(String line) {
            String[] words = line.split(" ", WORDS);
            return words.length == WORDS && words[0].matches("[0-9]{1,15}") && words[1].matches("[0-9]{1,15}")
                    ? new Who(
                            Long.parseLong(words[0]),
                            Optional.of(words[WORDS - 1]).filter(job -> !job.equals(NO_JOB)),
                            Optional.of(Durations.format(Duration.ofMillis(Long.parseLong(words[1])))))
                    : unknown(0);
        }
    }

    /** @return the exit code */
    int run(boolean isJson) {
        List<Map<String, @Nullable Object>> launchers = list();
        String text = isJson ? Json.indented(Map.of("launchers", launchers)) : table(launchers);
        return StandardOutput.write(text) ? 0 : ExitCode.UNAVAILABLE.code();
    }

    List<Map<String, @Nullable Object>> list() {
        Map<LauncherSockets.LauncherSocket, ControlClient> clients = new LinkedHashMap<>();
        for (LauncherSockets.LauncherSocket socket : sockets.find()) {
            try {
                clients.put(socket, ControlClient.connect(socket.path()));
            } catch (IOException ended) {
                // It has left its socket behind.
            }
        }
        List<Who> who = ask(clients.values(), "who").stream()
                .map(line -> line.map(Who::of).orElse(Who.unknown(own)))
                .toList();
        List<Optional<String>> lists = ask(clients.values(), "ps");
        List<Map<String, @Nullable Object>> launchers = new ArrayList<>();
        List<LauncherSockets.LauncherSocket> found = List.copyOf(clients.keySet());
        for (int index = 0; index < found.size(); index++) {
            if (who.get(index).asker() == own) {
                launchers.add(entry(found.get(index), who.get(index), content(lists.get(index))));
            }
        }
        clients.values().forEach(ControlClient::close);
        return launchers;
    }

    private List<Optional<String>> ask(Collection<ControlClient> clients, String line) {
        ControlClient.askAll(List.copyOf(clients), line, PATIENCE, nanoClock);
        return clients.stream().map(ControlClient::answer).toList();
    }

    private static Map<String, Object> content(Optional<String> line) {
        return line.isPresent() && Json.read(line.get()) instanceof JsonReading.Complete complete
                ? complete.content()
                : Map.of();
    }

    private static Map<String, @Nullable Object> entry(
            LauncherSockets.LauncherSocket socket, Who who, Map<String, Object> answer) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("job", who.job().orElse(null));
        entry.put("part", answer.get("part"));
        entry.put("pid", answer.getOrDefault("pid", socket.pid()));
        entry.put("supervisor", socket.pid());
        entry.put("user", socket.user());
        entry.put("state", answer.getOrDefault("state", "unknown"));
        entry.put(
                "grace",
                answer.containsKey("grace") ? answer.get("grace") : who.grace().orElse(null));
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
                processes.forEach(process -> rows.add(row((Map<?, ?>) process, "id", "rank", "pid", "state")));
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
