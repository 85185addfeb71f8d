package dev.muster.runtime.conditions;

/** The result of a probe of a port. */
enum PortStatus {
    /** There is no result yet. A name look-up without an answer keeps this status. */
    UNRESOLVED("cannot be found yet: its name does not resolve so far", "looking up its name"),
    /** The host's name has no address. */
    UNKNOWN_HOST("cannot be found: its name has no address", "no DNS"),
    /** The host answers, but the port is closed. */
    REFUSED("refuses connections", "connection refused"),
    /** There is no answer in time, or no route to the host. */
    SILENT("does not answer", "no answer"),
    /** The port accepted a connection. */
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

    /** The short form for lists, after the host. */
    String brief() {
        return brief;
    }
}
