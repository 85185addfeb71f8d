package dev.muster.runtime.supervise;

import dev.muster.runtime.control.StopDesk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The event loop's end of the launcher's desk. */
record DeskOwner(Events events) implements StopDesk.Owner {

    /** Opens it where there is a place for it. */
    static StopDesk.Door open(StopDesk desk, Optional<Path> directory, Events events) {
        return directory.map(place -> desk.open(place, new DeskOwner(events))).orElse(() -> {});
    }

    @Override
    public void sets(Optional<Duration> grace, Consumer<Duration> then) {
        events.post(new Event.GraceSet(grace, then, events.now()));
    }

    @Override
    public void lists(Consumer<String> answer) {
        events.post(new Event.ListAsked(answer, events.now()));
    }
}
