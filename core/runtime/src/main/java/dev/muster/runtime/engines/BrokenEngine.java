package dev.muster.runtime.engines;

/**
 * Something that should have been an engine.
 *
 * @param place the plugin's directory or jar, as far as known
 * @param reason why it could not be loaded, in one line
 * @param refused whether we did not even try, since others could have written it
 */
public record BrokenEngine(String place, String reason, boolean refused) {

    /** Place and reason in one line. */
    @Override
    public String toString() {
        return place + ": " + reason;
    }
}
