package dev.muster.runtime.control;

import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.json.JsonReader;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.json.JsonWriter;
import dev.muster.runtime.process.LiveProcess;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessSurvey;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** {@code muster ps}: shows the launchers of this PID namespace and what they have started. */
final class ListCommand {

    private static final long PATIENCE = Duration.ofSeconds(1).toNanos();
    private static final long LOOK = Duration.ofMillis(5).toNanos();

    private final LauncherSearch search;
    private final LongSupplier nanoClock;

    ListCommand(LauncherSearch search, LongSupplier nanoClock) {
        this.search = search;
        this.nanoClock = nanoClock;
    }

    /** @return the exit code */
    int run(boolean isJson) {
        List<Map<String, @Nullable Object>> launchers = new ArrayList<>();
        for (FoundLauncher launcher : search.find()) {
            launchers.add(entry(launcher));
        }
        String text = isJson ? JsonWriter.write(Map.of("launchers", launchers)) : LauncherTable.text(launchers);
        return StandardOutput.write(text) ? 0 : ExitCode.UNAVAILABLE.code();
    }

    private Map<String, @Nullable Object> entry(FoundLauncher launcher) {
        Optional<Map<String, Object>> answer = ask(launcher);
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("job", launcher.job().orElse(null));
        entry.put("part", launcher.part().orElse(null));
        entry.put("pid", launcher.process().pid());
        entry.put("guard", launcher.guard().map(ProcessId::pid).orElse(null));
        entry.put("warden", launcher.warden().map(ProcessId::pid).orElse(null));
        entry.put("user", launcher.user());
        entry.put("state", answer.map(list -> list.get("state")).orElseGet(() -> state(launcher)));
        entry.put("grace", launcher.warden().isEmpty() ? null : Durations.format(launcher.grace()));
        entry.put("answers", answer.isPresent());
        entry.put("processes", answer.map(list -> list.get("processes")).orElseGet(() -> seen(launcher)));
        return entry;
    }

    private static String state(FoundLauncher launcher) {
        if (!launcher.isThere()) {
            return "dead";
        }
        return launcher.warden().isPresent() ? "unknown" : "starting";
    }

    private Optional<Map<String, Object>> ask(FoundLauncher launcher) {
        if (launcher.directory().isEmpty() || !launcher.isThere()) {
            return Optional.empty();
        }
        try (DeskCall call = DeskCall.begin(launcher.directory().get(), "ps")) {
            long begin = nanoClock.getAsLong();
            while (nanoClock.getAsLong() - begin < PATIENCE) {
                Optional<String> line = call.line();
                if (line.isPresent()) {
                    return JsonReader.read(line.get().getBytes(StandardCharsets.UTF_8))
                                    instanceof JsonReading.Complete complete
                            ? Optional.of(complete.content())
                            : Optional.empty();
                }
                LockSupport.parkNanos(LOOK);
            }
        } catch (IOException | UnsupportedOperationException nobody) {
            // What can be seen must do.
        }
        return Optional.empty();
    }

    /** What a launcher that does not answer has started, as far as it leads a session of its own. */
    private static List<Map<String, @Nullable Object>> seen(FoundLauncher launcher) {
        List<Map<String, @Nullable Object>> seen = new ArrayList<>();
        for (LiveProcess process : ProcessSurvey.all()) {
            boolean isLeader = process.pid() == process.session()
                    && launcher.marker().isPresent()
                    && ProcessSurvey.variables(process.pid(), RunMarker.VARIABLE)
                            .get(0)
                            .equals(launcher.marker());
            if (isLeader) {
                String name = Printable.escape(process.name());
                seen.add(new ListedProcess(name, null, null, null, process.pid(), ListedProcess.RUNNING).json());
            }
        }
        return seen;
    }
}
