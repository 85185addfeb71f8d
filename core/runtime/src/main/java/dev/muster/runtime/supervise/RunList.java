package dev.muster.runtime.supervise;

import dev.muster.runtime.text.Durations;
import dev.muster.spi.Placement;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code muster ps} shows of a run. Only the event loop touches it. */
final class RunList {

    private final Roster roster;
    private final Ending ending;
    private final StopTimes times;

    RunList(Roster roster, Ending ending, StopTimes times) {
        this.roster = roster;
        this.ending = ending;
        this.times = times;
    }

    Map<String, Object> json() {
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("state", ending.isOpen() ? "running" : "stopping");
        list.put("grace", Durations.format(times.grace()));
        List<Object> processes = new ArrayList<>();
        roster.all().forEach(process -> processes.add(entry(process)));
        list.put("processes", processes);
        return list;
    }

    private static Map<String, @Nullable Object> entry(Supervised process) {
        Optional<Placement> placement = process.spec().placement();
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", process.id());
        entry.put("kind", process.spec().fold(new Kind()));
        entry.put("rank", placement.map(Placement::rank).orElse(null));
        entry.put("localRank", placement.map(Placement::localRank).orElse(null));
        entry.put("pid", process.wasStarted() ? process.pid() : null);
        entry.put("state", process.isWaiting() ? "waiting" : process.isRunning() ? "running" : "ended");
        return entry;
    }

    private static final class Kind implements ProcessSpec.Cases<String> {

        @Override
        public String task(ProcessSpec.Task task) {
            return "task";
        }

        @Override
        public String service(ProcessSpec.Service service) {
            return "service";
        }

        @Override
        public String step(ProcessSpec.Step step) {
            return "step";
        }
    }
}
