package dev.muster.runtime.conditions;

/** What a probe of a port found out. */
enum Answer {
    /** Somebody accepted the connection. */
    OPEN("accepts connections", "open"),
    /** The host lives, and nobody listens. */
    REFUSED("refuses connections", "connection refused"),
    /** No answer in time, or no way to the host. Nothing is known. */
    SILENT("does not answer", "no answer"),
    /** The host's name has no address. Nothing is known. */
    UNKNOWN_HOST("cannot be found: its name has no address", "no DNS"),
    /** Whoever knows the host's address does not say. Nothing is known. */
    UNRESOLVED("cannot be found: the look-up of its name gets no answer", "no answer from DNS");

    private final String words;
    private final String brief;

    Answer(String words, String brief) {
        this.words = words;
        this.brief = brief;
    }

    /** The rest of a sentence that starts with the port. */
    String words() {
        return words;
    }

    /** The same for lists, where the host stands before it. */
    String brief() {
        return brief;
    }
}
