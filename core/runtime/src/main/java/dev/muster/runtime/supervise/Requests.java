package dev.muster.runtime.supervise;

import dev.muster.runtime.text.Durations;
import java.time.Duration;

/** What others than signals want of the launcher. Only the event loop touches it. */
final class Requests {

    private final StopTimes times;
    private final Stops stops;
    private final Checkpoint checkpoint;
    private final Effects effects;
    private final RunList list;

    Requests(StopTimes times, Stops stops, Checkpoint checkpoint, Effects effects, RunList list) {
        this.times = times;
        this.stops = stops;
        this.checkpoint = checkpoint;
        this.effects = effects;
        this.list = list;
    }

    void answer(Event.Asked asked) {
        if (asked instanceof Event.GraceSet set) {
            set.grace().ifPresent(this::ask);
            set.then().accept(times.grace());
        } else if (asked instanceof Event.ListAsked question) {
            question.answer().accept(list.json());
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
}
