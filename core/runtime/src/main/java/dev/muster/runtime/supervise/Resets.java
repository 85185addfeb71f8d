package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import java.util.Optional;

/**
 * What the platform says of the cards that ranks run on.
 *
 * @param file where it lists faults; empty: nowhere
 * @param mode how ranks end then
 */
public record Resets(Optional<ResetFile> file, ResetMode mode) {

    /** A platform that says nothing. */
    public static final Resets NONE = new Resets(Optional.empty(), ResetMode.COMMON);

    /** Looks at the list until it is closed. */
    FaultWatch watch(Events events) {
        return new FaultWatch(file, seen -> events.post(new Event.FaultsSeen(seen, events.now())));
    }
}
