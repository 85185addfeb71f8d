package dev.muster.runtime.supervise;

import dev.muster.runtime.report.ProcessNames;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.RankInfo;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What others than signals want of the launcher. Only the event loop touches it. */
final class Requests {

    private final StopTimes times;
    private final Stops stops;
    private final Checkpoint checkpoint;
    private final Effects effects;
    private final Roster roster;
    private final Ending ending;

    @Inject
    Requests(StopTimes times, Stops stops, Checkpoint checkpoint, Effects effects, Roster roster, Ending ending) {
        this.times = times;
        this.stops = stops;
        this.checkpoint = checkpoint;
        this.effects = effects;
        this.roster = roster;
        this.ending = ending;
    }

    void answer(Event.Asked asked) {
        if (asked instanceof Event.GraceSet set) {
            set.grace().ifPresent(this::ask);
            set.then().accept(times.grace());
        } else if (asked instanceof Event.ListAsked question) {
            question.answer().accept(list());
        }
    }

    private void ask(Duration grace) {
        effects.say("muster stop: the grace of this stop is " + Durations.format(grace)
                + (grace.equals(times.grace()) ? "" : ", not " + Durations.format(times.grace())));
        setGrace(grace);
    }

    /** Of this stop, or of the one that is about to begin: it counts from now, be it longer or shorter. */
    void setGrace(Duration grace) {
        times.ask(grace);
        stops.putOff();
        checkpoint.putOff();
        effects.setGrace(grace);
    }

    /** What {@code muster ps} shows. */
    private Map<String, Object> list() {
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("state", ending.isOpen() ? "running" : "stopping");
        list.put("grace", Durations.format(times.grace()));
        List<Object> processes = new ArrayList<>();
        roster.all().forEach(process -> processes.add(entry(process)));
        list.put("processes", processes);
        return list;
    }

    private static Map<String, @Nullable Object> entry(Supervised process) {
        Optional<RankInfo> placement = process.spec().placement();
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", process.id());
        entry.put("kind", ProcessNames.kind(process.spec()));
        entry.put("rank", placement.map(RankInfo::rank).orElse(null));
        entry.put("localRank", placement.map(RankInfo::localRank).orElse(null));
        entry.put("pid", process.wasStarted() ? process.pid() : null);
        entry.put("state", process.isWaiting() ? "waiting" : process.isRunning() ? "running" : "ended");
        return entry;
    }
}
