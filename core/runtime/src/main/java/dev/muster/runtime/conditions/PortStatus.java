package dev.muster.runtime.conditions;

/** What a probe of a port has found out. */
enum PortStatus {
    /** Nothing yet. A look-up that gets no answer stays here. */
    UNRESOLVED("cannot be found yet: its name does not resolve so far", "looking up its name"),
    /** The host's name has no address. */
    UNKNOWN_HOST("cannot be found: its name has no address", "no DNS"),
    /** The host lives, and nobody listens. */
    REFUSED("refuses connections", "connection refused"),
    /** No answer in time, or no way to the host. */
    SILENT("does not answer", "no answer"),
    /** Somebody accepted the connection. */
    OPEN("accepts connections", "open");

    private final String words;
    private final String brief;

    PortStatus(String words, String brief) {
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
