package dev.muster.runtime.supervise;

import dev.muster.runtime.json.JsonWriter;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Placement;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code muster ps} shows of a run. Only the event loop touches it. */
final class RunList {

    private final Roster roster;
    private final RankWatch ranks;
    private final Ending ending;
    private final StopTimes times;

    RunList(Roster roster, RankWatch ranks, Ending ending, StopTimes times) {
        this.roster = roster;
        this.ranks = ranks;
        this.ending = ending;
        this.times = times;
    }

    /** In one line. */
    String json() {
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("state", ending.isOpen() ? "running" : "stopping");
        list.put("grace", Durations.format(times.grace()));
        List<Object> processes = new ArrayList<>();
        roster.all().forEach(process -> processes.add(entry(process)));
        ranks.there().forEach(rank -> processes.add(entry(rank)));
        list.put("processes", processes);
        return JsonWriter.line(list);
    }

    private static Map<String, @Nullable Object> entry(Supervised process) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", process.id());
        entry.put("kind", process.spec().fold(new Kind()));
        entry.put("rank", process.spec().placement().map(Placement::rank).orElse(null));
        entry.put(
                "localRank",
                process.spec().placement().map(Placement::localRank).orElse(null));
        entry.put("pid", process.wasStarted() ? process.pid() : null);
        entry.put("state", process.isWaiting() ? "waiting" : process.isRunning() ? "running" : "ended");
        return entry;
    }

    /** A rank that a process of the plan hosts. */
    private static Map<String, @Nullable Object> entry(RankNotes.Started rank) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", "rank-" + rank.rank());
        entry.put("kind", "rank");
        entry.put("rank", rank.rank());
        entry.put("localRank", null);
        entry.put("pid", rank.pid());
        entry.put("state", "running");
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
