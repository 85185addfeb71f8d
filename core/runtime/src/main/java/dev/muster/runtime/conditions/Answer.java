package dev.muster.runtime.conditions;

/** What a probe of a port found out. */
enum Answer {
    /** Somebody accepted the connection. */
    OPEN("accepts connections"),
    /** The host lives, and nobody listens. */
    REFUSED("refuses connections"),
    /** No answer in time, or no way to the host. Nothing is known. */
    SILENT("does not answer"),
    /** The host's name has no address. Nothing is known. */
    UNKNOWN_HOST("cannot be found: its name has no address"),
    /** Whoever knows the host's address does not say. Nothing is known. */
    UNRESOLVED("cannot be found: the look-up of its name gets no answer");

    private final String words;

    Answer(String words) {
        this.words = words;
    }

    /** The rest of a sentence that starts with the port. */
    String words() {
        return words;
    }
}
