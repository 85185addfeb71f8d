package dev.muster.runtime.plugins;

import dev.muster.runtime.text.Printable;

/**
 * A plugin that cannot be used.
 *
 * @param place its directory or jar
 * @param reason what is wrong with it, in one line
 * @param isRefused whether it is refused, since others could have written it
 */
public record BrokenPlugin(String place, String reason, boolean isRefused) {

    public BrokenPlugin {
        place = Printable.escape(place);
        reason = Printable.escape(reason);
    }

    /** Place and reason in one line. */
    @Override
    public String toString() {
        return place + ": " + reason;
    }
}
