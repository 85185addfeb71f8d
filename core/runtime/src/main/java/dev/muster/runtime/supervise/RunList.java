package dev.muster.runtime.supervise;

import dev.muster.runtime.control.ListedProcess;
import dev.muster.runtime.json.JsonWriter;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Placement;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        roster.all().forEach(process -> processes.add(entry(process).json()));
        ranks.there().forEach(rank -> processes.add(entry(rank).json()));
        list.put("processes", processes);
        return JsonWriter.line(list);
    }

    private static ListedProcess entry(Supervised process) {
        Optional<Placement> placement = process.spec().placement();
        return new ListedProcess(
                process.id(),
                process.spec().fold(new Kind()),
                placement.map(Placement::rank).orElse(null),
                placement.map(Placement::localRank).orElse(null),
                process.wasStarted() ? process.pid() : null,
                process.isWaiting() ? "waiting" : process.isRunning() ? ListedProcess.RUNNING : "ended");
    }

    /** A rank that a process of the plan hosts. */
    private ListedProcess entry(RankNotes.Started rank) {
        long pid = ranks.pid(rank.rank());
        return new ListedProcess("rank-" + rank.rank(), "rank", rank.rank(), null, pid, ListedProcess.RUNNING);
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
